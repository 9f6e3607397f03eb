(() => {
	const panel = document.getElementById("{{id}}"), address = "{{address}}";
	const comm = globalThis.gonb_comm;
	if (!panel || !comm) return; // the program notices that nobody answers
	let seq = 0, alive = true;
	const values = () => {
		const all = {};
		for (const e of panel.querySelectorAll("[data-param]")) {
			let value = e.value;
			if (e.dataset.kind === "slider") value = e.dataset.options.split("|")[e.value];
			if (e.dataset.kind === "checks")
				value = [...e.querySelectorAll("input:checked")].map(x => x.value).join(e.dataset.between) || "none";
			all[e.dataset.param] = value;
		}
		return all;
	};
	const say = what => {
		if (alive) comm.send(address, JSON.stringify({seq: ++seq, what: what, hidden: document.hidden, values: values()}));
	};
	let left = false; // until the page proves to be there still
	const leaving = () => { left = true; say("leaving"); };
	const seen = () => say(left ? "leaving" : "beat");
	const beat = setInterval(() => { left = false; seen(); }, 2000);
	comm.subscribe(address, () => { // the program has ended
		alive = false;
		clearInterval(beat);
		removeEventListener("beforeunload", leaving);
		removeEventListener("pagehide", leaving);
		document.removeEventListener("visibilitychange", seen);
	});
	addEventListener("beforeunload", leaving); // what is said later may not be heard
	addEventListener("pagehide", leaving);
	document.addEventListener("visibilitychange", seen);
	for (const e of panel.querySelectorAll("input, select")) {
		e.addEventListener("input", () => {
			if (e.type === "range") e.nextElementSibling.value = e.dataset.labels.split("|")[e.value];
			say("set");
		});
		// Keys belong to the control, not to the notebook's shortcuts.
		e.addEventListener("keydown", event => event.stopPropagation());
	}
	for (const button of panel.querySelectorAll("button"))
		button.addEventListener("click", () => say(button.dataset.what));
	say("beat");
})();

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
		if (alive) comm.send(address, JSON.stringify({seq: ++seq, what: what, values: values()}));
	};
	const gone = () => say("gone");
	const beat = setInterval(() => say("beat"), 2000);
	comm.subscribe(address, () => { // the program has ended
		alive = false;
		clearInterval(beat);
		removeEventListener("pagehide", gone);
	});
	addEventListener("pagehide", gone);
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

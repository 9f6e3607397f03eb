// Help by the mouse: where it rests on a name in a cell, what Shift-Tab explains
// there is shown. JupyterLab has the words and the looks, CodeMirror the hovering;
// here the two meet. It is a module of JupyterLab's by hand, so that nothing has to
// be built.
var _JUPYTERLAB = window._JUPYTERLAB || {};
_JUPYTERLAB["shelflab-hover"] = (() => {
  let scope;

  // One of the modules that JupyterLab shares: the copy that it uses itself.
  const shared = async name => {
    const copies = Object.values(scope[name]);
    return (await (copies.find(c => c.loaded) || copies[0]).get())();
  };

  const help = async (tracker, view, pos) => {
    const panel = tracker.find(p => p.content.widgets.some(c => c.editor?.editor === view));
    const kernel = panel?.sessionContext.session?.kernel;
    const word = view.state.wordAt(pos);
    // A kernel that runs a cell would answer when the mouse is long elsewhere.
    if (!word || !kernel || panel.content.widgets.some(c => c.model.executionState === "running")) return null;
    const code = view.state.doc.toString();
    const { content } = await kernel.requestInspect({ code, cursor_pos: pos, detail_level: 0 });
    // What it knows is markdown; plain text says that it knows nothing.
    if (content.status !== "ok" || !content.found || !content.data["text/markdown"]) return null;
    const { rendermime } = panel.content;
    const rendered = rendermime.createRenderer("text/markdown");
    await rendered.renderModel(rendermime.createModel({ data: content.data }));
    rendered.node.classList.add("shelflab-hover");
    rendered.node.style.cssText = "max-width:640px;max-height:280px;overflow:auto;padding:4px 10px;" +
      "background:var(--jp-layout-color1);color:var(--jp-content-font-color1);border:1px solid var(--jp-border-color1)";
    return {
      pos: word.from, end: word.to, above: true,
      create: () => ({ dom: rendered.node, destroy: () => rendered.dispose() }),
    };
  };

  const plugin = async () => {
    const [{ hoverTooltip }, { EditorExtensionRegistry, IEditorExtensionRegistry }, { INotebookTracker }] =
      await Promise.all(["@codemirror/view", "@jupyterlab/codemirror", "@jupyterlab/notebook"].map(shared));
    return {
      id: "shelflab-hover:plugin",
      description: "Shows help where the mouse rests on a name.",
      autoStart: true,
      requires: [IEditorExtensionRegistry, INotebookTracker],
      activate: (app, registry, tracker) => {
        const hover = hoverTooltip((view, pos) => help(tracker, view, pos), { hoverTime: 500, hideOnChange: true });
        registry.addExtension({
          name: "shelflab-hover",
          factory: () => EditorExtensionRegistry.createImmutableExtension(hover),
        });
      },
    };
  };

  return {
    init: shareScope => { scope = shareScope; },
    get: async () => { const found = await plugin(); return () => ({ __esModule: true, default: found }); },
  };
})();

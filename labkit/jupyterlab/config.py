import json
import os
import subprocess
import tempfile

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from nbconvert.exporters import HTMLExporter

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lab.json")) as f:
    lab = json.load(f)


def is_notebook(model):
    kernel = (model["content"] or {}).get("metadata", {}).get("kernelspec", {}) if model["type"] == "notebook" else {}
    return kernel.get("name") == "gonb"


# The kernel says anew each time in which version of Go it is written, and
# JupyterLab takes that into the notebook, which then counts as changed. So an open
# notebook has the kernel's words from the start, and the file those that stay.
class Notebooks(AsyncLargeFileManager):
    async def get(self, path, *args, **kw):
        model = await super().get(path, *args, **kw)
        if is_notebook(model):
            model["content"]["metadata"]["language_info"] = dict(lab["kernel_language"])
        return model


def keep_language(model, **_):
    if is_notebook(model):
        model["content"]["metadata"]["language_info"] = dict(lab["language_info"])


# Jupyter's own export to HTML gives the lab's page of the saved notebook, with
# its evidence if that lies in the data folder. A template of nbconvert's would not
# do: whatever one makes is parsed and written anew, and the charts with it.
stock = HTMLExporter.from_notebook_node


def lab_page(exporter, nb, resources=None, **kw):
    about = (resources or {}).get("metadata", {})
    notebook = os.path.join(about.get("path", ""), about.get("name", "") + ".ipynb")
    if type(exporter) is not HTMLExporter or not os.path.isfile(notebook):
        return stock(exporter, nb, resources, **kw)
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        command = [*lab["export"], notebook, "--out", page]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        with open(page, encoding="utf-8", newline="") as f:
            return f.read(), exporter._init_resources(resources)


c = get_config()  # noqa: F821
c.ServerApp.contents_manager_class = Notebooks
c.FileContentsManager.pre_save_hook = keep_language
HTMLExporter.from_notebook_node = lab_page

# What a save leaves out: the kernel says anew each time in which version of Go
# it is written, and JupyterLab takes that over. A notebook that was only opened
# would then be saved with a change.
import json
import os

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "language_info.json")) as f:
    language_info = json.load(f)


def keep_language(model, **_):
    if model["type"] == "notebook" and model["content"]["metadata"].get("kernelspec", {}).get("name") == "gonb":
        model["content"]["metadata"]["language_info"] = dict(language_info)


c = get_config()  # noqa: F821
c.FileContentsManager.pre_save_hook = keep_language

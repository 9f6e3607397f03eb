"""Tells which of the modules that the lab asks for this Python has, and which
dbm it takes where a program does not choose."""
import dbm
import importlib
import json
import os
import sys
import tempfile

lacks = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError as error:
        lacks[name] = str(error)

syncs = True  # whether sqlite3 syncs what it commits to a write-ahead log
if "dbm.sqlite3" in sys.argv and "dbm.sqlite3" not in lacks:
    import sqlite3

    built = {row[0] for row in sqlite3.connect(":memory:").execute("PRAGMA compile_options")}
    level = [option.partition("=")[2] for option in built if option.startswith("DEFAULT_WAL_SYNCHRONOUS=")]
    syncs = not level or int(level[0]) >= 2

default = None
try:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "default")
        dbm.open(path, "n").close()
        default = dbm.whichdb(path)
except (OSError, *dbm.error):
    pass

version = "%d.%d.%d" % tuple(sys.version_info[:3])
print(json.dumps({"version": version, "lacks": lacks, "syncs": syncs, "default": default}))

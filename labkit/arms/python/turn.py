"""A turn of Python's shelve or pickle, for the lab.

The records come as JSON Lines on descriptor 3, each [key, record]; a record
becomes what json makes of it, a dict for a struct. Each line of standard input
then asks for an operation, and one line of standard output answers it, with the
time that the store's work took. The process ends with its input.
"""
import gc
import hashlib
import importlib
import itertools
import json
import os
import pickle
import shelve
import shutil
import sys
import time

CHUNK = 1000  # records that are held at once while a store is read through
WARM = 200  # records of a store that is thrown away, so that no code is new


class Clock:
    def __init__(self):
        self.ns = 0

    def __enter__(self):
        self.start = time.perf_counter_ns()

    def __exit__(self, *_):
        self.ns += time.perf_counter_ns() - self.start


class Digest:
    """A checksum of records that were read, as the lines that they came as."""

    def __init__(self):
        self.sum = 0

    def add(self, items):
        for item in items:
            line = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
            digest = hashlib.sha256(line.encode()).digest()
            self.sum += int.from_bytes(digest[:8], "big")

    def hex(self):
        return "%016x" % (self.sum % 2**64)


def sync_folder(path):
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


class Shelf:
    """shelve over one of Python's dbm modules."""

    def __init__(self, dbm, folder, sync):
        self.dbm = importlib.import_module("dbm." + dbm)
        self.folder, self.sync = folder, sync
        self.path = os.path.join(folder, "shelf")
        # dbm.sqlite3 syncs each write by itself. dbm.gnu does not even where it is
        # opened with the flag "s", which syncs some.
        self.sync_each = sync and dbm != "sqlite3"

    def open(self, flag):
        return shelve.Shelf(self.dbm.open(self.path, flag))

    def write(self, records, whole, lap):
        with whole:
            db = self.open("n")
            with lap:
                for key, record in records.items():
                    db[key] = record
                    if self.sync_each:
                        db.sync()
            db.close()
            if self.sync:
                sync_folder(self.folder)

    def read(self, whole, lap, digest):
        """Both clocks stand still while what was read is summed up."""
        with whole:
            db = self.open("r")
        items = iter(db.items())
        while True:
            with whole, lap:
                held = list(itertools.islice(items, CHUNK))
            if not held:
                break
            digest.add(held)
        with whole:
            db.close()
        return ()

    def gets(self, keys, whole):
        with whole:
            db = self.open("r")
            held = [(key, db[key]) for key in keys]
            db.close()
        return held

    def gets_open(self, keys, before, calls, whole):
        db = self.open("r")
        for key in before:
            db[key]
        with whole:
            for _ in range(calls):
                held = [(key, db[key]) for key in keys]
        db.close()
        return held


class Pickle:
    """One pickle of a dict of all records, at the highest protocol."""

    def __init__(self, folder, sync):
        self.folder, self.sync = folder, sync
        self.path = os.path.join(folder, "pickle")

    def write(self, records, whole, lap):
        with whole:
            with open(self.path, "wb") as f:
                pickle.dump(records, f, pickle.HIGHEST_PROTOCOL)
                if self.sync:
                    f.flush()
                    os.fsync(f.fileno())
            if self.sync:
                sync_folder(self.folder)

    def load(self):
        with open(self.path, "rb") as f:
            return pickle.load(f)

    def read(self, whole, lap, digest):
        with whole:
            everything = self.load()
            for _ in everything.items():
                pass
        return everything.items()

    def gets(self, keys, whole):
        with whole:
            everything = self.load()
            held = [(key, everything[key]) for key in keys]
        return held


def interned(pairs):
    """A dict whose keys are shared by all records, as those of a program are."""
    return {sys.intern(key): value for key, value in pairs}


def records_of(fd):
    with open(fd, encoding="utf-8", newline="\n") as lines:
        return dict(json.loads(line, object_pairs_hook=interned) for line in lines)


STATUS, IO = "/proc/self/status", "/proc/self/io"
MOVED = {"wchar": "calls", "write_bytes": "storage", "read_bytes": "fetched"}


def numbers(path, names):
    """Numbers of a file of Linux's proc, in bytes; None where there is none."""
    found = {}
    try:
        with open(path) as lines:
            for line in lines:
                name, _, value = line.partition(":")
                if name in names:
                    number, _, unit = value.strip().partition(" ")
                    found[names[name]] = int(number) * (1024 if unit == "kB" else 1)
    except OSError:
        return None
    return found if len(found) == len(names) else None


def new_peak():
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")  # the peak is what is resident now
    except OSError:
        return None
    return numbers(STATUS, {"VmRSS": "before"})


def answer(store, records, ask):
    whole, lap, digest = Clock(), Clock(), Digest()
    gc.collect()
    resident, moved = new_peak(), numbers(IO, MOVED)
    held = ()
    if ask["do"] == "write":
        store.write(records, whole, lap)
    elif ask["do"] == "read":
        held = store.read(whole, lap, digest)
    elif ask["do"] == "gets":
        held = store.gets(ask["keys"], whole)
    else:
        held = store.gets_open(ask["keys"], ask["before"], ask["calls"], whole)
    after, peak = numbers(IO, MOVED), numbers(STATUS, {"VmHWM": "peak"})
    digest.add(held)
    said = {"seconds": whole.ns / 1e9, "lap": lap.ns / 1e9, "sum": digest.hex()}
    if resident and peak:
        said["memory"] = dict(resident, **peak)
    if moved and after:
        said["io"] = {name: after[name] - moved[name] for name in after}
    return said


def store_of(order, folder):
    if order["keeps"] == "pickle":
        return Pickle(folder, order["sync"])
    return Shelf(order["keeps"], folder, order["sync"])


def warm(order, records):
    """Takes the operations once with a few records, untimed."""
    folder = os.path.join(order["folder"], "warm")
    os.mkdir(folder)
    store = store_of(order, folder)
    few = dict(itertools.islice(records.items(), WARM))
    for do in "write", "read", "gets":
        answer(store, few, {"do": do, "keys": list(few)})
    shutil.rmtree(folder)


def main():
    order = json.loads(sys.stdin.readline())
    records = records_of(3)
    warm(order, records)
    store = store_of(order, order["folder"])
    print(json.dumps({"records": len(records)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(store, records, json.loads(line))), flush=True)
    os._exit(0)  # without taking the records apart one by one


main()

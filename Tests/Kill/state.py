"""What a place holds in the end, in a form that two runs can be compared by."""

import hashlib
import json
import os
import re
import sqlite3
import time


def read(place, devices, attached):
    """Everything that must be as it is without a fault, by name."""
    state = {}
    exports = {}
    for device in devices:
        state |= {f"{device}: {key}": value for key, value in tables(place.database(device)).items()}
    for device in attached:
        state |= {f"{device}: {key}": value for key, value in _told(place, device, exports).items()}
    state["the devices' exports"] = "alike" if len(set(exports.values())) < 2 else "differ"
    state["devices on the remote"] = len(list((place.remote / "sync").glob("*"))) if place.remote.exists() else 0
    state["snapshots"] = len(list(place.remote.rglob("*.snap")))
    return state


def tables(database):
    """The rows of the app's tables, the schema, and whether SQLite finds all well."""
    connection = sqlite3.connect(database)
    try:
        objects = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        names = [name for kind, name, sql in objects
                 if kind == "table" and not name.startswith(("tributary_", "sqlite_"))]
        rows = {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in names}
        found = {f"rows of {name}": [row[:200] + _digest(row) for row in rows[name]] for name in names}
        found["schema"] = [f"{kind} {name} {sql}" for kind, name, sql in objects]
        found["integrity_check"] = connection.execute("PRAGMA integrity_check").fetchall()
        found["foreign_key_check"] = connection.execute("PRAGMA foreign_key_check").fetchall()
        return found
    finally:
        connection.close()


def _told(place, device, exports):
    """What the tool says of a device."""
    check = place.run(device, "check")
    export = place.run(device, "export", "--canonical")
    exports[device] = export.output
    records = [json.loads(line) for line in export.output.splitlines()]
    for record in records:
        # A hash over stamps, which are new in every run.
        record.pop("state", None)
    status = place.run(device, "status", "--json")
    told = json.loads(status.output or "{}")
    return {
        "check": (check.code, _findings(check.output)),
        "export": (export.code, [json.dumps(record)[:200] + _digest(json.dumps(record)) for record in records]),
        "status": {key: told.get(key) for key in (
            "pendingWrites", "unsettledWrites", "unsentFiles", "unsentBytes", "held", "parked", "repaired")},
        "peers": len(told.get("peers", [])),
        "deleted records": sum(not record["visible"] for record in records),
        "conflicts": _count(place, device, "tributary_conflict"),
    }


def _findings(text):
    """What `check` found, without ids and without the sums of its last line."""
    lines = [re.sub(r"[a-z2-7]{26}", "DEVICE", line) for line in text.splitlines()]
    return [line for line in lines if not line.startswith("Checked ")]


def _count(place, device, table):
    connection = sqlite3.connect(place.database(device))
    try:
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    finally:
        connection.close()


def _digest(text):
    return " " + hashlib.sha256(text.encode()).hexdigest()[:12]


def files(place):
    """Every file by a name without its random parts, and how many have it.

    How many logs carry the edits may differ, since a sync that was cut off sends what it had sealed. SQLite's own
    -wal and -shm come and go with whoever looks.
    """
    counts = {}
    for path in place.root.rglob("*"):
        if path.is_dir() or path.name.endswith(("-wal", "-shm")):
            continue
        name = str(path.relative_to(place.root))
        name = re.sub(r"remote/sync/[a-z2-7]{26}/", "remote/sync/DEVICE/", name)
        name = re.sub(r"~up-[0-9a-z]+", "~up-RANDOM", name)
        name = re.sub(r"[0-9a-f]{32}\.", "NAME.", name)
        name = re.sub(r"\.secret\.[0-9a-z]+\.tmp$", ".secret.RANDOM.tmp", name)
        if re.search(r"/DEVICE/\d{16}", name):
            continue
        counts[name] = counts.get(name, 0) + 1
    return counts


def unsent(place, device):
    """What the tool says that it has not sent; empty if all is."""
    told = json.loads(place.run(device, "status", "--json").output or "{}")
    return {key: told[key] for key in ("pendingWrites", "unsettledWrites", "unsentFiles") if told.get(key)}


def grow_old(place):
    """Dates every file two days back: what a run left half written is kept for a day, in case it is still at work."""
    then = time.time() - 2 * 86_400
    for path in place.root.rglob("*"):
        if path.is_file():
            os.utime(path, (then, then))


def has(place, device, question):
    connection = sqlite3.connect(place.database(device))
    try:
        return connection.execute(question).fetchone() is not None
    finally:
        connection.close()


def published(place):
    return published_at(place.root)


def published_at(root):
    """The remote's files that nobody may change: everything under a final name but the heads."""
    found = {}
    for path in (root / "remote" / "sync").rglob("*"):
        if path.is_file() and path.name != "head.bin" and not path.name.startswith("~up-"):
            found[str(path.relative_to(root))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def differences(expected, found):
    """What differs, a line each."""
    lines = []
    for key in sorted(expected.keys() | found.keys()):
        left, right = expected.get(key), found.get(key)
        if left == right:
            continue
        if isinstance(left, list) and isinstance(right, list):
            lost = [item for item in left if item not in right][:3]
            more = [item for item in right if item not in left][:3]
            lines.append(f"{key}: missing {lost}, unexpected {more}" + ("" if lost or more else " (counts differ)"))
        elif isinstance(left, dict) and isinstance(right, dict):
            lines += [f"{key}: {name}: {left.get(name)} became {right.get(name)}"
                      for name in sorted(left.keys() | right.keys()) if left.get(name) != right.get(name)]
        else:
            lines.append(f"{key}: {str(left)[:400]} became {str(right)[:400]}")
    return lines

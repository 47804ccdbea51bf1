"""Reads a remote folder: opens every file, checks it, and prints what it holds.

    python3 read.py FOLDER [--password-file FILE] [--json | --state [--clock MILLISECONDS]]

FOLDER is the folder that has `sync` in it. The password is the content of FILE, without one line break at its end, or
the environment variable TRIBUTARY_PASSWORD. With --json every file is one JSON object a line; with --state every merged
record is, as it is at the given time. What was refused, and where a reader stops, is told on stderr. The exit code is 0
if everything is sound, 1 if something was refused, 2 for a wrong call.
"""

import argparse
import json
import os
import sys

from tributary_reader import expected, keys, names, password
from tributary_reader.errors import Refused
from tributary_reader.folder import Folder
from tributary_reader.state import State


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--password-file")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true")
    output.add_argument("--state", action="store_true")
    parser.add_argument("--clock", type=int, help="the time in milliseconds since 1970, instead of now")
    return parser, parser.parse_args()


def typed_password(parser, file):
    if file is None:
        if "TRIBUTARY_PASSWORD" not in os.environ:
            parser.error("there is no password: give --password-file or TRIBUTARY_PASSWORD")
        return os.environb[b"TRIBUTARY_PASSWORD"]
    try:
        with open(file, "rb") as opened:
            content = opened.read()
    except OSError as error:
        parser.error(f"the password file is not there: {error.strerror}")
    return content[:-1] if content.endswith(b"\n") else content


def rendered(file):
    """One file in the JSON of the golden files, with its path and kind before it."""
    if file.name.kind == names.KEY:
        return {"key": expected.key_file(file.content)}
    if file.name.kind == names.HEAD:
        return expected.head(file.header, file.content)
    if file.name.kind == names.LOG:
        return expected.log(file.header, file.content)
    if file.name.kind == names.SNAPSHOT:
        return expected.part(file.header, file.content)
    return expected.fence(file.header, file.content)


def objects(folder):
    """Every file; then, with the path of their first file, the runs of logs and the whole snapshots."""
    for file in folder.files:
        yield {"path": file.path, **rendered(file)}
    for device in folder.devices.values():
        for first, run in sorted(device.runs.items()):
            yield {"path": device.logs[first].path, "run": expected.run(run.entries, run.blocks)}
        for seq, snapshot in sorted(device.snapshots.items()):
            if snapshot:
                yield {"path": device.parts[seq][0].path, "whole": expected.snapshot(snapshot)}


def summary(item):
    kind = next(key for key in ("key", "head", "log", "part", "fence", "run", "whole") if key in item)
    counts = [f"{name} {content if isinstance(content, (int, str)) else len(content)}"
              for name, content in item[kind].items()
              if isinstance(content, (int, str, list)) and name not in ("kek", "dataKey", "recoveryKEK")]
    return f"{item['path']}: {kind}: " + ", ".join(counts)


def tell(path, refusal):
    print(f"{path}: {refusal}", file=sys.stderr)


def main():
    parser, options = arguments()
    if not os.path.isdir(os.path.join(options.folder, "sync")):
        parser.error("the folder has no directory `sync`")
    try:
        opener = keys.Password(password.normalized(typed_password(parser, options.password_file)))
    except Refused as refusal:
        tell("password", refusal)
        return 1
    folder = Folder(options.folder, lambda data, device, epoch: keys.read(data, device, epoch, opener)).read()
    if options.state:
        state = State(folder, options.clock).merge()
        for note in state.notes:
            tell(*note)
        for item in state.states():
            print(json.dumps(expected.entry(item)))
    else:
        for item in objects(folder):
            print(json.dumps(item) if options.json else summary(item))
    for problem in folder.problems:
        tell(*problem)
    if folder.dropped:
        print(f"{folder.dropped} entries were dropped.", file=sys.stderr)
    return 1 if folder.problems else 0


if __name__ == "__main__":
    sys.exit(main())

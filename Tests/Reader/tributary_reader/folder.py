"""A whole folder: every file opened, and checked against the others (FORMAT.md, sections 1, 3, 5, 7, 10 and 11)."""

import os
from typing import NamedTuple

from . import container, fences, heads, logs, names, pieces, snapshots
from .entries import is_sound, stamps
from .errors import Refused, refuse_unless
from .hashing import blake2b
from .header import LONGEST, ZEROS


class Opened(NamedTuple):
    """A file that was read: its name, the hash of its bytes, its header (None for a key file) and its content."""

    path: str
    name: names.Name
    hash: bytes
    header: object
    content: object


class Run(NamedTuple):
    """Logs that apply together. `stops` is true where a barrier stops before them.

    `moment` is the greatest of the writer's own, those of dropped entries among them.
    """

    first: int
    last: int
    entries: list
    blocks: list
    stops: bool
    moment: int


class Device:
    """One device's directory. What was refused stands in the folder's problems."""

    def __init__(self, device):
        self.device = device
        self.keys = {}
        self.head = None
        self.logs = {}
        self.parts = {}
        self.fences = {}
        self.refused = set()
        self.data_keys = {}
        self.runs = {}
        self.snapshots = {}

    def keys_of(self, epoch):
        """Mostly one: two changes of the password at once give one number twice."""
        known = epoch in self.data_keys
        refuse_unless(known, "no-key", "There is no data key of the epoch that the file is sealed under.")
        return self.data_keys[epoch]


class Folder:
    def __init__(self, root, open_key):
        """`open_key` opens the bytes of a key file, given its device and epoch."""
        self._root = root
        self._open_key = open_key
        self.devices = {}
        self.files = []
        self.problems = []
        self.dropped = 0

    def read(self):
        found = self._found()
        # Keys come first, as nothing else opens without them.
        for path, name in sorted(found, key=lambda item: (item[1].kind != names.KEY, item[0])):
            device = self.devices.setdefault(name.device, Device(name.device))
            self._try(path, lambda: self._open(path, name, device), device, name)
        for device in self.devices.values():
            self._check(device)
        self.files.sort(key=lambda file: file.path)
        return self

    def _found(self):
        out = []
        top = os.path.join(self._root, "sync")
        for directory in sorted(os.listdir(top)):
            inside = os.path.join(top, directory)
            if names.device_bytes(directory) is None or not os.path.isdir(inside):
                continue
            for file in sorted(os.listdir(inside)):
                name = names.parse(directory, file)
                if name:
                    out.append((f"sync/{directory}/{file}", name))
        return out

    def _try(self, path, work, device=None, name=None):
        try:
            return work()
        except Refused as refusal:
            self.problems.append((path, refusal))
            if device:
                device.refused.add(name)
            return None

    def _bytes(self, path, name):
        full = os.path.join(self._root, path)
        longest = LONGEST[name.kind]
        refuse_unless(os.path.isfile(full), "unreadable", "A file's name is that of something else.")
        try:
            with open(full, "rb") as file:
                # One byte more than is allowed is enough to know that a file is too long.
                data = file.read(longest + 1)
        except OSError as error:
            raise Refused("unreadable", f"A file cannot be read: {error.strerror}.") from None
        refuse_unless(len(data) <= longest, "length", "A file is longer than its kind may be.")
        return data

    def _open(self, path, name, device):
        data = self._bytes(path, name)
        if name.kind == names.KEY:
            header, content = None, self._open_key(data, name.device, name.seq)
            self._keep_keys(device, content)
        else:
            header, body = container.open_sealed(data, name, device.keys_of)
            content = _parse(header, body)
        opened = Opened(path, name, blake2b(data), header, content)
        self.files.append(opened)
        _keep(device, opened)

    def _keep_keys(self, device, content):
        for epoch, key in content.payload.earlier + [(content.header.epoch, content.payload.data_key)]:
            known = device.data_keys.setdefault(epoch, [])
            if key not in known:
                known.append(key)

    def _check(self, device):
        self._check_logs(device)
        self._check_snapshots(device)
        self._check_head(device)
        for fence in device.fences.values():
            self._try(fence.path, lambda: self._check_fence(device, fence))

    def _check_logs(self, device):
        for seq in sorted(device.logs):
            opened = device.logs[seq]
            self._try(opened.path, lambda: _check_chain(device, opened), device, opened.name)
        seq = min(device.logs, default=0)
        while seq <= max(device.logs, default=-1):
            run = self._run_from(device, seq)
            seq = run.last + 1 if run else seq + 1

    def _run_from(self, device, seq):
        opened = device.logs.get(seq)
        if opened is None or opened.content.run[0]:
            # A run whose start is gone was pruned, or it is told as missing where a reader gets there.
            return None
        run = self._try(opened.path, lambda: _run(device, opened))
        if run:
            entries = [entry for entry in run.entries if is_sound(entry)]
            self.dropped += len(run.entries) - len(entries)
            run = device.runs[seq] = run._replace(entries=entries)
        return run

    def _check_snapshots(self, device):
        for seq, parts in sorted(device.parts.items()):
            known = device.head and device.head.content.snapshot
            if known and known[0] == seq:
                self._check_snapshot(device, seq, parts, *known[1:])
            elif sorted(parts) == list(range(len(parts))) and parts[max(parts)].content.manifest is not None:
                # No head names it: an earlier one, or one that is on its way.
                last = parts[max(parts)]
                self._try(last.path, lambda: _whole(device, seq, parts, len(parts), last.hash))

    def _check_snapshot(self, device, seq, parts, count, last_hash):
        path = parts[max(parts)].path
        snapshot = self._try(path, lambda: _whole(device, seq, parts, count, last_hash))
        device.snapshots[seq] = snapshot
        if snapshot:
            self._try(path, lambda: snapshots.check(snapshot))

    def _check_head(self, device):
        if device.head is None:
            return
        head = device.head.content
        if head.last_log:
            self._try(device.head.path, lambda: _check_last_log(device, *head.last_log))
        if head.snapshot:
            refusal = Refused("missing", "The snapshot in the head is not there.")
            if head.snapshot[0] not in device.parts:
                self.problems.append((device.head.path, refusal))

    def _check_fence(self, device, fence):
        key = device.keys.get(fence.content.epoch)
        if key:
            refuse_unless(key.hash == fence.content.key_file_hash, "fence", "A fence has another hash than the key file.")
            same = key.content.header.epoch_id == fence.content.epoch_id
            refuse_unless(same, "fence", "A fence has another id of the epoch than the key file.")


def _parse(header, body):
    if header.kind == names.HEAD:
        return heads.parse(body)
    if header.kind == names.LOG:
        return logs.parse(body, header.device)
    if header.kind == names.SNAPSHOT:
        return snapshots.parse_part(body)
    return fences.parse(body, header)


def _keep(device, opened):
    name = opened.name
    if name.kind == names.HEAD:
        device.head = opened
    elif name.kind == names.SNAPSHOT:
        device.parts.setdefault(name.seq, {})[name.part] = opened
    else:
        {names.KEY: device.keys, names.LOG: device.logs, names.FENCE: device.fences}[name.kind][name.seq] = opened


def _check_chain(device, opened):
    before = device.logs.get(opened.name.seq - 1)
    if opened.name.seq == 1:
        refuse_unless(opened.header.previous == ZEROS, "chain", "The first log has a previous hash.")
    elif before:
        refuse_unless(opened.header.previous == before.hash, "chain", "A log does not follow the one before.")


def _run(device, opened):
    count = opened.content.run[1]
    first = opened.name.seq
    out = []
    for index in range(count):
        log = device.logs.get(first + index)
        if log is None:
            # It is on its way, or it is told as missing where the head says that it is there.
            return None
        refuse_unless(log.content.run == (index, count), "run", "The logs of a run do not follow each other.")
        out.append(log)
    logs.check_writer([log.content for log in out], device.device)
    blocks = [block for log in out for block in log.content.blocks]
    stops = any(log.content.stops_here for log in out)
    # Behind a barrier that is not known, the entries cannot be told from parts of something else.
    entries = [] if stops else pieces.assemble(blocks)
    own = [stamp.moment for entry in entries for stamp in stamps(entry) if stamp.device == device.device]
    return Run(first, first + count - 1, entries, blocks, stops, max(own, default=0))


def _whole(device, seq, parts, count, last_hash):
    all_there = parts and sorted(parts) == list(range(count))
    refuse_unless(all_there, "incomplete", "A part of a snapshot is missing, or there are more.")
    ordered = [parts[index] for index in range(count)]
    log = device.logs.get(seq)
    first = ordered[0].header.previous
    refuse_unless(log is None or first == log.hash, "chain", "A snapshot does not follow its log.")
    for before, after in zip(ordered, ordered[1:]):
        refuse_unless(after.header.previous == before.hash, "chain", "A part does not follow the one before.")
    refuse_unless(ordered[-1].hash == last_hash, "chain", "The last part is not the one in the head.")
    return snapshots.whole([part.content for part in ordered], device.device, seq, first)


def _check_last_log(device, seq, digest):
    log = device.logs.get(seq)
    if log:
        refuse_unless(log.hash == digest, "chain", "The last log is not the one in the head.")
    reached = max(device.snapshots, default=0)
    missing = _first_missing(device, reached, seq)
    refuse_unless(missing is None, "missing", f"Log {missing} is not there, and no snapshot covers it.")


def _first_missing(device, reached, last):
    """A head may claim any number of logs: at most one more than there are is looked at."""
    return next((seq for seq in range(reached + 1, last + 1) if seq not in device.logs), None)

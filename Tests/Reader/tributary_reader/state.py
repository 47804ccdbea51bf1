"""The merged state of all devices (FORMAT.md, sections 7, 9 and 10)."""

import time

from . import blocks, join, pieces
from .cursors import Cursor
from .entries import is_sound, stamps
from .errors import Refused

AHEAD = 5 * 60 * 1_000


class State:
    """`records` are by type and identity; `cursors` tell what of each device is merged in."""

    def __init__(self, folder, now=None):
        self._folder = folder
        self._latest = (now if now is not None else int(time.time() * 1_000)) + AHEAD
        self.records = {}
        self.cursors = {}
        self.notes = []

    def merge(self):
        for device in self._folder.devices.values():
            self._take_snapshots(device)
        for device in self._folder.devices.values():
            self._read_logs(device)
        return self

    def states(self):
        return [self.records[key] for key in sorted(self.records)]

    def _note(self, path, code, sentence):
        self.notes.append((path, Refused(code, sentence)))

    def _ahead(self, entry):
        return any(stamp.moment >> 16 > self._latest for stamp in stamps(entry))

    def _take_snapshots(self, device):
        for snapshot in device.snapshots.values():
            if snapshot is None:
                continue
            if snapshot.stops or snapshot.manifest.greatest_barrier > blocks.FORMAT:
                self._note(device.head.path, "barrier", "A barrier that this reader does not know is in the snapshot.")
            elif any(self._ahead(state) for state in snapshot.states):
                self._note(device.head.path, "ahead", "A stamp in the snapshot is ahead of the clock.")
            else:
                self._take(snapshot)

    def _take(self, snapshot):
        """What the snapshot lacks stays: nobody prunes yet."""
        for state in filter(is_sound, snapshot.states):
            self._join(state)
        self._take_held(snapshot.held)
        for cursor in snapshot.manifest.cursors:
            self._advance(cursor.device, cursor)

    def _take_held(self, held):
        """What a snapshot's writer held is looked at here again. Blocks of one log may be pieces of one value."""
        places = {}
        for one in held:
            places.setdefault((one.device, one.seq), []).append(one.block)
        for _, unread in sorted(places.items()):
            try:
                entries = pieces.assemble([blocks.read(block) for block in unread])
            except Refused:
                continue
            for entry in entries:
                if is_sound(entry) and not self._ahead(entry):
                    self._join(entry)

    def _join(self, entry):
        known = self.records.get(entry.record)
        self.records[entry.record] = join.join(known, entry) if known else join.join(entry, entry)

    def _advance(self, device, cursor):
        known = self.cursors.get(device)
        if known is None or cursor.seq > known.seq:
            self.cursors[device] = cursor

    def _read_logs(self, device):
        while True:
            known = self.cursors.get(device.device)
            seq = (known.seq if known else 0) + 1
            run = device.runs.get(seq)
            if run is None:
                if seq in device.logs:
                    self._note(device.logs[seq].path, "incomplete", "The rest of a run is not there, or does not fit.")
                return
            if not self._may_apply(device, run):
                return
            self._apply(device, run)

    def _may_apply(self, device, run):
        opened = [device.logs[seq] for seq in range(run.first, run.last + 1)]
        if any(log.name in device.refused for log in opened):
            return False
        if run.stops:
            self._note(opened[0].path, "barrier", "A barrier that this reader does not know: it stops before the log.")
            return False
        if any(log.content.snapshot for log in opened):
            self._note(opened[0].path, "missing", "The snapshot that the log stands for was not taken.")
            return False
        return True

    def _apply(self, device, run):
        for entry in run.entries:
            if self._ahead(entry):
                self._note(device.logs[run.first].path, "ahead", "An entry is held: a stamp is ahead of the clock.")
            else:
                self._join(entry)
        known = self.cursors.get(device.device)
        # What is held counts here as well: the cursor tells what was applied or held.
        moment = max(run.moment, known.moment if known else 0)
        self.cursors[device.device] = Cursor(device.device, run.last, moment, device.logs[run.last].hash)

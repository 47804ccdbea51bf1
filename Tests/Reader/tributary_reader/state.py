"""The merged state of all devices (FORMAT.md, sections 7, 9 and 10)."""

import time

from . import join
from .blocks import FORMAT
from .cursors import Cursor
from .entries import all_stamps, is_sound
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
        return any(stamp.moment >> 16 > self._latest for stamp in all_stamps(entry))

    def _take_snapshots(self, device):
        for snapshot in device.snapshots.values():
            if snapshot is None:
                continue
            if snapshot.manifest.greatest_barrier > FORMAT:
                self._note(device.head.path, "barrier", "A barrier that this reader does not know is in the snapshot.")
            elif any(self._ahead(state) for state in snapshot.states):
                self._note(device.head.path, "ahead", "A stamp in the snapshot is ahead of the clock.")
            else:
                self._take(snapshot)

    def _take(self, snapshot):
        """A record that one side lacks, although its cursors cover the record's edits, was pruned there."""
        theirs = {state.record: state for state in snapshot.states if is_sound(state)}
        their_cursors = {cursor.device: cursor for cursor in snapshot.manifest.cursors}
        for key in set(self.records) - set(theirs):
            if _covers(their_cursors, self.records[key]):
                del self.records[key]
        for key, state in theirs.items():
            if key in self.records or not _covers(self.cursors, state):
                self._join(state)
        for device, cursor in their_cursors.items():
            self._advance(device, cursor)

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
            if run is None or not self._may_apply(device, run):
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
        greatest = 0
        for entry in run.entries:
            own = [stamp.moment for stamp in all_stamps(entry) if stamp.device == device.device]
            greatest = max([greatest] + own)
            if self._ahead(entry):
                self._note(device.logs[run.first].path, "ahead", "An entry is held: a stamp is ahead of the clock.")
            else:
                self._join(entry)
        known = self.cursors.get(device.device)
        # What is held counts here as well: the cursor tells what was applied or held.
        moment = max(greatest, known.moment if known else 0)
        self.cursors[device.device] = Cursor(device.device, run.last, moment, device.logs[run.last].hash)


def _covers(cursors, state):
    return all(stamp.device in cursors and cursors[stamp.device].moment >= stamp.moment for stamp in all_stamps(state))

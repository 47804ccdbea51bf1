"""One operation of a scene, with a fault or without, run to the end and looked at."""

import os
import pathlib
import re

import points
import state
from place import HarnessError


class Trial:
    """A scene that is prepared, and what it comes to without a fault."""

    def __init__(self, scene, place, library):
        self.scene = scene
        self.place = place
        self.library = library
        self.template = pathlib.Path(f"{place.root}-{scene.name}")
        self.calls = []
        self.expected = {}

    def prepare(self):
        self.scene.prepare(self.place)
        os.rename(self.place.root, self.template)
        self.place.fill(self.template)
        outcome = self._run(None)
        if outcome.code != 0:
            raise HarnessError(f"{self.scene.name} without a fault: {outcome}")
        self.calls = points.read(self._trace().read_text())
        # Every operation writes the database. Where none of that is seen, nothing would be struck.
        if not any(call.path.endswith(("-wal", "-journal")) and call.name in points.WRITES for call in self.calls):
            raise HarnessError(f"{self.scene.name}: no write of SQLite's was seen; is the tool linked statically?")
        self.expected = self._finish()
        wrong = [f"{key}: {value}" for key, value in self.expected.items() if key.endswith("_check")
                 and value not in ([], [("ok",)])]
        if wrong or self.expected["the devices' exports"] != "alike":
            raise HarnessError(f"{self.scene.name} without a fault ends wrong: {wrong or 'the devices differ'}")

    def run(self, point):
        """What is wrong after the fault, a line each; none if all is well."""
        self.place.fill(self.template)
        outcome = self._run(point)
        hit = points.read(self._trace().read_text()) if self._trace().exists() else []
        if not hit:
            return [f"the run made no call {point.call.number}: {outcome}"], outcome
        wrong = self._ended(point, outcome)
        if self.scene.is_atomic and (outcome.code or 0) > 0:
            if self._rows(self.place.root) != self._rows(self.template):
                wrong.append(f"it says that it failed, and changed rows: {outcome}")
        try:
            with_fault = state.published(self.place)
            wrong += self._kept(state.published_at(self.template), with_fault, "the run with the fault")
            if point.call.number % 2:
                wrong += self._others()
            if outcome.code != 0:
                wrong += self._again()
            wrong += self._kept(with_fault, state.published(self.place), "the run after it")
            wrong += self._compared()
        except HarnessError as error:
            wrong.append(str(error))
        except Exception as error:  # What SQLite says of a database, or JSON of an output, is a finding too.
            wrong.append(f"{type(error).__name__}: {error}")
        return list(dict.fromkeys(wrong)), outcome

    def _run(self, point):
        self._trace().unlink(missing_ok=True)
        faults = {"LD_PRELOAD": str(self.library), "FAULT_BELOW": os.path.realpath(self.place.root),
                  "FAULT_TRACE": str(self._trace())}
        if point:
            faults |= {"FAULT_KIND": point.fault, "FAULT_AT": str(point.call.number)}
        return self.place.run(self.scene.device, *self._command(), faults=faults)

    def _command(self):
        return self.scene.command(self.place)

    def _trace(self):
        return pathlib.Path(f"{self.place.root}-trace")

    def _rows(self, root):
        return state.tables(root / f"{self.scene.device}.db")

    def _ended(self, point, outcome):
        """How a run may end: killed where that was asked for, else by itself, with a sentence if it failed."""
        if outcome.code is None:
            return ["it did not end by itself"]
        if point.fault.startswith("kill"):
            return [] if outcome.code == -9 else [f"it was not killed: {outcome}"]
        if outcome.code < 0:
            return [f"it crashed with signal {-outcome.code}: {outcome}"]
        if outcome.code == 0 and self.scene.words[0] == "sync":
            unsent = state.unsent(self.place, self.scene.device)
            return [f"it says that it worked, and left unsent: {unsent}"] if unsent else []
        # What `check` could not mend it says among what it found.
        sentence = r"^tributary: .{8,}" + ("|Nothing could be mended: .{8,}" if self.scene.words[0] == "check" else "")
        if outcome.code != 0 and not re.search(sentence, outcome.errors + outcome.output, re.MULTILINE):
            return [f"it failed without a sentence: {outcome}"]
        return []

    def _others(self):
        """Lets the others sync over what the run left; something may be on its way (7), or gone with the remote (3)."""
        others = [device for device in self.scene.syncs if device != self.scene.device]
        outcomes = {device: self.place.run(device, "sync") for device in others}
        return [f"the sync of {device} before the command is run again: {outcomes[device]}" for device in others
                if outcomes[device].code not in (0, 3, 7)]

    def _again(self):
        outcome = self.place.run(self.scene.device, *self._command())
        if outcome.code == 0:
            return []
        for again in self.scene.again:
            # What was done already may say so; whether it was is compared later.
            if outcome.code == again.code and re.search(again.text, outcome.errors):
                remark = self.scene.recover(self.place) if self.scene.recover else None
                return [remark] if remark else []
        return [f"run again it fails: {outcome}"]

    def _kept(self, before, after, when):
        """Published files stay as they are."""
        may_go = self.scene.removes
        return [f"{when} {'changed' if name in after else 'removed'} {name}" for name in before
                if before[name] != after.get(name) and not (may_go and name not in after and re.search(may_go, name))]

    def _compared(self):
        return state.differences(self.expected, self._finish())

    def _finish(self):
        """Lets everybody sync twice, and looks."""
        if self.scene.settle:
            self.scene.settle(self.place)
        published = state.published(self.place)
        for device in self.scene.syncs * 2:
            outcome = self.place.run(device, "sync")
            if outcome.code != 0:
                raise HarnessError(f"the sync of {device} afterwards fails: {outcome}")
        found = state.read(self.place, self._databases(), self.scene.syncs)
        found["published files"] = self._kept(published, state.published(self.place), "a sync afterwards")
        found |= self._go_on()
        return found

    def _go_on(self):
        """Lets the devices go on for a day: an edit reaches all of them, and what was left half done is gone."""
        state.grow_old(self.place)
        device = self.scene.device if self.scene.device in self.scene.syncs else self.scene.syncs[0]
        if self.scene.is_adopted:
            self.place.write(device, "INSERT INTO artist(id,name) VALUES('later','a day later')")
        else:
            self.place.must(device, "sql", "INSERT INTO list(id,name) VALUES('later','a day later')")
        others = [name for name in self.scene.syncs if name != device]
        self.place.sync(device, *others)
        leaves = [name.format(device=self.scene.device) for name in self.scene.leaves]
        table = "artist" if self.scene.is_adopted else "list"
        return {
            "who has the later edit": [name for name in self.scene.syncs
                                       if state.has(self.place, name, f"SELECT 1 FROM {table} WHERE id='later'")],
            "files": {name: count for name, count in state.files(self.place).items() if name not in leaves},
        }

    def _databases(self):
        return sorted(path.stem for path in self.place.root.glob("*.db"))

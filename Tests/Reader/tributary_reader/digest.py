"""The digest of a state, and the block of one row that it is over (FORMAT.md, sections 6 and 10).

"Written as section 6 says that we write": the row's own stamp is the birth, else the first field's latest stamp, else the
last delete's; columns that are all the default are left out.
"""

from . import cbor_write, values, varints
from .entries import COUNTER, LAST, SET, Cause, sorted_marks
from .hashing import blake2b
from .layout1 import ERASES, HAS_CAUSE
from .stamps import ZERO

LENGTH = 16


def of(states):
    total = sum(int.from_bytes(blake2b(block(state))[:LENGTH], "big") for state in states)
    return (total % 2 ** (8 * LENGTH)).to_bytes(LENGTH, "big")


def block(state):
    """The bytes of the block of one state."""
    return cbor_write.encode([1, 1, False, _Writer(state).content()])


class _Numbers:
    """Numbers things in the order in which they are first named."""

    def __init__(self, *first):
        self.all = list(first)

    def number(self, thing):
        if thing not in self.all:
            self.all.append(thing)
        return self.all.index(thing)


def _own_stamp(state):
    if state.born:
        return state.born
    # A counter without a base and totals has no stamp.
    first = state.fields[min(state.fields)].stamp if state.fields else None
    return first or max(state.deletes, default=ZERO)


class _Writer:
    def __init__(self, state):
        self._state = state
        self._own = _own_stamp(state)
        self._devices = _Numbers()
        self._types = _Numbers(state.type.encode("utf-8"))

    def content(self):
        state = self._state
        # Devices and types get their numbers in the order of keys 5 to 8, so that keys 0 and 2 are made last.
        out = {5: self._column(self._own, ZERO)}
        fields = [self._field(key, state.fields[key]) for key in sorted(state.fields)]
        if fields:
            out[6] = fields
        if state.born:
            out[7] = True
        if state.deletes:
            out[8] = self._deletes()
        out.update({0: [name.decode("utf-8") for name in self._types.all], 1: 1, 2: b"".join(self._devices.all),
                    3: varints.encode(0) + varints.encode(len(state.identity)), 4: state.identity})
        return cbor_write.encode(out)

    def _delta(self, stamp, base):
        device = 0 if stamp.device == base.device else self._devices.number(stamp.device) + 1
        return self._moment(stamp.moment, base.moment) + varints.encode(device)

    def _moment(self, moment, base):
        return varints.zigzag((moment >> 16) - (base >> 16)) + varints.zigzag((moment & 0xFFFF) - (base & 0xFFFF))

    def _column(self, stamp, base):
        return varints.encode(1) + self._delta(stamp, base)

    def _field(self, key, content):
        name, kind = key
        out = {0: name.decode("utf-8"), 1: kind}
        write = {LAST: self._last, COUNTER: self._counter, SET: self._set}[kind]
        out.update(write(content))
        return out

    def _last(self, content):
        out = {6: [values.to_cbor(content.value)]}
        if content.stamp != self._own:
            out[2] = self._column(content.stamp, self._own)
        if content.root != content.stamp:
            out[3] = self._column(content.root, content.stamp)
        if content.version != 1:
            out[4] = content.version
        return out

    def _counter(self, content):
        base = content.base
        data = varints.encode(1 if base else 0)
        if base:
            data += self._delta(base.stamp, self._own) + self._delta(base.root, base.stamp) + varints.encode(base.version)
        data += varints.encode(len(content.totals))
        for device in sorted(content.totals):
            data += self._total(content.totals[device])
        return {5: data, 6: [values.to_cbor(base.value)]} if base else {5: data}

    def _total(self, total):
        return (varints.encode(self._devices.number(total.device)) + self._delta(total.stamp, self._own)
                + self._delta(total.base, total.stamp) + self._delta(total.root, total.base) + varints.zigzag(total.sum))

    def _set(self, content):
        marks = sorted_marks(content.marks)
        data = self._delta(content.stamp, self._own) + varints.encode(content.version) + varints.encode(len(marks))
        for (_, device), mark in marks:
            data += self._mark(device, mark, content.stamp.moment)
        out = {5: data}
        if marks:
            out[6] = [values.to_cbor(element) for (element, _), _ in marks]
        return out

    def _mark(self, device, mark, base):
        flags = (1 if mark.added is not None else 0) | (2 if mark.removed is not None else 0)
        data = varints.encode(self._devices.number(device)) + varints.encode(flags)
        return data + b"".join(self._moment(moment, base) for moment in mark if moment is not None)

    def _deletes(self):
        data = varints.encode(0) + varints.encode(len(self._state.deletes))
        for stamp in sorted(self._state.deletes):
            data += self._delete(stamp, self._state.deletes[stamp])
        return data

    def _delete(self, stamp, delete):
        flags = (ERASES if delete.erases else 0) | (HAS_CAUSE if delete.cause else 0)
        data = self._delta(stamp, self._own) + varints.encode(flags)
        return data + (self._cause(delete.cause) if delete.cause else b"")

    def _cause(self, cause: Cause):
        return varints.encode(self._types.number(cause.type)) + varints.encode(len(cause.identity)) + cause.identity

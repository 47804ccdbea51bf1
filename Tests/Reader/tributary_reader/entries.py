"""What blocks hold: entries, which are parts of records' states (FORMAT.md, sections 6 and 9)."""

from dataclasses import dataclass, field
from typing import Dict, NamedTuple, Optional, Tuple

from . import identity as identities
from .stamps import Stamp
from .values import Value

LAST, COUNTER, SET = range(3)


class Cause(NamedTuple):
    """Compared by type, then by identity, each as bytes."""

    type: bytes
    identity: bytes


class Delete(NamedTuple):
    erases: bool
    cause: Optional[Cause]


class Last(NamedTuple):
    """A last writer's value, or a counter's base."""

    value: object
    stamp: Stamp
    root: Stamp
    version: int

    def order(self):
        return (self.root, self.stamp, self.value.order(), self.version)


class Total(NamedTuple):
    device: bytes
    stamp: Stamp
    base: Stamp
    root: Stamp
    sum: int

    def order(self):
        return (self.root, self.base, self.stamp, self.sum)


class Counter(NamedTuple):
    base: Optional[Last]
    totals: Dict[bytes, Total]

    @property
    def stamp(self):
        stamps = [total.stamp for total in self.totals.values()] + ([self.base.stamp] if self.base else [])
        return max(stamps, default=None)


class Mark(NamedTuple):
    """Moments; None for a half that is not there."""

    added: Optional[int]
    removed: Optional[int]


class Set(NamedTuple):
    stamp: Stamp
    version: int
    marks: Dict[Tuple[Value, bytes], Mark]


@dataclass
class Entry:
    """`fields` are by (name as bytes, kind); `deletes` by stamp."""

    type: str
    identity: bytes
    born: Optional[Stamp] = None
    deletes: Dict[Stamp, Delete] = field(default_factory=dict)
    fields: dict = field(default_factory=dict)
    min_reader: int = 1
    barrier: bool = False

    @property
    def record(self):
        return (self.type.encode("utf-8"), self.identity)


def greatest(*things):
    """The greatest of things of which some may be missing; None where all are."""
    return max((thing for thing in things if thing is not None), default=None)


def joined_mark(one, other):
    """Of two marks of one element and device. The first may be missing."""
    return Mark(greatest(one.added, other.added), greatest(one.removed, other.removed)) if one else other


def later_total(one, other):
    """Of two totals of one device. The first may be missing."""
    return max(one, other, key=lambda total: total.order()) if one else other


def raised(content):
    """A set whose stamp is at least that of every half of its marks."""
    halves = [Stamp(moment, device) for (_, device), mark in content.marks.items() for moment in mark
              if moment is not None]
    return content._replace(stamp=max(halves + [content.stamp]))


def sorted_marks(marks):
    """By element, then by device."""
    return sorted(marks.items(), key=lambda item: (item[0][0].order(), item[0][1]))


def _sound_last(content):
    return content.root <= content.stamp


def _sound_counter(content):
    totals = content.totals.values()
    return ((content.base is None or _sound_last(content.base))
            and all(total.root <= total.base <= total.stamp for total in totals)
            and all(total.stamp.device == total.device for total in totals))


_SOUND = {LAST: _sound_last, COUNTER: _sound_counter, SET: lambda content: True}


def is_sound(entry):
    """False for an entry that is dropped and counted (the ends of sections 2 and 9)."""
    return bool((entry.born or entry.deletes or entry.fields) and identities.decode(entry.identity)
                and all(_SOUND[kind](content) for (_, kind), content in entry.fields.items()))


def written_stamps(entry):
    """The stamps that are of the log's writer where nothing is sent again (section 7)."""
    if entry.born:
        yield entry.born
    for (_, kind), content in entry.fields.items():
        if kind == COUNTER:
            yield from ([content.base.stamp] if content.base else [])
            yield from (total.stamp for total in content.totals.values())
            yield from (Stamp(total.stamp.moment, device) for device, total in content.totals.items())
        else:
            yield content.stamp
        if kind == SET:
            yield from (Stamp(mark.added, device) for (_, device), mark in content.marks.items()
                        if mark.added is not None)


def stamps(entry):
    """Births, deletes and the fields' stamps: no other stamp of a sound entry is later than all of these."""
    yield from [entry.born] if entry.born else []
    yield from entry.deletes
    yield from (content.stamp for content in entry.fields.values() if content.stamp)

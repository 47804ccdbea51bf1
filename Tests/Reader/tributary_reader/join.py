"""How states join (FORMAT.md, section 9)."""

from dataclasses import replace

from .entries import COUNTER, LAST, SET, Counter, Entry, Mark, Set, greatest, joined_mark, later_total, raised
from .stamps import Stamp
from .values import INTEGER


def join(one, other):
    """The join of two states of one record, brought to the form in which states are compared."""
    joined = Entry(one.type, one.identity, greatest(one.born, other.born), _deletes(one.deletes, other.deletes))
    joined.fields = {key: _field(key[1], one.fields.get(key), other.fields.get(key))
                     for key in one.fields.keys() | other.fields.keys()}
    return settled(joined)


def _deletes(one, other):
    return {stamp: _delete(one.get(stamp), other.get(stamp)) for stamp in one.keys() | other.keys()}


def _delete(one, other):
    if one is None or other is None:
        return one or other
    both = one.cause is not None and other.cause is not None
    return one._replace(erases=one.erases or other.erases, cause=min(one.cause, other.cause) if both else None)


def _field(kind, one, other):
    if one is None or other is None:
        return one or other
    return {LAST: _last, COUNTER: _counter, SET: _set}[kind](one, other)


def _last(one, other):
    return max(one, other, key=lambda content: content.order())


def _counter(one, other):
    base = _last(one.base, other.base) if one.base and other.base else one.base or other.base
    totals = {}
    for total in list(one.totals.values()) + list(other.totals.values()):
        totals[total.device] = later_total(totals.get(total.device), total)
    return Counter(base, totals)


def _of_base(counter):
    """Totals of an earlier base fall away."""
    if counter.base is None:
        return counter
    least = (counter.base.root, counter.base.stamp)
    return counter._replace(totals={device: total for device, total in counter.totals.items()
                                    if (total.root, total.base) >= least})


def _set(one, other):
    marks = dict(one.marks)
    for key, mark in other.marks.items():
        marks[key] = joined_mark(marks.get(key), mark)
    stamp, version = max(one[:2], other[:2])
    return raised(Set(stamp, version, marks))


def settled(state):
    """Takes away what the state's deletes end."""
    floor = max((stamp for stamp in state.deletes if state.born and stamp < state.born), default=None)
    deletes = _above_floor(state.deletes, floor)
    end = max((stamp for stamp, delete in deletes.items() if delete.erases or stamp == floor), default=None)
    set_end = end
    if floor is not None and deletes[floor].erases:
        set_end = max(end, state.born)
    fields = {key: _after(key[1], content, set_end if key[1] == SET else end)
              for key, content in state.fields.items()}
    left = {key: content for key, content in fields.items() if content is not None}
    return replace(state, deletes=deletes, fields=left)


def _above_floor(deletes, floor):
    """Deletes before the floor fall away; it erases if one of them did."""
    if floor is None:
        return dict(deletes)
    kept = {stamp: delete for stamp, delete in deletes.items() if stamp >= floor}
    erases = any(delete.erases for stamp, delete in deletes.items() if stamp <= floor)
    kept[floor] = kept[floor]._replace(erases=erases)
    return kept


def _after(kind, content, end):
    """What is left of a field after an end; None for nothing."""
    if kind == COUNTER:
        content = _of_base(content)
    if end is None:
        return content
    return {LAST: _last_after, COUNTER: _counter_after, SET: _set_after}[kind](content, end)


def _last_after(content, end):
    return None if content.root < end else content


def _counter_after(content, end):
    base = content.base if content.base and content.base.root >= end else None
    totals = {device: total for device, total in content.totals.items() if total.root >= end}
    return Counter(base, totals) if base or totals else None


def _set_after(content, end):
    if content.stamp < end:
        return None
    marks = {}
    for (element, device), mark in content.marks.items():
        halves = [moment if moment is not None and Stamp(moment, device) >= end else None for moment in mark]
        if any(half is not None for half in halves):
            marks[element, device] = Mark(*halves)
    return content._replace(marks=marks)


def is_visible(state):
    if state.born is None:
        return False
    last = max(state.deletes, default=None)
    stamps = [state.born] + [content.stamp for content in state.fields.values() if content.stamp]
    return ((last is None or max(stamps) > last)
            and not any(delete.erases and stamp > state.born for stamp, delete in state.deletes.items()))


def shown_counter(counter):
    """The base, 0 where it is no integer, and its totals, wrapping at 64 bits; None, which is NULL, without a base."""
    if counter.base is None:
        return None
    start = counter.base.value.content if counter.base.value.kind == INTEGER else 0
    sums = [total.sum for total in counter.totals.values() if total.base == counter.base.stamp]
    return (start + sum(sums) + 2 ** 63) % 2 ** 64 - 2 ** 63


def shown_set(content):
    """The elements that some device added later than it was removed there, in order."""
    shown = {element for (element, _), mark in content.marks.items()
             if mark.added is not None and (mark.removed is None or mark.added > mark.removed)}
    return sorted(shown, key=lambda element: element.order())

"""How states join (FORMAT.md, section 9)."""

from .entries import COUNTER, LAST, SET, Counter, Entry, Mark, Set
from .stamps import Stamp
from .values import INTEGER


def join(one, other):
    """The join of two states of one record, brought to the form in which states are compared."""
    joined = Entry(one.type, one.identity, _greatest(one.born, other.born), _deletes(one.deletes, other.deletes))
    joined.fields = {key: _field(key[1], one.fields.get(key), other.fields.get(key))
                     for key in one.fields.keys() | other.fields.keys()}
    return settled(joined)


def _greatest(one, other):
    """The greater of two things of which either may be missing."""
    return max((thing for thing in (one, other) if thing is not None), default=None)


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
        before = totals.get(total.device, total)
        totals[total.device] = max(before, total, key=lambda each: each.order())
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
        before = marks.get(key, mark)
        marks[key] = Mark(_greatest(before.added, mark.added), _greatest(before.removed, mark.removed))
    stamp, version = max(one[:2], other[:2])
    stamps = [Stamp(mark.moment, device) for (_, device), mark in marks.items()]
    return Set(max([stamp] + stamps), version, marks)


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
    return Entry(state.type, state.identity, state.born, deletes,
                 {key: content for key, content in fields.items() if content is not None})


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
        content = _counter_after(content, end) if end is not None else _of_base(content)
        return content if content.base or content.totals else None
    if end is None:
        return content
    return _last_after(content, end) if kind == LAST else _set_after(content, end)


def _last_after(content, end):
    return None if content.root < end else content


def _counter_after(content, end):
    base = content.base if content.base and content.base.root >= end else None
    return _of_base(Counter(base, {device: total for device, total in content.totals.items() if total.root >= end}))


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
    stamps = [state.born] + [content.stamp for content in state.fields.values()]
    return ((last is None or max(stamps) > last)
            and not any(delete.erases and stamp > state.born for stamp, delete in state.deletes.items()))


def shown_counter(counter):
    """The base and the totals of it, wrapping at 64 bits; None, which is NULL, without a base."""
    if counter.base is None or counter.base.value.kind != INTEGER:
        return None
    sums = [total.sum for total in counter.totals.values() if total.base == counter.base.stamp]
    return (counter.base.value.content + sum(sums) + 2 ** 63) % 2 ** 64 - 2 ** 63


def shown_set(content):
    """The elements that some device added later than it was removed there, in order."""
    shown = {element for (element, _), mark in content.marks.items()
             if mark.added is not None and (mark.removed is None or mark.added > mark.removed)}
    return sorted(shown, key=lambda element: element.order())

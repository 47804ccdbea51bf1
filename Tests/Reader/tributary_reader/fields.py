"""The fields of a block of layout 1, by their three kinds (FORMAT.md, section 6)."""

from . import numbers, shape, values
from .entries import COUNTER, LAST, SET, Counter, Last, Mark, Set, Total
from .entries import joined_mark, later_total, raised
from .errors import Hold, refuse_unless
from .shape import SMALL_END
from .stamps import column, device_at, read_moment, read_stamp
from .varints import Packed

MOST_FIELDS = 2_000
LONGEST_NAME = 128
HAS_BASE = 1
ADDED, REMOVED = 1, 2


def read(item, own, shared):
    """(name as bytes, kind) to the contents of all rows."""
    item = shape.array(item, "Fields")
    refuse_unless(len(item) <= MOST_FIELDS, "fields", "A block has more than 2,000 fields.")
    shared.budget.values(shared.rows * len(item))
    keys = [_key(field) for field in item]
    shape.ascending(keys, "Fields")
    return {key: _READERS[key[1]](field, own, shared) for key, field in zip(keys, item)}


def _key(field):
    field = shape.mapping(field, "A field")
    refuse_unless(field.get(0) and 1 in field, "form", "A field has no name or no kind.")
    name = shape.text(field[0], "A field's name", LONGEST_NAME)
    kind = shape.unsigned(field[1], "A field's kind")
    if kind not in _READERS:
        raise Hold()
    return name.encode("utf-8"), kind


def _stamps(field, key, over, shared):
    if key not in field:
        return over
    return column(Packed(shape.octets(field[key], "Stamps")), shared.rows, shared.devices, over)


def _version(number):
    refuse_unless(number < SMALL_END, "range", "A schema version is too large.")
    return number


def _versions(field, rows):
    item = field.get(4, 1)
    if not isinstance(item, bytes):
        return [shape.small(item, "A schema version")] * rows
    packed = Packed(item)
    out = [_version(packed.varint()) for _ in range(rows)]
    packed.end()
    return out


def _columns(field, own, shared):
    """Keys 2 to 5, which are there in every kind: what a kind does not use is checked for its form."""
    stamps = _stamps(field, 2, own, shared)
    roots = _stamps(field, 3, stamps, shared)
    return stamps, roots, _versions(field, shared.rows), shape.octets(field.get(5, b""), "A field's data")


def _last(field, own, shared):
    stamps, roots, versions, _ = _columns(field, own, shared)
    return [Last(*row) for row in zip(_contents(field, shared.rows), stamps, roots, versions)]


def _contents(field, rows):
    refuse_unless(sum(key in field for key in (6, 7, 8)) == 1, "form", "A field has no values, or has them twice.")
    if 7 in field:
        packed = numbers.integers(shape.octets(field[7], "Integers"), rows)
        return [values.Value(values.INTEGER, number) for number in packed]
    if 8 in field:
        packed = numbers.reals(shape.octets(field[8], "Reals"), rows)
        return [values.Value(values.REAL, number) for number in packed]
    return [values.from_cbor(item) for item in shape.array(field[6], "Values", exactly=rows)]


class _Elements:
    """Values of a counter's bases or a set's elements, which are taken in order. A piece holds the block."""

    def __init__(self, field, budget):
        items = shape.array(field.get(6, []), "Values")
        budget.values(len(items))
        self._items = [values.from_cbor(item, forms=(values.NOT_UTF8,)) for item in items]
        self._at = 0

    @property
    def left(self):
        return len(self._items) - self._at

    def next(self):
        refuse_unless(self.left, "form", "A field has too few values.")
        self._at += 1
        return self._items[self._at - 1]

    def end(self):
        refuse_unless(not self.left, "form", "A field has too many values.")


def _by_row(read_row):
    """A reader of kind 1 or 2 out of one that reads a row."""
    def read_field(field, own, shared):
        packed = Packed(_columns(field, own, shared)[3])
        elements = _Elements(field, shared.budget)
        out = [read_row(packed, stamp, elements, shared) for stamp in own]
        packed.end()
        elements.end()
        return out
    return read_field


def _counter(packed, own, elements, shared):
    flags = packed.varint()
    if flags & ~HAS_BASE:
        raise Hold()
    base = _base(packed, own, elements, shared) if flags else None
    totals = {}
    for _ in range(_count(packed)):
        total = _total(packed, own, shared)
        totals[total.device] = later_total(totals.get(total.device), total)
    return Counter(base, totals)


def _count(packed):
    count = packed.varint()
    refuse_unless(count <= packed.left, "packed-short", "A packed column ends too early.")
    return count


def _base(packed, own, elements, shared):
    stamp = read_stamp(packed, own, shared.devices)
    root = read_stamp(packed, stamp, shared.devices)
    return Last(elements.next(), stamp, root, _version(packed.varint()))


def _total(packed, own, shared):
    device = device_at(shared.devices, packed.varint())
    stamp = read_stamp(packed, own, shared.devices)
    base = read_stamp(packed, stamp, shared.devices)
    root = read_stamp(packed, base, shared.devices)
    return Total(device, stamp, base, root, packed.zigzag())


def _set(packed, own, elements, shared):
    stamp = read_stamp(packed, own, shared.devices)
    version = _version(packed.varint())
    marks = {}
    count = packed.varint()
    refuse_unless(count <= elements.left, "form", "A set has too few values.")
    for _ in range(count):
        device = device_at(shared.devices, packed.varint())
        mark = _mark(packed, stamp)
        key = (elements.next(), device)
        marks[key] = joined_mark(marks.get(key), mark)
    return raised(Set(stamp, version, marks))


def _mark(packed, stamp):
    flags = packed.varint()
    if flags & ~(ADDED | REMOVED):
        raise Hold()
    added = read_moment(packed, stamp.moment) if flags & ADDED else None
    removed = read_moment(packed, stamp.moment) if flags & REMOVED else None
    return Mark(added, removed)


_READERS = {LAST: _last, COUNTER: _by_row(_counter), SET: _by_row(_set)}

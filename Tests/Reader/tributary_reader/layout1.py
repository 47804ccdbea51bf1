"""The content of a block of layout 1 (FORMAT.md, section 6).

Columns are read one after the other, each to its end; then the rows are put together.
"""

from typing import NamedTuple

from . import fields, shape
from .entries import LAST, Cause, Delete, Entry
from .errors import Hold, refuse_unless
from .identity import LONGEST
from .join import settled
from .stamps import Stamp, column, read_stamp
from .values import Piece
from .varints import Packed

LAYOUT = 1
MOST_ROWS = MOST_NAMES = 65_536
LONGEST_NAME = 128
ERASES, HAS_CAUSE = 1, 2


class PieceRow(NamedTuple):
    """A row that is a piece, and no entry (section 8)."""

    type: str
    identity: bytes
    field: str
    stamp: Stamp
    piece: Piece


class Columns(NamedTuple):
    """What the columns of one block share."""

    rows: int
    devices: list
    types: list
    budget: object


def read(content, budget, frame):
    """The entries and the pieces of a block. Raises Hold for what this reader does not know."""
    content = shape.mapping(content, "A layout's content")
    for key, what in ((0, "types"), (1, "rows"), (3, "lengths"), (4, "identities"), (5, "stamps")):
        refuse_unless(key in content, "form", f"A block has no {what}.")
    shared = _shared(content, budget)
    identities = _identities(content, shared.rows)
    own = column(Packed(shape.octets(content[5], "Stamps")), shared.rows, shared.devices)
    columns = fields.read(content.get(6, []), own, shared)
    births = _births(content.get(7, False), own, shared)
    deletes = _deletes(shape.octets(content.get(8, b""), "Deletes"), own, shared)
    rows = [_entry(row, identities, columns, births, deletes, shared, frame) for row in range(shared.rows)]
    if not _may_repeat(columns):
        shape.ascending(identities, "Identities")
    return _apart(rows)


def _shared(content, budget):
    types = [shape.text(name, "A type", LONGEST_NAME) for name in
             shape.array(content[0], "Types", least=1, most=MOST_NAMES)]
    rows = shape.unsigned(content[1], "The number of rows")
    refuse_unless(1 <= rows <= MOST_ROWS, "rows", "A block has no rows or more than 65,536.")
    budget.rows(rows)
    devices = shape.octets(content.get(2, b""), "Devices", most=16 * MOST_NAMES)
    refuse_unless(len(devices) % 16 == 0, "form", "Devices are not 16 bytes each.")
    return Columns(rows, [devices[at:at + 16] for at in range(0, len(devices), 16)], types, budget)


def _identities(content, rows):
    lengths = Packed(shape.octets(content[3], "Lengths"))
    rest = Packed(shape.octets(content[4], "Identities"))
    shared = [lengths.varint() for _ in range(rows)]
    out = []
    for common in shared:
        before = out[-1] if out else b""
        own = lengths.varint()
        refuse_unless(common <= len(before), "identity", "An identity shares more than the one before has.")
        refuse_unless(1 <= common + own <= LONGEST, "identity", "An identity is empty or above 512 bytes.")
        out.append(before[:common] + rest.take(own))
    lengths.end()
    rest.end()
    for before, after in zip(out, out[1:]):
        refuse_unless(before <= after, "order", "Identities do not ascend.")
    return out


def _births(item, own, shared):
    if item is True:
        return own
    if item is False:
        return None
    return column(Packed(shape.octets(item, "Births")), shared.rows, shared.devices, own)


def _deletes(data, own, shared):
    """By row. A row that has none is passed over by the count before the next that has some."""
    out = {}
    packed = Packed(data)
    row = -1
    while packed.left:
        row += 1 + packed.varint()
        refuse_unless(row < shared.rows, "deletes", "A delete is of no row.")
        out[row] = _deletes_of_row(packed, own[row], shared)
    return out


def _deletes_of_row(packed, own, shared):
    count = packed.varint()
    refuse_unless(1 <= count <= packed.left, "deletes", "A row's number of deletes is not possible.")
    shared.budget.values(count)
    pairs = [_delete(packed, own, shared) for _ in range(count)]
    shape.ascending([stamp for stamp, _ in pairs], "Deletes")
    return dict(pairs)


def _delete(packed, own, shared):
    stamp = read_stamp(packed, own, shared.devices)
    flags = packed.varint()
    if flags & ~(ERASES | HAS_CAUSE):
        raise Hold()
    cause = _cause(packed, shared.types) if flags & HAS_CAUSE else None
    return stamp, Delete(bool(flags & ERASES), cause)


def _cause(packed, types):
    number = packed.varint()
    refuse_unless(number < len(types), "deletes", "A cause's type is not in the block.")
    length = packed.varint()
    refuse_unless(1 <= length <= LONGEST, "identity", "An identity is empty or above 512 bytes.")
    return Cause(types[number].encode("utf-8"), packed.take(length))


def _entry(row, identities, columns, births, deletes, shared, frame):
    return Entry(
        shared.types[0], identities[row], births[row] if births else None, deletes.get(row, {}),
        {key: contents[row] for key, contents in columns.items()}, frame.min_reader, frame.barrier)


def _piece_of(entry):
    """The piece that a row is, or None. A last piece has no bytes and stands in its entry."""
    for (name, kind), content in entry.fields.items():
        if kind == LAST and isinstance(content.value, Piece) and not content.value.last:
            alone = len(entry.fields) == 1 and not entry.born and not entry.deletes
            refuse_unless(alone, "piece", "A piece is not alone in its row.")
            return PieceRow(entry.type, entry.identity, name.decode("utf-8"), content.stamp, content.value)
    return None


def _may_repeat(columns):
    """Identities may where one field has a piece in every row."""
    return any(kind == LAST and all(isinstance(content.value, Piece) for content in contents)
               for (_, kind), contents in columns.items())


def _apart(rows):
    """Entries, settled before anything else is asked of them, and pieces."""
    pieces = [_piece_of(entry) for entry in rows]
    entries = [settled(entry) for entry, piece in zip(rows, pieces) if not piece]
    return entries, [piece for piece in pieces if piece]

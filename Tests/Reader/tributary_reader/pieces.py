"""Values in pieces (FORMAT.md, section 8)."""

from .entries import LAST
from .errors import refuse_unless
from .values import Piece, Value

LONGEST_VALUE = 16 * 1024 * 1024
MOST_UNFINISHED = 8 * LONGEST_VALUE


class _Unfinished:
    """The pieces of one value that were read. `form` is their count and kind."""

    def __init__(self, form):
        self.form = form
        self.parts = []
        self.length = 0


class Pieces:
    """Gathers the pieces of a run or a snapshot, which come in order, and puts them into its entries."""

    def __init__(self):
        self._values = {}
        self._unfinished = 0

    def add(self, row):
        key = (row.type, row.identity, row.field, row.stamp)
        value = self._values.setdefault(key, _Unfinished(row.piece[1:3]))
        refuse_unless(value.form == row.piece[1:3], "piece", "Pieces of one value have two counts or kinds.")
        refuse_unless(row.piece.index == len(value.parts), "incomplete",
                      "A piece of a value does not follow the one before.")
        value.parts.append(row.piece.content)
        value.length += len(row.piece.content)
        self._unfinished += len(row.piece.content)
        refuse_unless(value.length <= LONGEST_VALUE, "piece", "The pieces of a value are above 16 MiB.")
        refuse_unless(self._unfinished <= MOST_UNFINISHED, "piece", "Unfinished values are above 128 MiB.")

    def complete(self, entry):
        """Replaces the last pieces in an entry by the values."""
        for (name, kind), content in entry.fields.items():
            if kind == LAST and isinstance(content.value, Piece):
                key = (entry.type, entry.identity, name.decode("utf-8"), content.stamp)
                entry.fields[name, kind] = content._replace(value=self._value(key, content.value))

    def _value(self, key, last):
        value = self._values.pop(key, _Unfinished(last[1:3]))
        refuse_unless(value.form == last[1:3], "piece", "Pieces of one value have two counts or kinds.")
        refuse_unless(len(value.parts) == last.index, "incomplete", "A piece of a value is missing.")
        self._unfinished -= value.length
        return Value(last.kind, b"".join(value.parts))

    def end(self):
        refuse_unless(not self._values, "incomplete", "The last piece of a value is missing.")


def assemble(blocks):
    """The entries of blocks that apply together, their values whole."""
    pieces = Pieces()
    entries = []
    for block in blocks:
        for row in block.pieces or []:
            pieces.add(row)
        for entry in block.entries or []:
            pieces.complete(entry)
            entries.append(entry)
    pieces.end()
    return entries

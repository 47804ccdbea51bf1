"""Values in pieces (FORMAT.md, section 8)."""

from .entries import LAST
from .errors import refuse_unless
from .values import Piece, Value

LONGEST_VALUE = 16 * 1024 * 1024


class Pieces:
    """Gathers the pieces of a run or a snapshot, and puts them into its entries."""

    def __init__(self):
        self._values = {}
        self._lengths = {}

    def add(self, row):
        key = (row.type, row.identity, row.field, row.stamp)
        form, parts = self._values.setdefault(key, ((row.piece.count, row.piece.kind), {}))
        refuse_unless(form == row.piece[1:3], "piece", "Pieces of one value have two counts or kinds.")
        refuse_unless(row.piece.index not in parts, "piece", "A piece is there twice.")
        parts[row.piece.index] = row.piece.content
        self._lengths[key] = self._lengths.get(key, 0) + len(row.piece.content)
        refuse_unless(self._lengths[key] <= LONGEST_VALUE, "piece", "The pieces of a value are above 16 MiB.")

    def complete(self, entry):
        """Replaces the last pieces in an entry by the values."""
        for (name, kind), content in entry.fields.items():
            if kind == LAST and isinstance(content.value, Piece):
                key = (entry.type, entry.identity, name.decode("utf-8"), content.stamp)
                entry.fields[name, kind] = content._replace(value=self._value(key, content.value))

    def _value(self, key, last):
        form, parts = self._values.pop(key, ((last.count, last.kind), {}))
        refuse_unless(form == (last.count, last.kind), "piece", "Pieces of one value have two counts or kinds.")
        # A count may be anything below 2^64, so that only what is there is gone through.
        refuse_unless(len(parts) == last.count - 1, "incomplete", "A piece of a value is missing.")
        return Value(last.kind, b"".join(parts[index] for index in sorted(parts)))

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

"""The limits of one file, over all its blocks (FORMAT.md, section 6)."""

from .errors import refuse_unless

ROWS = 65_536
VALUES = 2 ** 20


class Budget:
    """Counts what blocks claim before anything is allocated for it."""

    def __init__(self):
        self._rows = ROWS
        self._values = VALUES

    def rows(self, count):
        """A row counts as a value, too."""
        self.values(count)
        self._rows -= count
        refuse_unless(self._rows >= 0, "rows", "A file has more than 65,536 rows.")

    def values(self, count):
        self._values -= count
        refuse_unless(self._values >= 0, "values", "A file has more than 2^20 values.")

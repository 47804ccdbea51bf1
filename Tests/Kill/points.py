"""Where a fault can strike: the calls of an operation, and which kinds of fault each of them can have."""

from dataclasses import dataclass

FAULTS = ("kill-before", "kill-half", "kill-after", "eio", "enospc", "full", "short")
WRITES = {"write", "pwrite", "writev", "pwritev", "pwritev2", "sendfile", "copy_file_range"}
# What a disk without room, or a quota, can refuse.
REFUSED = WRITES | {"open", "mkdir", "link", "symlink", "fallocate", "rename", "fsync", "fdatasync"}


@dataclass(frozen=True)
class Call:
    number: int
    name: str
    path: str
    size: int
    needs_room: bool

    def __str__(self):
        return f"{self.name} {self.path}" + (f" ({self.size} bytes)" if self.name in WRITES else "")


@dataclass(frozen=True)
class Point:
    fault: str
    call: Call


def read(trace):
    """The calls that the library wrote down."""
    calls = []
    for line in trace.splitlines():
        number, name, path, size, room = line.split("\t")
        calls.append(Call(int(number), name, path, int(size), room == "room"))
    return calls


def can_have(fault, call):
    if fault in ("kill-half", "short"):
        return call.name in WRITES and call.size > 1
    if fault == "enospc":
        return call.name in REFUSED
    if fault == "full":
        # From any other call on it strikes at the next one that needs room.
        return call.needs_room
    return True


def all_of(calls):
    chosen = thinned(calls)
    killed_before = {call.number for call in chosen}
    points = [Point(fault, call) for fault in FAULTS for call in chosen if can_have(fault, call)]
    # After one call is before the next: the same files, so that once is enough.
    return [point for point in points if point.fault != "kill-after" or point.call.number + 1 not in killed_before]


def thinned(calls, ends=6, step=11):
    """The calls less what is alike: of a long row of writes to one file the first and last few, and some between.

    Of the bytes by which SQLite lengthens its -shm only the first of each row: the rest of what is in that file is
    written through a memory map, and whoever opens the database after a kill makes it anew.
    """
    chosen = []
    for row in _rows(calls):
        if row[0].path.endswith("-shm") and row[0].name == "pwrite":
            chosen += row[:1]
        elif len(row) <= 2 * ends + step:
            chosen += row
        else:
            chosen += row[:ends] + row[ends:-ends:step] + row[-ends:]
    return chosen


def _rows(calls):
    rows = []
    for call in calls:
        if rows and call.name in WRITES and (rows[-1][0].name, rows[-1][0].path) == (call.name, call.path):
            rows[-1].append(call)
        else:
            rows.append([call])
    return rows


def every(points, step, offset):
    """A share of the points, the same each time, with at least one for each kind of fault."""
    chosen = []
    for fault in FAULTS:
        cell = [point for point in points if point.fault == fault]
        # Each kind begins elsewhere, so that together they meet more of the calls.
        start = (offset + 5 * FAULTS.index(fault)) % step
        chosen += cell[start::step] or cell[offset % max(1, len(cell)):][:1]
    return chosen


def few(points, count, turn):
    """`count` points, whose kinds of fault take turns from operation to operation, as do the calls that they meet."""
    chosen = []
    for index in range(count):
        fault = FAULTS[(turn * count + index) % len(FAULTS)]
        cell = [point for point in points if point.fault == fault]
        # A step that has no divisor in common with most lengths.
        chosen += cell[(turn + index) * 31 % max(1, len(cell)):][:1]
    return chosen

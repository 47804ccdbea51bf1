"""Logs (FORMAT.md, section 7)."""

from typing import List, NamedTuple, Optional, Tuple

from . import blocks, cbor, cursors, schema, shape
from .budget import Budget
from .entries import written_stamps
from .errors import Refused, refuse_unless

LONGEST_RUN = 65_536


class Log(NamedTuple):
    snapshot: bool
    cursors: list
    run: Tuple[int, int]
    republished: bool
    schema: Optional[bytes]
    blocks: List[blocks.Block]

    @property
    def stops_here(self):
        """A barrier that this reader does not know: nothing from this log on is read."""
        return any(block.barrier and block.held for block in self.blocks)


def parse(body, device):
    body = shape.mapping(cbor.decode(body), "A log")
    snapshot = shape.boolean(body.get(0, False), "A log's key 0")
    raw = shape.octets(body[4], "A schema", most=schema.LONGEST) if 4 in body else None
    log = Log(
        snapshot, cursors.parse(body.get(1, [])), _run(body.get(2, [0, 1])),
        shape.boolean(body.get(3, False), "A log's key 3"), raw,
        # What stands beside a snapshot is not looked at.
        [] if snapshot else blocks.parse_all(body.get(5, []), Budget()))
    if log.run[1] == 1:
        check_writer([log], device)
    return log


def _run(item):
    item = shape.array(item, "A log's place", least=2)
    index, count = (shape.unsigned(number, "A log's place", LONGEST_RUN + 1) for number in item[:2])
    refuse_unless(index < count, "run", "A log's index is not below the count.")
    return index, count


def check_writer(run, device):
    """A device speaks for itself alone, unless one log of the run says that it sends again what others made."""
    if any(log.republished for log in run):
        return
    for block in [block for log in run for block in log.blocks]:
        stamps = [stamp for entry in block.entries or [] for stamp in written_stamps(entry)]
        stamps += [row.stamp for row in block.pieces or []]
        refuse_unless(all(stamp.device == device for stamp in stamps), "writer",
                      "A log has an edit of another device, and does not say that it is sent again.")


def parsed_schema(log):
    """None for a log without a schema, and for a schema that this reader cannot parse: it is passed over."""
    try:
        return schema.parse(log.schema) if log.schema is not None else None
    except Refused:
        return None

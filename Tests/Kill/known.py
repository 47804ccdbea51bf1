"""Failures whose cause is known and not mended yet: each is counted and named, and fails nothing until it is gone.

An entry is the operations and the line that it explains, both as patterns, and the cause. A line is taken out together
with the fix; an entry that explains nothing any more does no harm, so look here when something is mended.
"""

import re

KNOWN = [
    (r"attach.*|join", r"^devices on the remote: \d became \d$",
     "an attach that was cut off leaves a device folder for good: the next one takes another id"),
    (r"attach.*|join", r"^files: remote/sync/DEVICE/key-0000000001\.bin: \d became \d$",
     "an attach that was cut off leaves a device folder for good: the next one takes another id"),
    (r"attach.*|join", r"^files: remote/sync/DEVICE/~up-RANDOM\.tmp: None became \d$",
     "an attach that was cut off leaves a device folder for good: the next one takes another id"),
    (r"join", r"^the database that it left had to be removed by hand$",
     "join refuses the database that a join before it left half made, and none of the remedies that are named helps"),
]


def cause(operation, line):
    """The cause of a failure, or None if it is new."""
    for operations, pattern, text in KNOWN:
        if re.fullmatch(operations, operation) and re.search(pattern, line):
            return text
    return None

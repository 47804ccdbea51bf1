"""The one exception of this package, and the signal that a block is held (FORMAT.md, introduction)."""

# A reader that meets one of these goes no further in the device's files, but nothing is damaged.
STOPS = frozenset({"container-version", "key-version", "barrier", "format"})


class Refused(Exception):
    """Something that the document refuses or stops at: a code word for programs, a sentence for people."""

    def __init__(self, code, sentence):
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence

    @property
    def stops(self):
        return self.code in STOPS


class Hold(Exception):
    """A block that this reader keeps unread. Only blocks.py raises and catches it."""


def refuse_unless(condition, code, sentence):
    if not condition:
        raise Refused(code, sentence)

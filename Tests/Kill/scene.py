"""What is done when the fault strikes: a scene prepares a place, and names one command of one device."""

from dataclasses import dataclass, field
from typing import Callable

from place import Place

SCENES = {}


@dataclass
class Again:
    """How a command may refuse when it is run again, after a fault behind which it was done already."""

    code: int
    text: str


@dataclass
class Scene:
    """One operation."""

    name: str
    device: str
    words: tuple
    prepare: Callable[[Place], None]
    # The devices that sync afterwards, in this order.
    syncs: tuple = ("a", "b")
    # The refusals of the second run that are right.
    again: tuple = ()
    # What a person does who met such a refusal; returns what is wrong with that, if something is.
    recover: Callable[[Place], str | None] | None = None
    # Done after the operation, with and without a fault: it may attach again what was detached, so that what is left
    # behind is seen by a device that goes on.
    settle: Callable[[Place], None] | None = None
    # Whether a run that says that it failed has changed no row.
    is_atomic: bool = False
    # Whether other programs write the databases.
    is_adopted: bool = False
    # Takes long to prepare, or has many points: not in the bounded share.
    is_long: bool = False
    # Published files that the operation removes, as a pattern.
    removes: str = ""
    # Files that a fault may leave for good, by their names without random parts, and why that is well.
    leaves: dict = field(default_factory=dict)

    def command(self, place):
        return [self.words[0], *(word.format(remote=place.remote, schema=place.schema) for word in self.words[1:])]


def scene(name, device, *words, **options):
    """Enters the decorated function as the preparation of a scene."""

    def enter(prepare):
        SCENES[name] = Scene(name, device, words, prepare, **options)
        return prepare

    return enter

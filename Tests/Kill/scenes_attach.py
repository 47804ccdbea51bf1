"""Becoming a device, ceasing to be one, and being another one than before."""

from declared import SCHEMA, WRITE, attach, attached
from scene import Again, scene

# docs/IDENTITY.md: "New secrets are written under a new name. Cut here: they are never used."
UNUSED = {"{device}-state/NAME.secret": "secrets of an id that was never taken"}
# An attach takes a new name each time, so that one that was cut off leaves its lock too, of a few bytes.
CUT_OFF = UNUSED | {"{device}-state/NAME.lock": "the lock of an attach that was cut off"}


def attach_to_own(place):
    """What the refusal says: the set was begun by the run that was cut off."""
    attach(place, "a")


@scene("attach-new", "a", "attach", "{remote}", "--schema", "{schema}", "--device", "a", "--new", syncs=("a",),
       again=(Again(1, "already holds 1 device. Attach this one to them"),), recover=attach_to_own, leaves=CUT_OFF)
def attach_new(place):
    place.make()
    place.schema.write_text(SCHEMA)


@scene("attach", "b", "attach", "{remote}", "--schema", "{schema}", "--device", "b", leaves=CUT_OFF)
def attach_further(place):
    attached(place, "a")


def attach_b_again(place):
    attach(place, "b")


@scene("detach", "b", "detach", again=(Again(3, "is not attached"),), settle=attach_b_again)
def detach(place):
    attached(place, "a", "b")
    place.must("b", "sql", WRITE)


@scene("restored", "a", "sync", leaves=UNUSED)
def restored(place):
    """An older state of the database was put back: the device goes on under a new id."""
    attached(place, "a", "b")
    older = place.database("a").read_bytes()
    place.must("a", "sql", "UPDATE note SET text='sent, then lost here' WHERE id='n1'")
    place.sync("a", "b")
    place.database("a").write_bytes(older)
    place.must("a", "sql", "UPDATE note SET text='written after' WHERE id='n2'")


def sync_and_attach_b(place):
    """Where attach says that it goes on by itself, a sync is what goes on."""
    place.sync("a")
    attach(place, "b")


@scene("reattach", "a", "attach", "{remote}", "--schema", "{schema}", "--device", "a", "--new",
       settle=sync_and_attach_b, leaves=CUT_OFF)
def reattach(place):
    """The remote was emptied: the first device starts the set again."""
    attached(place, "a", "b")
    for path in sorted(place.remote.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


@scene("later-schema", "a", "attach", "{remote}", "--schema", "{schema}")
def later_schema(place):
    """The same device takes a schema with one column more."""
    attached(place, "a", "b")
    place.schema.write_text(SCHEMA.replace('{"name": "name", "type": "text"}', '{"name": "name", "type": "text"},'
                                           '{"name": "color", "type": "text", "default": "blue"}'))

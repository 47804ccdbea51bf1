"""Writing, sending and receiving, on declared databases."""

from declared import SCHEMA, WRITE, attach, attached, bulk, load
from scene import scene


@scene("write", "a", "sql", WRITE, is_atomic=True)
def write(place):
    attached(place, "a", "b")


@scene("push", "a", "sync")
def push(place):
    attached(place, "a", "b")
    place.must("a", "sql", WRITE)


@scene("push-many", "a", "sync", is_long=True)
def push_many(place):
    """More than one log holds."""
    attached(place, "a", "b")
    load(place, "a", bulk(40, 30_000, "big"))


@scene("pull", "a", "sync")
def pull(place):
    attached(place, "a", "b", "c")
    place.must("b", "sql", WRITE)
    place.sync("b")
    place.must("b", "sql", "UPDATE note SET code='later' WHERE id='n4'; DELETE FROM note WHERE id='n7'")
    place.sync("b")


@scene("pull-large", "a", "sync", is_long=True)
def pull_large(place):
    attached(place, "a", "b")
    load(place, "b", bulk(1, 400_000, "large"))
    place.sync("b")


@scene("merge", "a", "sync", syncs=("a", "b", "c"))
def merge(place):
    """Both wrote the same fields, one deleted what the other changed, and two took one unique value."""
    attached(place, "a", "b", "c")
    place.must("b", "sql", WRITE + "UPDATE note SET code='same' WHERE id='n5'; DELETE FROM note WHERE id='n8'")
    place.sync("b")
    place.must("a", "sql", "UPDATE note SET text='of a' WHERE id IN ('n1','n2','n8','n9');"
               "UPDATE note SET code='same' WHERE id='n6'; DELETE FROM list WHERE id='l1'")


@scene("first-snapshot", "a", "sync")
def first_snapshot(place):
    """A first upload of so much that it goes as a snapshot, in two parts."""
    place.make()
    place.schema.write_text(SCHEMA)
    attach(place, "a", "--new")
    attach(place, "b")
    load(place, "a", bulk(40, 16_000, "row"))


@scene("later-snapshot", "a", "sync", is_long=True)
def later_snapshot(place):
    """The log after which a device writes a snapshot of what its logs say."""
    attached(place, "a", "b")
    for n in range(62):
        place.must("a", "sql", f"UPDATE note SET text='edit {n}' WHERE id='n1'")
        place.sync("a")
    place.sync("b", "a")
    place.must("a", "sql", "UPDATE note SET text='last' WHERE id='n1'")


@scene("bootstrap", "b", "sync")
def bootstrap(place):
    """A new device reads a snapshot."""
    first_snapshot(place)
    place.sync("a")


@scene("third-snapshot", "a", "sync", is_long=True, removes=r"/snapshot-0+64\.")
def third_snapshot(place):
    """The third snapshot, with which the first is removed from the remote."""
    attached(place, "a", "b")
    for n in range(190):
        place.must("a", "sql", f"UPDATE note SET text='edit {n}' WHERE id='n1'")
        place.sync("a")
    place.sync("b", "a")
    place.must("a", "sql", "UPDATE note SET text='last' WHERE id='n1'")

"""Bringing back, mending and renaming, on declared databases."""

from declared import attached
from scene import Again, scene


@scene("restore", "a", "restore", "note", "n4", again=(Again(1, "not deleted|in its table|nothing to restore"),),
       is_atomic=True)
def restore(place):
    attached(place, "a", "b")
    place.must("b", "sql", "DELETE FROM note WHERE id='n4'")
    place.sync("b", "a")


@scene("restore-conflict", "a", "restore", "--conflict", "1", is_atomic=True)
def restore_conflict(place):
    attached(place, "a", "b")
    place.must("a", "sql", "UPDATE note SET text='of a' WHERE id='n1'")
    place.must("b", "sql", "UPDATE note SET text='of b' WHERE id='n1'")
    place.sync("a", "b", "a")


@scene("rename", "a", "devices", "--rename", "laptop")
def rename(place):
    attached(place, "a", "b")


@scene("repair", "a", "check", "--repair")
def repair(place):
    """A program took the guards away, and inserted a row."""
    attached(place, "a", "b")
    place.write("a", "DROP TRIGGER tributary_guard_1_insert; DROP TRIGGER tributary_guard_1_update;"
                "DROP TRIGGER tributary_guard_2_insert;"
                "INSERT INTO note(id,text,code) VALUES('past','past the engine','p')")

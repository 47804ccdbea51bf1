"""How states join: one test for each rule of docs/FORMAT.md, section 9."""

import itertools
import random
import unittest

import fixtures
from tributary_reader import expected, join
from tributary_reader.entries import COUNTER, LAST, SET, Cause, Counter, Delete, Entry, Last, Mark, Set, Total
from tributary_reader.entries import is_sound, raised
from tributary_reader.stamps import Stamp
from tributary_reader.values import INTEGER, NULL, REAL, TEXT, Value

A, B, C = (bytes([letter]) * 16 for letter in b"abc")
ONE, TWO = Value(INTEGER, 1), Value(INTEGER, 2)


def at(moment, device=A):
    return Stamp(moment, device)


def last(moment, value=ONE, root=None, version=1, device=A):
    return Last(value, at(moment, device), at(moment if root is None else root, device), version)


def total(device, moment, amount, base=1, root=1):
    return device, Total(device, at(moment, device), at(base), at(root), amount)


def state(born=None, deletes=None, **fields):
    """Fields by their names: n a last writer, c a counter, s a set."""
    kinds = {"n": LAST, "m": LAST, "c": COUNTER, "s": SET}
    return Entry("item", b"0k", born and at(born), deletes or {},
                 {(name.encode(), kinds[name]): content for name, content in fields.items()})


def joined(*states):
    """The join in every order and grouping, and with repetitions; all have to be the same."""
    results = []
    for order in itertools.permutations(states):
        left = order[0]
        for one in order:
            left = join.join(left, one)
        right = order[-1]
        for one in reversed(order):
            right = join.join(one, right)
        results += [left, right, join.join(left, left)]
    assert all(result == results[0] for result in results), results
    return results[0]


class Joins(unittest.TestCase):
    def test_birth(self):
        self.assertEqual(joined(state(1), state(2), state()).born, at(2))

    def test_deletes(self):
        cause, smaller = Cause(b"list", b"0b"), Cause(b"list", b"0a")
        one = state(deletes={at(1): Delete(False, cause), at(2): Delete(False, cause)})
        other = state(deletes={at(1): Delete(True, smaller), at(2): Delete(False, None), at(3): Delete(False, None)})
        self.assertEqual(joined(one, other).deletes, {
            at(1): Delete(True, smaller), at(2): Delete(False, None), at(3): Delete(False, None)})

    def test_of_causes_the_lesser_type_comes_first(self):
        one = state(deletes={at(1): Delete(False, Cause(b"b", b"0a"))})
        other = state(deletes={at(1): Delete(False, Cause(b"a", b"0b"))})
        self.assertEqual(joined(one, other).deletes[at(1)].cause.type, b"a")

    def winner(self, *contents):
        return joined(*(state(n=content) for content in contents)).fields[b"n", LAST]

    def test_last_writer(self):
        for less, greater in (
                (last(9, root=1), last(5, root=2)), (last(5), last(6)), (last(5, device=A), last(5, device=B)),
                (last(5, ONE), last(5, TWO)), (last(5, version=1), last(5, version=2)),
                (last(5, Value(NULL, None)), last(5, ONE)), (last(5, ONE), last(5, Value(REAL, -1.0))),
                (last(5, Value(REAL, -0.0)), last(5, Value(REAL, 0.0))),
                (last(5, Value(REAL, 0.0)), last(5, Value(TEXT, b"")))):
            self.assertEqual(self.winner(less, greater), greater)

    def test_fields_join_by_name_and_kind(self):
        both = joined(state(n=last(1), m=last(2)), state(n=last(3)))
        self.assertEqual({key: content.stamp for key, content in both.fields.items()}, {
            (b"n", LAST): at(3), (b"m", LAST): at(2)})

    def counter(self, *contents, born=None):
        return joined(*(state(born, c=content) for content in contents)).fields[b"c", COUNTER]

    def test_counters(self):
        base = last(1, Value(INTEGER, 10))
        both = self.counter(Counter(base, dict([total(A, 5, 3)])), Counter(base, dict([total(A, 6, 4), total(B, 5, -1)])))
        self.assertEqual(both.totals, dict([total(A, 6, 4), total(B, 5, -1)]))
        self.assertEqual(join.shown_counter(both), 13)

    def test_totals_of_an_earlier_base_fall_away(self):
        old = Counter(last(1, ONE), dict([total(A, 5, 3)]))
        new = Counter(last(7, TWO), dict([total(B, 9, 1, base=7, root=7)]))
        both = self.counter(old, new)
        self.assertEqual((set(both.totals), join.shown_counter(both)), ({B}, 3))

    def test_totals_of_a_base_that_is_not_there_yet_are_not_shown(self):
        both = self.counter(Counter(last(1, ONE), {}), Counter(None, dict([total(B, 9, 5, base=7, root=7)])))
        self.assertEqual((set(both.totals), join.shown_counter(both)), ({B}, 1))

    def test_sums_wrap(self):
        greatest = Counter(last(1, Value(INTEGER, 2 ** 63 - 1)), dict([total(A, 5, 1)]))
        self.assertEqual(join.shown_counter(greatest), -(2 ** 63))

    def test_a_counter_without_a_base_shows_null(self):
        self.assertIsNone(join.shown_counter(Counter(None, dict([total(A, 5, 3)]))))

    def test_a_base_that_is_no_integer_counts_as_0(self):
        for value in (Value(NULL, None), Value(REAL, 2.0), Value(TEXT, b"2")):
            self.assertEqual(join.shown_counter(Counter(last(1, value), dict([total(A, 5, 3)]))), 3)

    def test_an_empty_counter_falls_away_by_an_end_alone(self):
        empty = Counter(None, {})
        self.assertEqual(self.counter(empty), empty)
        self.assertEqual(joined(state(c=empty), state(deletes={at(5): Delete(True, None)})).fields, {})
        self.assertTrue(join.is_visible(state(1, c=empty)))

    def test_an_empty_mark_falls_away_by_an_end_alone(self):
        content = Set(at(9), 1, {(ONE, A): Mark(None, None)})
        self.assertEqual(joined(state(s=content)).fields[b"s", SET], content)
        self.assertEqual(join.shown_set(content), [])
        ended = joined(state(s=content), state(deletes={at(5): Delete(True, None)}))
        self.assertEqual(ended.fields[b"s", SET].marks, {})

    def test_halves_are_of_the_marks_device(self):
        """A removal may be of another device; its half is judged by the device whose addition it removes."""
        marks = Set(at(9, C), 1, {(ONE, A): Mark(None, 5), (ONE, C): Mark(None, 5)})
        both = joined(state(s=marks), state(deletes={at(5, B): Delete(True, None)}))
        self.assertEqual(set(both.fields[b"s", SET].marks), {(ONE, C)})

    def test_sets(self):
        one = Set(at(5), 1, {(ONE, A): Mark(5, None), (TWO, A): Mark(3, 2)})
        other = Set(at(6, B), 2, {(ONE, A): Mark(4, 6), (ONE, B): Mark(4, None)})
        both = joined(state(s=one), state(s=other)).fields[b"s", SET]
        self.assertEqual(both, Set(at(6, B), 2, {(ONE, A): Mark(5, 6), (TWO, A): Mark(3, 2), (ONE, B): Mark(4, None)}))
        self.assertEqual(join.shown_set(both), [ONE, TWO])
        self.assertEqual(join.shown_set(Set(at(5), 1, {(ONE, A): Mark(3, 3), (TWO, A): Mark(2, 3)})), [])

    def test_the_floor(self):
        deletes = {at(1): Delete(True, None), at(3): Delete(False, None), at(9): Delete(False, None)}
        both = joined(state(5, n=last(7)), state(deletes=deletes, m=last(2)))
        self.assertEqual(both.deletes, {at(3): Delete(True, None), at(9): Delete(False, None)})
        self.assertEqual(set(both.fields), {(b"n", LAST)})

    def test_without_a_birth_there_is_no_floor(self):
        deletes = {at(1): Delete(False, None), at(3): Delete(False, None)}
        both = joined(state(deletes=deletes, n=last(2)), state())
        self.assertEqual((both.deletes, set(both.fields)), (deletes, {(b"n", LAST)}))

    def test_an_erasing_delete_ends_values_by_their_roots(self):
        both = joined(state(1, n=last(9, root=1), m=last(9, root=6), c=Counter(last(1), dict([total(B, 9, 1)]))),
                      state(deletes={at(5): Delete(True, None)}))
        self.assertEqual(set(both.fields), {(b"m", LAST)})

    def test_a_set_ends_at_the_birth_where_the_floor_erases(self):
        marks = Set(at(9), 1, {(ONE, A): Mark(4, None), (TWO, A): Mark(7, 4)})
        kept = joined(state(6, s=marks), state(deletes={at(3): Delete(False, None)})).fields[b"s", SET]
        self.assertEqual(kept.marks, marks.marks)
        ended = joined(state(6, s=marks), state(deletes={at(3): Delete(True, None)})).fields[b"s", SET]
        self.assertEqual(ended.marks, {(TWO, A): Mark(7, None)})
        exact = joined(state(6, s=Set(at(6), 1, {(ONE, A): Mark(6, None)})), state(deletes={at(3): Delete(True, None)}))
        self.assertEqual(exact.fields[b"s", SET].marks, {(ONE, A): Mark(6, None)})
        gone = joined(state(6, s=Set(at(5), 1, {})), state(deletes={at(3): Delete(True, None)}))
        self.assertEqual(gone.fields, {})

    def test_visible(self):
        deleted, erased = {at(5): Delete(False, None)}, {at(5): Delete(True, None)}
        for visible, item in (
                (True, state(1)), (False, state(n=last(1))), (False, state(1, deleted)), (True, state(6, deleted)),
                (True, state(1, deleted, n=last(6))), (False, state(1, deleted, n=last(5))),
                (False, state(1, erased, n=last(6))), (True, state(6, erased)),
                (True, state(1, deleted, c=Counter(last(1), dict([total(B, 6, 1)])))),
                (True, state(1, deleted, s=Set(at(6), 1, {})))):
            self.assertEqual(join.is_visible(item), visible, item)

    def test_the_golden_states_are_settled(self):
        folder = fixtures.folder(fixtures.WIRE)
        snapshot = next(device.snapshots[13] for device in folder.devices.values() if device.snapshots)
        self.assertEqual(len(snapshot.states), 32)
        for item in snapshot.states:
            self.assertEqual(expected.entry(join.join(item, item)), expected.entry(item))

    def test_any_order_grouping_and_repetition(self):
        source = random.Random(1)
        for _ in range(1_500):
            one, other, third = (some_state(source) for _ in range(3))
            left = join.join(join.join(one, other), third)
            self.assertEqual(left, join.join(one, join.join(other, third)))
            self.assertEqual(left, join.join(join.join(third, one), other))
            self.assertEqual(left, join.join(left, one))


def some_state(source):
    """A sound state with stamps that are so few that all relations between them come up."""
    def some():
        return Stamp(source.randrange(1, 7), source.choice((A, B)))

    def some_last():
        root, stamp = sorted((some(), some()))
        return Last(source.choice((ONE, TWO)), stamp, root, source.choice((1, 2)))

    def some_total(device):
        root, base = sorted((some(), some()))
        return Total(device, Stamp(base.moment + source.randrange(1, 3), device), base, root, source.randrange(3))

    def some_set():
        marks = {(element, device): Mark(*(source.choice((None, source.randrange(1, 7))) for _ in range(2)))
                 for element in (ONE, TWO) for device in (A, B)}
        return raised(Set(some(), source.choice((1, 2)), marks))

    causes = (None, Cause(b"list", b"0a"), Cause(b"list", b"0b"))
    deletes = {some(): Delete(source.random() < 0.5, source.choice(causes)) for _ in range(source.randrange(3))}
    item = Entry("item", b"0k", source.choice((None, some())), deletes)
    totals = {device: some_total(device) for device in (A, B) if source.random() < 0.5}
    contents = {(b"n", LAST): some_last(), (b"s", SET): some_set(), (b"c", COUNTER): Counter(some_last(), totals),
                (b"d", COUNTER): Counter(None, {A: some_total(A)})}
    item.fields = {key: content for key, content in contents.items() if source.random() < 0.6}
    assert is_sound(item) or item == Entry("item", b"0k")
    return item


if __name__ == "__main__":
    unittest.main()

"""A folder with a remote and the devices' databases and secrets, in which real processes of the tool run."""

import pathlib
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass

PASSWORD = "correct horse"
# No command takes seconds; one that waits for ever is a failure of its own.
TIMEOUT = 60


class HarnessError(Exception):
    """Something besides the run under test went wrong."""


@dataclass
class Outcome:
    """How a process ended; code is None if it had to be stopped, negative if a signal ended it."""

    code: int | None
    output: str
    errors: str

    def __str__(self):
        text = (self.errors.strip() or self.output.strip()).replace("\n", " / ")
        return f"code {self.code}: {text[:600]}"


class Place:
    """Device NAME has its database at NAME.db and its secrets in NAME-state."""

    def __init__(self, root, tool):
        self.root = pathlib.Path(root)
        self.tool = tool
        self.remote = self.root / "remote"
        self.schema = self.root / "schema.json"

    def database(self, device):
        return self.root / f"{device}.db"

    def state(self, device):
        return self.root / f"{device}-state"

    def make(self):
        shutil.rmtree(self.root, ignore_errors=True)
        self.remote.mkdir(parents=True)

    def fill(self, template):
        """Makes the place what `template` is, at the same path as before: the tool would notice another.

        The template itself is the tree that was prepared, so that its inodes stay taken: a copy never has by chance
        the inode that the secrets know, and every run makes the same calls.
        """
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(template, self.root)

    def begin(self, name, make):
        """Makes the place what `make` makes of it; the second time it is copied."""
        kept = self.root.parent / f"begun-{name}"
        if not kept.exists():
            make()
            # The tree itself is kept, not its copy, for the inodes' sake.
            self.root.rename(kept)
        self.fill(kept)

    def run(self, device, command, *words, faults=None):
        arguments = [self.tool, command, str(self.database(device)), *map(str, words)]
        try:
            run = subprocess.run(
                arguments, cwd=self.root, env=self.environment(device) | (faults or {}), stdin=subprocess.DEVNULL,
                capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired as late:
            return Outcome(None, _text(late.stdout), _text(late.stderr))
        return Outcome(run.returncode, _text(run.stdout), _text(run.stderr))

    def must(self, device, command, *words, codes=(0,)):
        """Runs what has to work for the scene to be what it is."""
        outcome = self.run(device, command, *words)
        if outcome.code not in codes:
            raise HarnessError(f"{command} of {device} while preparing: {outcome}")
        return outcome

    def sync(self, *devices):
        for device in devices:
            self.must(device, "sync")

    def environment(self, device):
        return {
            "PATH": "/usr/bin:/bin", "HOME": str(self.root / "home"), "TZ": "UTC",
            "TRIBUTARY_STATE_HOME": str(self.state(device)), "TRIBUTARY_PASSWORD": PASSWORD,
        }

    def write(self, device, sql):
        """What another program does to a database."""
        connection = sqlite3.connect(self.database(device))
        try:
            connection.executescript(sql)
        finally:
            connection.close()


def _text(data):
    return (data or b"").decode("utf-8", "replace")


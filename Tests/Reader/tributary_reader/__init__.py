"""A reader for the files on the remote, written from docs/FORMAT.md alone."""

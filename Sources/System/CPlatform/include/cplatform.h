#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "cwatch.h"

// Calls that Swift's Glibc module does not import, or that differ between platforms.
// All return -1 (or NULL) with errno set on failure; all but `write`, `read` and `close` are restarted on EINTR.
// Every descriptor is close-on-exec. `_at` calls take one name within an open directory.

// Fails with EEXIST if `to` exists.
int tributary_rename_noreplace(const char *from, const char *to);
int tributary_rename_noreplace_at(int directory, const char *from, const char *to);

// Opens a directory by a path of the user's own choosing; links are followed.
int tributary_open_directory(const char *path);
// Opens a directory, never through a link.
int tributary_open_directory_at(int directory, const char *name);
// Opens for reading: never through a link, never waiting for a FIFO's writer.
int tributary_open_file_at(int directory, const char *name);
// Creates a file that must not exist, for writing.
int tributary_create_at(int directory, const char *name, unsigned mode);
// Opens or creates a file for reading and writing, never through a link.
int tributary_open_or_create_at(int directory, const char *name, unsigned mode);
// Writes through the drive's own cache where the platform can.
int tributary_full_sync(int file);

enum { TRIBUTARY_KIND_FILE = 0, TRIBUTARY_KIND_DIRECTORY = 1, TRIBUTARY_KIND_LINK = 2, TRIBUTARY_KIND_OTHER = 3 };

typedef struct {
  int32_t kind;
  uint32_t mode;
  uint32_t owner;
  int64_t size;
  int64_t blocks;
  int64_t modified_seconds;
  int64_t modified_nanoseconds;
  int64_t changed_seconds;
  int64_t changed_nanoseconds;
  uint64_t inode;
  uint64_t device;
  uint64_t links;
} tributary_status;

int tributary_status_of(int file, tributary_status *status);
// Does not follow links.
int tributary_status_at(int directory, const char *name, tributary_status *status);

// A listing of its own offset, whatever was read from `directory` before.
void *tributary_listing_open(int directory);
// The next name, valid until the next call; NULL at the end (errno 0) or on failure.
const char *tributary_listing_next(void *listing);
void tributary_listing_close(void *listing);

// Bytes that this user may still write on the file system of an open file.
int tributary_available(int file, int64_t *bytes);

// Takes an exclusive advisory lock without waiting; EWOULDBLOCK if another holds it.
int tributary_lock(int file);

// Gives the lock up, for every descriptor that shares it.
int tributary_unlock(int file);

#define _GNU_SOURCE
#include "cplatform.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define RESTARTED(type, call)                                                                                  \
  do {                                                                                                         \
    type result;                                                                                               \
    do result = (call);                                                                                        \
    while (result == -1 && errno == EINTR);                                                                    \
    return result;                                                                                             \
  } while (0)

int tributary_rename_noreplace(const char *from, const char *to) {
  return tributary_rename_noreplace_at(AT_FDCWD, from, to);
}

int tributary_rename_noreplace_at(int directory, const char *from, const char *to) {
#if defined(__linux__)
  return renameat2(directory, from, directory, to, 1 /* RENAME_NOREPLACE */);
#elif defined(__APPLE__)
  return renameatx_np(directory, from, directory, to, RENAME_EXCL);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int tributary_open_directory(const char *path) { RESTARTED(int, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }

int tributary_open_directory_at(int directory, const char *name) {
  RESTARTED(int, openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

int tributary_open_file_at(int directory, const char *name) {
  RESTARTED(int, openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

int tributary_create_at(int directory, const char *name, unsigned mode) {
  RESTARTED(int, openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode));
}

int tributary_open_or_create_at(int directory, const char *name, unsigned mode) {
  RESTARTED(int, openat(directory, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, (mode_t)mode));
}

int tributary_full_sync(int file) {
#if defined(F_FULLFSYNC)
  if (fcntl(file, F_FULLFSYNC) == 0) return 0;
#endif
  RESTARTED(int, fsync(file));
}

static void fill(tributary_status *to, const struct stat *from) {
  memset(to, 0, sizeof *to);
  to->kind = S_ISREG(from->st_mode)   ? TRIBUTARY_KIND_FILE
             : S_ISDIR(from->st_mode) ? TRIBUTARY_KIND_DIRECTORY
             : S_ISLNK(from->st_mode) ? TRIBUTARY_KIND_LINK
                                      : TRIBUTARY_KIND_OTHER;
  to->mode = from->st_mode & 07777;
  to->owner = from->st_uid;
  to->size = from->st_size;
  to->blocks = from->st_blocks;
#if defined(__APPLE__)
  to->modified_seconds = from->st_mtimespec.tv_sec;
  to->modified_nanoseconds = from->st_mtimespec.tv_nsec;
  to->changed_seconds = from->st_ctimespec.tv_sec;
  to->changed_nanoseconds = from->st_ctimespec.tv_nsec;
#else
  to->modified_seconds = from->st_mtim.tv_sec;
  to->modified_nanoseconds = from->st_mtim.tv_nsec;
  to->changed_seconds = from->st_ctim.tv_sec;
  to->changed_nanoseconds = from->st_ctim.tv_nsec;
#endif
  to->inode = from->st_ino;
  to->device = (uint64_t)from->st_dev;
  to->links = (uint64_t)from->st_nlink;
}

int tributary_status_of(int file, tributary_status *status) {
  struct stat found;
  if (fstat(file, &found) != 0) return -1;
  fill(status, &found);
  return 0;
}

int tributary_status_at(int directory, const char *name, tributary_status *status) {
  struct stat found;
  if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  fill(status, &found);
  return 0;
}

void *tributary_listing_open(int directory) {
  int own = tributary_open_directory_at(directory, ".");
  if (own < 0) return NULL;
  DIR *listing = fdopendir(own);
  if (listing == NULL) {
    int reason = errno;
    close(own);
    errno = reason;
  }
  return listing;
}

const char *tributary_listing_next(void *listing) {
  errno = 0;
  struct dirent *entry = readdir((DIR *)listing);
  return entry == NULL ? NULL : entry->d_name;
}

void tributary_listing_close(void *listing) { closedir((DIR *)listing); }

int tributary_available(int file, int64_t *bytes) {
  struct statvfs found;
  if (fstatvfs(file, &found) != 0) return -1;
  uint64_t unit = found.f_frsize != 0 ? found.f_frsize : found.f_bsize;
  if (unit != 0 && found.f_bavail > (uint64_t)INT64_MAX / unit) *bytes = INT64_MAX;
  else *bytes = (int64_t)(found.f_bavail * unit);
  return 0;
}

int tributary_lock(int file) { RESTARTED(int, flock(file, LOCK_EX | LOCK_NB)); }

int tributary_unlock(int file) { RESTARTED(int, flock(file, LOCK_UN)); }

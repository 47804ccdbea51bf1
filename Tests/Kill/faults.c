// Loaded into the tool with LD_PRELOAD: counts the calls that change files below one folder, and at one of them does
// what a disk or a kill does. Linux only.
//
//   FAULT_BELOW   the folder, a real path; calls on anything else are passed on and not counted
//   FAULT_TRACE   a file that gets a line for each counted call: number, call, path below the folder, bytes, and
//                 "room" if the call needs room on the disk. With a fault, it gets the line of that call alone
//   FAULT_AT      the number of the call at which it happens, from 1
//   FAULT_KIND    kill-before, kill-half, kill-after, eio, enospc, full, short
//
// kill-half and short let half of a write through. The one is killed then; the other is told the half, and its next
// write to that descriptor finds no room. full finds no room from that call on, as a disk that stays full does: what
// makes or lengthens a file fails; what shortens, renames or removes one, or writes where there is room already, works.
//
// Memory that is mapped from a file changes without a call, so that SQLite's -shm is seen only where it grows.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, KILL_BEFORE, KILL_HALF, KILL_AFTER, EIO_ONCE, ENOSPC_ONCE, FULL, SHORT };

static char below[PATH_MAX];
static size_t below_length;
static long target;
static enum kind kind;
static int trace = -1;
static atomic_long calls;
// The descriptor whose next write finds no room, after a short write; -1 if none.
static atomic_int starved = -1;

static enum kind parse(const char *text) {
  static const char *const names[] = {"", "kill-before", "kill-half", "kill-after", "eio", "enospc", "full", "short"};
  for (size_t index = 1; text != NULL && index < sizeof names / sizeof *names; index++)
    if (strcmp(text, names[index]) == 0) return (enum kind)index;
  return NONE;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("FAULT_BELOW"), *file = getenv("FAULT_TRACE"), *at = getenv("FAULT_AT");
  if (folder == NULL || strlen(folder) >= sizeof below) return;
  kind = parse(getenv("FAULT_KIND"));
  target = at == NULL ? 0 : atol(at);
  // Past the system's own calls, which are counted below.
  if (file != NULL) trace = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  strcpy(below, folder);
  below_length = strlen(folder);
}

// ---- Which files count

// The path below the folder, or NULL if it is not there.
static const char *inside(const char *path) {
  if (below_length == 0 || strncmp(path, below, below_length) != 0) return NULL;
  if (path[below_length] == '\0') return ".";
  return path[below_length] == '/' ? path + below_length + 1 : NULL;
}

// The path of an open file or folder, or NULL if it does not count.
static const char *path_of(int descriptor, char *space) {
  char link[64];
  struct stat status;
  if (below_length == 0) return NULL;
  if (fstat(descriptor, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, space, PATH_MAX - 1);
  if (length <= 0) return NULL;
  space[length] = '\0';
  return inside(space);
}

// The path of a name within a folder, or NULL if it does not count.
static const char *path_at(int directory, const char *name, char *space) {
  if (below_length == 0 || name == NULL) return NULL;
  char folder[PATH_MAX];
  if (name[0] == '/') {
    if (strlen(name) >= PATH_MAX) return NULL;
    strcpy(space, name);
    return inside(space);
  }
  if (directory == AT_FDCWD) {
    if (getcwd(folder, sizeof folder) == NULL) return NULL;
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, folder, sizeof folder - 1);
    if (length <= 0) return NULL;
    folder[length] = '\0';
  }
  if (strlen(folder) + strlen(name) + 2 > PATH_MAX) return NULL;
  strcpy(space, folder);
  strcat(space, "/");
  strcat(space, name);
  return inside(space);
}

// ---- What happens

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

// What a call is to the disk.
enum need { ROOM, NO_ROOM };

static void note(long number, const char *call, const char *path, long long bytes, enum need need) {
  char line[PATH_MAX + 128];
  const char *room = need == ROOM ? "room" : "";
  int length = snprintf(line, sizeof line, "%ld\t%s\t%s\t%lld\t%s\n", number, call, path, bytes, room);
  if (trace >= 0 && length > 0) syscall(SYS_write, trace, line, (size_t)length);
}

struct verdict {
  int error;      // the call fails with it, if not 0
  int half;       // half of a write goes through
  int kill_after; // the process ends once the call is done
};

static struct verdict judge(const char *call, const char *path, long long bytes, enum need need) {
  struct verdict verdict = {0, 0, 0};
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (kind == NONE || number == target) note(number, call, path, bytes, need);
  if (kind == FULL && target > 0 && number >= target && need == ROOM) verdict.error = ENOSPC;
  if (number != target) return verdict;
  switch (kind) {
    case KILL_BEFORE: die(); break;
    case KILL_AFTER: verdict.kill_after = 1; break;
    case KILL_HALF: verdict.half = verdict.kill_after = 1; break;
    case SHORT: verdict.half = 1; break;
    case EIO_ONCE: verdict.error = EIO; break;
    case ENOSPC_ONCE: verdict.error = ENOSPC; break;
    default: break;
  }
  return verdict;
}

#define REAL(name) ((__typeof__(&name))real(&real_##name, #name))
static void *real(void **known, const char *name) {
  if (*known == NULL) *known = dlsym(RTLD_NEXT, name);
  return *known;
}

// Runs a call that is done whole or not at all.
#define WHOLE(path, call, bytes, need, run)                                                                      \
  do {                                                                                                           \
    if ((path) == NULL) return run;                                                                              \
    struct verdict verdict = judge(call, path, bytes, need);                                                     \
    if (verdict.error != 0) {                                                                                    \
      errno = verdict.error;                                                                                     \
      return -1;                                                                                                 \
    }                                                                                                            \
    __typeof__(run) result = run;                                                                                \
    if (verdict.kill_after) die();                                                                               \
    return result;                                                                                               \
  } while (0)

// Whether a write makes the file longer.
static enum need need_of(int file, off_t offset, size_t count) {
  struct stat status;
  if (fstat(file, &status) != 0) return ROOM;
  if (offset < 0) offset = (fcntl(file, F_GETFL) & O_APPEND) ? status.st_size : lseek(file, 0, SEEK_CUR);
  return offset + (off_t)count > status.st_size ? ROOM : NO_ROOM;
}

static int is_starved(int file) {
  int expected = file;
  if (!atomic_compare_exchange_strong(&starved, &expected, -1)) return 0;
  errno = ENOSPC;
  return 1;
}

// How many of a write's bytes go through; -1 with errno if it fails.
static ssize_t admitted(struct verdict verdict, int file, size_t count) {
  if (verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  if (!verdict.half || count < 2) return (ssize_t)count;
  if (!verdict.kill_after) atomic_store(&starved, file);
  return (ssize_t)(count / 2);
}

// Runs a write, of which a part may go through.
#define PARTLY(file, count, offset, call, run)                                                                   \
  do {                                                                                                           \
    char space[PATH_MAX];                                                                                        \
    const char *path = path_of(file, space);                                                                     \
    size_t allowed = (count);                                                                                    \
    if (path == NULL) return run;                                                                                \
    if (is_starved(file)) return -1;                                                                             \
    struct verdict verdict = judge(call, path, (long long)allowed, need_of(file, offset, allowed));              \
    ssize_t some = admitted(verdict, file, allowed);                                                             \
    if (some < 0) return -1;                                                                                     \
    allowed = (size_t)some;                                                                                      \
    ssize_t result = run;                                                                                        \
    if (verdict.kill_after) die();                                                                               \
    return result;                                                                                               \
  } while (0)

static void *real_write, *real_pwrite, *real_pwrite64, *real_writev, *real_pwritev, *real_pwritev64, *real_pwritev2;
static void *real_pwritev64v2, *real_fsync, *real_fdatasync, *real_ftruncate, *real_ftruncate64, *real_truncate;
static void *real_rename, *real_renameat, *real_renameat2, *real_unlink, *real_unlinkat, *real_remove, *real_rmdir;
static void *real_link, *real_linkat, *real_symlink, *real_symlinkat, *real_mkdir, *real_mkdirat;
static void *real_posix_fallocate, *real_posix_fallocate64, *real_fallocate, *real_fallocate64;
static void *real_sendfile, *real_copy_file_range, *real_open, *real_open64, *real_openat, *real_openat64, *real_creat;

// ---- Writing

ssize_t write(int file, const void *bytes, size_t count) {
  PARTLY(file, count, -1, "write", REAL(write)(file, bytes, allowed));
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  PARTLY(file, count, offset, "pwrite", REAL(pwrite)(file, bytes, allowed, offset));
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  PARTLY(file, count, offset, "pwrite", REAL(pwrite64)(file, bytes, allowed, offset));
}

static size_t total(const struct iovec *parts, int count) {
  size_t sum = 0;
  for (int index = 0; index < count; index++) sum += parts[index].iov_len;
  return sum;
}

// Half of a gathered write is the half of its first part: nothing here gathers, so that this need not be finer.
static const struct iovec *first_of(const struct iovec *parts, size_t allowed, struct iovec *space) {
  *space = parts[0];
  if (space->iov_len > allowed) space->iov_len = allowed;
  return space;
}
#define GATHERED(file, parts, count, offset, call, whole, some)                                                  \
  do {                                                                                                           \
    struct iovec first;                                                                                          \
    size_t sum = total(parts, count);                                                                            \
    PARTLY(file, sum, offset, call, allowed == sum ? whole : some);                                              \
  } while (0)

ssize_t writev(int file, const struct iovec *parts, int count) {
  GATHERED(file, parts, count, -1, "writev", REAL(writev)(file, parts, count),
           REAL(writev)(file, first_of(parts, allowed, &first), 1));
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  GATHERED(file, parts, count, offset, "pwritev", REAL(pwritev)(file, parts, count, offset),
           REAL(pwritev)(file, first_of(parts, allowed, &first), 1, offset));
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  GATHERED(file, parts, count, offset, "pwritev", REAL(pwritev64)(file, parts, count, offset),
           REAL(pwritev64)(file, first_of(parts, allowed, &first), 1, offset));
}
ssize_t pwritev2(int file, const struct iovec *parts, int count, off_t offset, int flags) {
  GATHERED(file, parts, count, offset, "pwritev2", REAL(pwritev2)(file, parts, count, offset, flags),
           REAL(pwritev2)(file, first_of(parts, allowed, &first), 1, offset, flags));
}
ssize_t pwritev64v2(int file, const struct iovec *parts, int count, off64_t offset, int flags) {
  GATHERED(file, parts, count, offset, "pwritev2", REAL(pwritev64v2)(file, parts, count, offset, flags),
           REAL(pwritev64v2)(file, first_of(parts, allowed, &first), 1, offset, flags));
}
ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
  PARTLY(to, count, -1, "sendfile", REAL(sendfile)(to, from, offset, allowed));
}
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *offset, size_t count, unsigned flags) {
  PARTLY(to, count, -1, "copy_file_range", REAL(copy_file_range)(from, at, to, offset, allowed, flags));
}

// ---- Sizes, and what makes them last

static enum need need_for(int file, off_t size) { return need_of(file, 0, (size_t)size); }

int ftruncate(int file, off_t size) {
  char space[PATH_MAX];
  const char *path = path_of(file, space);
  WHOLE(path, "ftruncate", size, need_for(file, size), REAL(ftruncate)(file, size));
}
int ftruncate64(int file, off64_t size) {
  char space[PATH_MAX];
  const char *path = path_of(file, space);
  WHOLE(path, "ftruncate", size, need_for(file, size), REAL(ftruncate64)(file, size));
}
int truncate(const char *name, off_t size) {
  char space[PATH_MAX];
  const char *path = path_at(AT_FDCWD, name, space);
  WHOLE(path, "truncate", size, ROOM, REAL(truncate)(name, size));
}
int fsync(int file) {
  char space[PATH_MAX];
  const char *path = path_of(file, space);
  WHOLE(path, "fsync", 0, NO_ROOM, REAL(fsync)(file));
}
int fdatasync(int file) {
  char space[PATH_MAX];
  const char *path = path_of(file, space);
  WHOLE(path, "fdatasync", 0, NO_ROOM, REAL(fdatasync)(file));
}
int fallocate(int file, int mode, off_t offset, off_t size) {
  char space[PATH_MAX];
  const char *path = path_of(file, space);
  WHOLE(path, "fallocate", size, ROOM, REAL(fallocate)(file, mode, offset, size));
}
int fallocate64(int file, int mode, off64_t offset, off64_t size) {
  char space[PATH_MAX];
  const char *path = path_of(file, space);
  WHOLE(path, "fallocate", size, ROOM, REAL(fallocate64)(file, mode, offset, size));
}

// These return the error and leave errno alone.
#define ALLOCATING(function, type)                                                                               \
  int function(int file, type offset, type size) {                                                               \
    char space[PATH_MAX];                                                                                        \
    const char *path = path_of(file, space);                                                                     \
    if (path == NULL) return REAL(function)(file, offset, size);                                                 \
    struct verdict verdict = judge("fallocate", path, size, ROOM);                                               \
    if (verdict.error != 0) return verdict.error;                                                                \
    int result = REAL(function)(file, offset, size);                                                             \
    if (verdict.kill_after) die();                                                                               \
    return result;                                                                                               \
  }
ALLOCATING(posix_fallocate, off_t)
ALLOCATING(posix_fallocate64, off64_t)

// ---- Names

#define NAMED(directory, name, call, need, run)                                                                  \
  do {                                                                                                           \
    char space[PATH_MAX];                                                                                        \
    const char *path = path_at(directory, name, space);                                                          \
    WHOLE(path, call, 0, need, run);                                                                             \
  } while (0)

int rename(const char *old, const char *new) {
  NAMED(AT_FDCWD, new, "rename", NO_ROOM, REAL(rename)(old, new));
}
int renameat(int from, const char *old, int to, const char *new) {
  NAMED(to, new, "rename", NO_ROOM, REAL(renameat)(from, old, to, new));
}
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  NAMED(to, new, "rename", NO_ROOM, REAL(renameat2)(from, old, to, new, flags));
}
int link(const char *old, const char *new) { NAMED(AT_FDCWD, new, "link", ROOM, REAL(link)(old, new)); }
int linkat(int from, const char *old, int to, const char *new, int flags) {
  NAMED(to, new, "link", ROOM, REAL(linkat)(from, old, to, new, flags));
}
int symlink(const char *target, const char *name) {
  NAMED(AT_FDCWD, name, "symlink", ROOM, REAL(symlink)(target, name));
}
int symlinkat(const char *target, int directory, const char *name) {
  NAMED(directory, name, "symlink", ROOM, REAL(symlinkat)(target, directory, name));
}
int mkdir(const char *name, mode_t mode) {
  char space[PATH_MAX];
  // One that is there already changes nothing.
  const char *path = access(name, F_OK) == 0 ? NULL : path_at(AT_FDCWD, name, space);
  WHOLE(path, "mkdir", 0, ROOM, REAL(mkdir)(name, mode));
}
int mkdirat(int directory, const char *name, mode_t mode) {
  NAMED(directory, name, "mkdir", ROOM, REAL(mkdirat)(directory, name, mode));
}

// Removing what is not there changes nothing.
static const char *removable(int directory, const char *name, char *space) {
  struct stat status;
  if (below_length == 0 || fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return NULL;
  return path_at(directory, name, space);
}
#define REMOVING(directory, name, call, run)                                                                     \
  do {                                                                                                           \
    char space[PATH_MAX];                                                                                        \
    const char *path = removable(directory, name, space);                                                        \
    WHOLE(path, call, 0, NO_ROOM, run);                                                                          \
  } while (0)

int unlink(const char *name) { REMOVING(AT_FDCWD, name, "unlink", REAL(unlink)(name)); }
int unlinkat(int directory, const char *name, int flags) {
  REMOVING(directory, name, "unlink", REAL(unlinkat)(directory, name, flags));
}
int remove(const char *name) { REMOVING(AT_FDCWD, name, "unlink", REAL(remove)(name)); }
int rmdir(const char *name) { REMOVING(AT_FDCWD, name, "rmdir", REAL(rmdir)(name)); }

// ---- Opening, where it makes or empties a file

// The path if the call changes something, else NULL.
static const char *making(int directory, const char *name, int flags, char *space) {
  struct stat status;
  if (below_length == 0 || !(flags & (O_CREAT | O_TRUNC))) return NULL;
  int is_there = fstatat(directory, name, &status, 0) == 0;
  if (is_there ? !(flags & O_TRUNC) || status.st_size == 0 : !(flags & O_CREAT)) return NULL;
  return path_at(directory, name, space);
}
#define OPENING(directory, name, flags, run)                                                                     \
  do {                                                                                                           \
    char space[PATH_MAX];                                                                                        \
    mode_t mode = 0;                                                                                             \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                         \
      va_list rest;                                                                                              \
      va_start(rest, flags);                                                                                     \
      mode = va_arg(rest, mode_t);                                                                               \
      va_end(rest);                                                                                              \
    }                                                                                                            \
    const char *path = making(directory, name, flags, space);                                                    \
    WHOLE(path, "open", 0, ROOM, run);                                                                           \
  } while (0)

int open(const char *name, int flags, ...) { OPENING(AT_FDCWD, name, flags, REAL(open)(name, flags, mode)); }
int open64(const char *name, int flags, ...) { OPENING(AT_FDCWD, name, flags, REAL(open64)(name, flags, mode)); }
int openat(int directory, const char *name, int flags, ...) {
  OPENING(directory, name, flags, REAL(openat)(directory, name, flags, mode));
}
int openat64(int directory, const char *name, int flags, ...) {
  OPENING(directory, name, flags, REAL(openat64)(directory, name, flags, mode));
}
int creat(const char *name, mode_t mode) {
  char space[PATH_MAX];
  const char *path = making(AT_FDCWD, name, O_CREAT | O_TRUNC, space);
  WHOLE(path, "open", 0, ROOM, REAL(creat)(name, mode));
}

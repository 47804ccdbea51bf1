#if defined(__linux__)
#include "cwatch.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

int tributary_watcher_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

void tributary_watcher_close(int watcher) { close(watcher); }

int tributary_watcher_add(int watcher, const char *path, int is_folder) {
  // Every write to any file of a folder would wake us up; a finished one is enough, and the database's own files are
  // watched by themselves.
  uint32_t content = is_folder ? IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
                               : IN_MODIFY | IN_CLOSE_WRITE;
  return inotify_add_watch(watcher, path, content | IN_MOVE_SELF | IN_DELETE_SELF);
}

void tributary_watcher_remove(int watcher, int watch) { inotify_rm_watch(watcher, watch); }

static uint32_t kinds(uint32_t mask) {
  if (mask & IN_Q_OVERFLOW) return TRIBUTARY_CHANGE_LOST;
  if (mask & (IN_MOVE_SELF | IN_DELETE_SELF | IN_UNMOUNT | IN_IGNORED)) return TRIBUTARY_CHANGE_GONE;
  return TRIBUTARY_CHANGE_CONTENT;
}

int tributary_watcher_wait(int watcher, int wake, int milliseconds, tributary_change *changes, int capacity) {
  struct pollfd files[2] = {{.fd = watcher, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
  int ready = poll(files, 2, milliseconds);
  if (ready < 0) return errno == EINTR ? 0 : -1;
  // Asking to stop comes first, however much happens.
  if (files[1].revents != 0 || !(files[0].revents & POLLIN)) return 0;
  // No more bytes than `capacity` events can take, so that none is read and then dropped.
  char buffer[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
  size_t most = (size_t)capacity * sizeof(struct inotify_event);
  size_t room = most < sizeof buffer ? most : sizeof buffer;
  if (room < sizeof(struct inotify_event) + 256) {
    errno = EINVAL;
    return -1;
  }
  ssize_t size = read(watcher, buffer, room);
  if (size < 0) return errno == EINTR || errno == EAGAIN ? 0 : -1;
  int count = 0;
  for (char *at = buffer; at < buffer + size && count < capacity;) {
    struct inotify_event *event = (struct inotify_event *)at;
    tributary_change *change = &changes[count++];
    memset(change, 0, sizeof *change);
    change->watch = event->wd;
    change->kinds = kinds(event->mask);
    if (event->len > 0) strncpy(change->name, event->name, sizeof change->name - 1);
    at += sizeof *event + event->len;
  }
  return count;
}
#endif

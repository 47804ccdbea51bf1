#if defined(__APPLE__)
#include "cwatch.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/event.h>
#include <sys/time.h>
#include <unistd.h>

int tributary_watcher_open(void) {
  int queue = kqueue();
  if (queue >= 0) fcntl(queue, F_SETFD, FD_CLOEXEC);
  return queue;
}

void tributary_watcher_close(int watcher) { close(watcher); }

// The number of a watch is the descriptor that it is on.
int tributary_watcher_add(int watcher, const char *path, int is_folder) {
  int file = open(path, O_EVTONLY | O_CLOEXEC | (is_folder ? O_DIRECTORY : 0));
  if (file < 0) return -1;
  struct kevent change;
  EV_SET(&change, file, EVFILT_VNODE, EV_ADD | EV_CLEAR,
         NOTE_WRITE | NOTE_EXTEND | NOTE_RENAME | NOTE_DELETE | NOTE_REVOKE, 0, NULL);
  if (kevent(watcher, &change, 1, NULL, 0, NULL) == 0) return file;
  int reason = errno;
  close(file);
  errno = reason;
  return -1;
}

// Closing the descriptor takes its events out of the queue.
void tributary_watcher_remove(int watcher, int watch) {
  (void)watcher;
  close(watch);
}

int tributary_watcher_wait(int watcher, int wake, int milliseconds, tributary_change *changes, int capacity) {
  enum { most = 64 };
  struct kevent events[most], change;
  if (wake >= 0) EV_SET(&change, wake, EVFILT_READ, EV_ADD, 0, 0, NULL);
  struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
  int count = kevent(watcher, &change, wake >= 0 ? 1 : 0, events, capacity < most ? capacity : most, &time);
  if (count < 0) return errno == EINTR ? 0 : -1;
  int found = 0;
  // Asking to stop comes first, however much happens; what is told with it is told in vain.
  for (int i = 0; i < count; i++) {
    if (events[i].filter == EVFILT_READ) return 0;
    tributary_change *to = &changes[found++];
    memset(to, 0, sizeof *to);
    to->watch = (int32_t)events[i].ident;
    if (events[i].fflags & (NOTE_WRITE | NOTE_EXTEND)) to->kinds |= TRIBUTARY_CHANGE_CONTENT;
    if (events[i].fflags & (NOTE_RENAME | NOTE_DELETE | NOTE_REVOKE)) to->kinds |= TRIBUTARY_CHANGE_GONE;
  }
  return found;
}
#endif

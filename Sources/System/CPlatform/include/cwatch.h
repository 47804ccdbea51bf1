#pragma once
#include <stdint.h>

// The kernel's notification of changes to files and folders: inotify on Linux, kqueue on Apple's systems.
// Calls return -1 with errno set on failure; ENOSYS where there is neither.

enum {
  // A file was written, or something in a folder was; for a folder kqueue tells only what came and went.
  TRIBUTARY_CHANGE_CONTENT = 1,
  // The file or folder itself was moved, removed or unmounted; the watch may be dead.
  TRIBUTARY_CHANGE_GONE = 2,
  // The kernel forgot changes: anything may have changed.
  TRIBUTARY_CHANGE_LOST = 4
};

typedef struct {
  int32_t watch;
  uint32_t kinds;
  // What changed within a folder; empty where it is the watched thing itself, or not told.
  char name[256];
} tributary_change;

int tributary_watcher_open(void);
void tributary_watcher_close(int watcher);
// A number for the watch. inotify gives the same one for a file that is watched already, kqueue a new one.
int tributary_watcher_add(int watcher, const char *path, int is_folder);
void tributary_watcher_remove(int watcher, int watch);
// Waits until something changes, `wake` can be read (-1 for none), or the time is up. Returns how many changes there
// are; 0 as well if a signal came or if there are none.
int tributary_watcher_wait(int watcher, int wake, int milliseconds, tributary_change *changes, int capacity);

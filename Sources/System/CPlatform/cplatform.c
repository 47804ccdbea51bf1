#define _GNU_SOURCE
#include "cplatform.h"
#include <errno.h>
#include <stdio.h>

int tributary_rename_noreplace(const char *from, const char *to) {
#if defined(__linux__)
  return renameat2(-100 /* AT_FDCWD */, from, -100, to, 1 /* RENAME_NOREPLACE */);
#elif defined(__APPLE__)
  return renamex_np(from, to, RENAME_EXCL);
#else
  errno = ENOSYS;
  return -1;
#endif
}

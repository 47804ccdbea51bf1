#pragma once
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// C variadics are not imported into Swift.
static inline int tributary_sqlite3_db_config(sqlite3 *db, int op, int value) {
  int out = 0;
  return sqlite3_db_config(db, op, value, &out);
}

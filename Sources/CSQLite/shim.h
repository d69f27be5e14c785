// The system's SQLite, and the parts that Swift cannot import.
#ifndef ARTWORK_CSQLITE_SHIM_H
#define ARTWORK_CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT, "copy the value", is a cast to a function pointer. A null pointer would bind NULL: an empty
// value points to an empty string.
static inline int artwork_sqlite_bind_text(
    sqlite3_stmt *statement, int place, const void *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, place, text ? (const char *)text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int artwork_sqlite_bind_blob(
    sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

#endif

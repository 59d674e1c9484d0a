// The whole C boundary to libpq. Inline functions exist only for what Swift cannot import.
#pragma once
#include <libpq-fe.h>
#include <spawn.h>
#include <sys/eventfd.h>

// The field codes of PQresultErrorField are character literals, which Swift does not import.
static inline int entitled_diag_severity(void) { return PG_DIAG_SEVERITY_NONLOCALIZED; }
static inline int entitled_diag_sqlstate(void) { return PG_DIAG_SQLSTATE; }
static inline int entitled_diag_message_primary(void) { return PG_DIAG_MESSAGE_PRIMARY; }
static inline int entitled_diag_message_detail(void) { return PG_DIAG_MESSAGE_DETAIL; }
static inline int entitled_diag_message_hint(void) { return PG_DIAG_MESSAGE_HINT; }
static inline int entitled_diag_context(void) { return PG_DIAG_CONTEXT; }
static inline int entitled_diag_schema_name(void) { return PG_DIAG_SCHEMA_NAME; }
static inline int entitled_diag_table_name(void) { return PG_DIAG_TABLE_NAME; }
static inline int entitled_diag_column_name(void) { return PG_DIAG_COLUMN_NAME; }
static inline int entitled_diag_constraint_name(void) { return PG_DIAG_CONSTRAINT_NAME; }
static inline int entitled_diag_statement_position(void) { return PG_DIAG_STATEMENT_POSITION; }

// glibc declares this function only under _GNU_SOURCE, which the Swift importer does not define. Without it a child
// process would inherit every open descriptor, listening sockets included.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

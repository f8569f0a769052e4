/** The database cannot be reached or is going away; the same call may work in a moment. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available.', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

// Class 08 connection exceptions; 28 and 3D000 the role or the database is not there (it is being restored); 53 out of connections, memory or disk;
// 57P01-57P05 shutdowns and crash recovery; 57014 a statement over its time; 25006 read-only (a failover in progress).
const UNAVAILABLE_CODES =
  /^(08...|28...|3D000|53...|57P0[1-5]|57014|25006|ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EMFILE)$/
const UNAVAILABLE_TEXT =
  /terminat|timeout exceeded|not queryable|Connection ended|Query read timeout|connect timeout|Cannot use a pool after/i

/** Foreign errors of the driver become ours here and nowhere else; SQL errors pass as they are. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && UNAVAILABLE_CODES.test(code)) return new DatabaseUnavailable(error)
  if (code === undefined && typeof message === 'string' && UNAVAILABLE_TEXT.test(message))
    return new DatabaseUnavailable(error)
  return error
}

/** True for the violation of a unique index or constraint of this name (SQLSTATE 23505). */
export function violates(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && name === constraint
}

/** The database is unreachable or shutting down. The same call may succeed later. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available.', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

// Class 08: connection exceptions. 28, 3D000: the role or the database is missing (it is being restored). 53:
// no connections, memory or disk left. 57P01-57P05: shutdowns and crash recovery. 57014: statement timeout.
// 25006: read-only (a failover is in progress).
const UNAVAILABLE_CODES =
  /^(08...|28...|3D000|53...|57P0[1-5]|57014|25006|ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EMFILE)$/
const UNAVAILABLE_TEXT =
  /terminat|timeout exceeded|not queryable|Connection ended|Query read timeout|connect timeout|Cannot use a pool after/i

/** Converts errors of the driver. SQL errors are returned unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && UNAVAILABLE_CODES.test(code)) return new DatabaseUnavailable(error)
  if (code === undefined && typeof message === 'string' && UNAVAILABLE_TEXT.test(message))
    return new DatabaseUnavailable(error)
  return error
}

/** Whether an error is a violation of a unique index or constraint (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/** Whether an error is a violation of the unique index or constraint with this name. */
export const violates = (error: unknown, constraint: string): boolean =>
  isUniqueViolation(error) && (error as { constraint?: unknown }).constraint === constraint

/** The database cannot be reached or is going away; the same call may work in a moment. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available.', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

// Class 08 connection exceptions; 57P01-57P05 shutdowns and crash recovery; 53300 too many connections; 25006 read-only (a failover in progress).
const UNAVAILABLE_CODES = /^(08...|57P0[1-5]|53300|25006|ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
const UNAVAILABLE_TEXT = /terminat|timeout exceeded|not queryable|Connection ended|Query read timeout|connect timeout|Cannot use a pool after/i

/** Foreign errors of the driver become ours here and nowhere else; SQL errors pass as they are. */
export function translate(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error
  const { code, message } = error as { code?: unknown, message?: unknown }
  if (typeof code === 'string' && UNAVAILABLE_CODES.test(code)) return new DatabaseUnavailable(error)
  if (code === undefined && typeof message === 'string' && UNAVAILABLE_TEXT.test(message)) return new DatabaseUnavailable(error)
  return error
}

/** True for the violation of a unique index or constraint of this name (SQLSTATE 23505). */
export function violates(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: unknown, constraint?: unknown }
  return code === '23505' && name === constraint
}

import sql, { empty, join, raw, Sql } from 'sql-template-tag'

// A statement with separate values. Statements can be nested, and text in `${}` can never become SQL.
export { empty, join, raw, Sql, sql }

/** Joins conditions with `and`. Falsy ones are omitted. */
export function all(...conditions: (Sql | '' | false | null | undefined)[]): Sql {
  const chosen = conditions.filter((one): one is Sql => one instanceof Sql)
  return chosen.length ? join(chosen, ' and ') : sql`true`
}

const identifier = (name: string) => raw(`"${name.replaceAll('"', '""')}"`)

/** Returns `(a, b) values ($1, $2)`. Keys come from our code, never from a request. */
export function values(row: Readonly<Record<string, unknown>>): Sql {
  return sql`(${join(Object.keys(row).map(identifier))}) values (${join(Object.values(row) as never[])})`
}

/** Returns `a = $1, b = $2` for the keys that are not undefined. */
export function assignments(row: Readonly<Record<string, unknown>>): Sql {
  const set = Object.entries(row).filter(([, value]) => value !== undefined)
  return join(set.map(([name, value]) => sql`${identifier(name)} = ${value as never}`))
}

/** Escapes a text so that `like` takes it literally. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The pool or an open transaction. A store accepts both, so its caller controls the transaction. */
export interface Db {
  rows<T extends object>(query: Sql): Promise<T[]>
  /** Returns the first row, if there is one. */
  one<T extends object>(query: Sql): Promise<T | undefined>
  /** Returns the number of affected rows. */
  run(query: Sql): Promise<number>
  /**
   * Decrypts a value that a statement returned. `context` names where it is stored: `table:id:part`.
   * @throws EncryptionError if its key is missing, the context differs, or a bit was changed
   */
  decrypt<T>(value: Uint8Array, context: string): T
}

export interface Pool extends Db {
  /** Runs one transaction. Its statements run one after another. */
  begin<T>(work: (tx: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

import sql, { empty, join, raw, Sql } from 'sql-template-tag'

// A statement with its values apart; nests, and plain text inside `${}` can never become SQL.
export { empty, join, raw, Sql, sql }

/** Joins the conditions that apply; falsy ones are left out. */
export function all(...conditions: (Sql | '' | false | null | undefined)[]): Sql {
  const chosen = conditions.filter((one): one is Sql => one instanceof Sql)
  return chosen.length ? join(chosen, ' and ') : sql`true`
}

const identifier = (name: string) => raw(`"${name.replaceAll('"', '""')}"`)

/** `(a, b) values ($1, $2)`; keys come from our code, never from a request. */
export function values(row: Readonly<Record<string, unknown>>): Sql {
  return sql`(${join(Object.keys(row).map(identifier))}) values (${join(Object.values(row) as never[])})`
}

/** `a = $1, b = $2` of the keys that are not undefined. */
export function assignments(row: Readonly<Record<string, unknown>>): Sql {
  const set = Object.entries(row).filter(([, value]) => value !== undefined)
  return join(set.map(([name, value]) => sql`${identifier(name)} = ${value as never}`))
}

/** Text that `like` takes literally. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The pool or an open transaction: a store takes either, so its caller owns the transaction. */
export interface Db {
  rows<T extends object>(query: Sql): Promise<T[]>
  /** The first row, if there is one. */
  one<T extends object>(query: Sql): Promise<T | undefined>
  /** Answers the number of rows touched. */
  run(query: Sql): Promise<number>
}

export interface Pool extends Db {
  /** One transaction; statements inside it go one after another. */
  begin<T>(work: (tx: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

import type pg from 'pg'
import type { ProjectScope } from './project-scope.ts'
import { type DriverConnection, sendQuery, TimedQuery } from './timed-query.ts'

const STATEMENT_NAME = 'patchbay_scope'
const STATEMENT_TEXT = "select set_config('role', $1, true), set_config('patchbay.projects', $2, true)"
/** PostgreSQL's name for the role of the connection itself. */
const OWN_ROLE = 'none'

/**
 * A statement that sets its role and its projects first, in the same message and the same implicit transaction: one
 * round trip, and nothing is left on the connection afterwards. In an open transaction both settings last until its
 * end. The driver's own pipeline sends several queries, each of which would be a transaction. Behind a pooler, nothing
 * is prepared: the text of both statements is part of the message.
 */
export class ScopedQuery extends TimedQuery {
  readonly #settings: [role: string, projects: string]
  readonly #isPrepared: boolean
  #isScoped = false

  /** Runs as the tenant role with the projects of the scope, or as the role of the connection with none. */
  constructor(config: pg.QueryConfig, limitMs: number, tenantRole: string, scope: ProjectScope) {
    // Without a name, the driver would send a statement without values in a protocol that cannot be combined.
    super({ ...config, queryMode: 'extended' } as pg.QueryConfig, limitMs)
    this.#isPrepared = config.name !== undefined
    this.#settings = scope === undefined ? [OWN_ROLE, ''] : [tenantRole, scope]
  }

  override prepare(connection: DriverConnection): void {
    const statement = this.#isPrepared ? STATEMENT_NAME : ''
    if (!this.#isPrepared) connection.parse({ text: STATEMENT_TEXT, name: '', types: undefined })
    connection.bind({ portal: '', statement, values: this.#settings, valueMapper: String })
    connection.execute({ portal: '', rows: 0 })
    super.prepare(connection)
  }

  override handleDataRow(message: unknown): void {
    if (this.#isScoped) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    if (this.#isScoped) super.handleCommandComplete(message, connection)
    this.#isScoped = true
  }
}

/** Prepares the connection for scoped statements. Called for each new connection, before any other statement. */
export const prepareScopes = (client: pg.ClientBase, limitMs: number): Promise<unknown> =>
  sendQuery(
    client,
    new TimedQuery({ name: STATEMENT_NAME, text: STATEMENT_TEXT, values: [OWN_ROLE, ''] }, limitMs),
  )

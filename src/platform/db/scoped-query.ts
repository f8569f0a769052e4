import pg from 'pg'
import type { ProjectScope } from './project-scope.ts'

const STATEMENT_NAME = 'patchbay_scope'
const STATEMENT_TEXT = "select set_config('role', $1, true), set_config('patchbay.projects', $2, true)"
/** PostgreSQL's name for the role of the connection itself. */
const OWN_ROLE = 'none'

/** What the driver gives to a query, beyond its types. */
interface DriverConnection {
  parse(message: { text: string; name: string; types: undefined }): void
  bind(message: {
    portal: string
    statement: string
    values: unknown[]
    valueMapper: (value: unknown) => string
  }): void
  execute(message: { portal: string; rows: number }): void
}

/** The driver's query, with the methods that its types leave out. */
interface DriverQuery extends pg.Submittable {
  callback?: (error: Error | null, result: pg.QueryResult) => void
  prepare(connection: DriverConnection): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: DriverConnection): void
}
const DriverQueryClass = pg.Query as unknown as new (config: pg.QueryConfig) => DriverQuery

/**
 * A statement that sets its role and its projects first, in the same message and the same implicit transaction: one
 * round trip, and nothing is left on the connection afterwards. In an open transaction both settings last until its
 * end. The driver's own pipeline sends several queries, each of which would be a transaction. Behind a pooler, nothing
 * is prepared: the text of both statements is part of the message.
 */
class ScopedQuery extends DriverQueryClass {
  readonly #settings: [role: string, projects: string]
  readonly #isPrepared: boolean
  #isScoped = false

  constructor(config: pg.QueryConfig, role: string, projects: string) {
    // Without a name, the driver would send a statement without values in a protocol that cannot be combined.
    super({ ...config, queryMode: 'extended' } as pg.QueryConfig)
    this.#isPrepared = config.name !== undefined
    this.#settings = [role, projects]
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
export const prepareScopes = (client: pg.ClientBase): Promise<unknown> =>
  client.query({ name: STATEMENT_NAME, text: STATEMENT_TEXT, values: [OWN_ROLE, ''] })

/**
 * Runs a statement as the tenant role with the projects of the scope, or as the role of the connection with none.
 * @throws the error of the driver
 */
export function runScoped(
  client: pg.Pool | pg.ClientBase,
  config: pg.QueryConfig,
  tenantRole: string,
  scope: ProjectScope,
): Promise<pg.QueryResult> {
  const query = new ScopedQuery(config, scope === undefined ? OWN_ROLE : tenantRole, scope ?? '')
  return new Promise((resolve, reject) => {
    const send = client.query.bind(client) as unknown as (
      submitted: DriverQuery,
      callback: (error: Error | null, result: pg.QueryResult) => void,
    ) => void
    send(query, (error, result) => (error ? reject(error) : resolve(result)))
  })
}

import pg from 'pg'

/** What the driver gives to a query, beyond its types. */
export interface DriverConnection {
  parse(message: { text: string; name: string; types: undefined }): void
  bind(message: {
    portal: string
    statement: string
    values: unknown[]
    valueMapper: (value: unknown) => string
  }): void
  execute(message: { portal: string; rows: number }): void
}

type Callback = (error: Error | null, result: pg.QueryResult) => void

/** The driver's query, with the methods that its types leave out. */
interface DriverQuery {
  callback?: Callback
  submit(connection: pg.Connection): Error | null
  prepare(connection: DriverConnection): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: DriverConnection): void
  handleReadyForQuery(connection: pg.Connection): void
  handleError(error: Error, connection: pg.Connection): void
}
const DriverQueryClass = pg.Query as unknown as new (config: pg.QueryConfig) => DriverQuery

const ignoreResult = (): void => {}

/**
 * A statement with a time limit, from when it is sent. The server has a limit of its own, which it cannot enforce when
 * it hangs or the network is cut.
 *
 * The limit of the driver (`query_timeout`) assigns a new function to a property of each query. V8 creates such a
 * function in the old generation, because most are methods of classes. What it refers to stays in memory until V8 marks
 * the whole heap: the statement, its result, and all of the call that waits for it.
 */
export class TimedQuery extends DriverQueryClass {
  readonly #limitMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(config: pg.QueryConfig, limitMs: number) {
    super(config)
    this.#limitMs = limitMs
  }

  override submit(connection: pg.Connection): Error | null {
    this.#timer = setTimeout(expire, this.#limitMs, this)
    return super.submit(connection)
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    clearTimeout(this.#timer)
    super.handleReadyForQuery(connection)
  }

  override handleError(error: Error, connection: pg.Connection): void {
    clearTimeout(this.#timer)
    super.handleError(error, connection)
  }
}

function expire(query: TimedQuery): void {
  const { callback } = query
  query.callback = ignoreResult
  callback?.(new Error('Query read timeout'), undefined as never)
}

/**
 * Sends a statement on a connection, or on any connection of a pool. The caller closes a connection whose statement
 * exceeded its limit; a pool does so itself.
 * @throws the error of the driver
 */
export function sendQuery(client: pg.Pool | pg.ClientBase, query: TimedQuery): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const send = client.query.bind(client) as unknown as (submitted: TimedQuery, callback: Callback) => void
    send(query, (error, result) => (error ? reject(error) : resolve(result)))
  })
}

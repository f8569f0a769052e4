import { once } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'

/** One connection that copies whole tables with COPY, in PostgreSQL's text format. */
export interface CopySession {
  rows<T extends object>(text: string, values?: unknown[]): Promise<T[]>
  /**
   * Runs `copy (query) to stdout`, and passes the rows on in portions of whole lines. Reads no further while
   * `onPortion` runs.
   */
  copyOut(query: string, onPortion: (lines: Buffer) => Promise<void>): Promise<number>
  /** Starts `copy target from stdin`. */
  copyIn(target: string): Promise<CopyIn>
  close(): Promise<void>
}

export interface CopyIn {
  /** Sends lines, and waits while the connection is busy. @throws the error of the database */
  write(lines: Buffer): Promise<void>
  /** Returns the number of inserted rows. @throws the error of the database; then no row is inserted */
  end(): Promise<number>
}

/** Rows of one portion, unless a single row is larger. */
const PORTION_BYTES = 4 * 2 ** 20
/** Longer than the largest table takes. */
const STATEMENT_HOURS_MAX = 12

/** Opens the connection. @throws the error of the driver */
export async function openCopySession(url: string, applicationName: string): Promise<CopySession> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: applicationName,
    statement_timeout: STATEMENT_HOURS_MAX * 3_600_000,
  })
  client.on('error', () => {}) // reported by the statement
  await client.connect()
  return {
    rows: async (text, values) => (await client.query(text, values)).rows,
    async copyOut(query, onPortion) {
      const copy = new CopyOutQuery(`copy (${query}) to stdout`, onPortion)
      client.query(copy)
      return copy.done.promise
    },
    async copyIn(target) {
      const copy = new CopyInQuery(`copy ${target} from stdin`)
      client.query(copy)
      await copy.started.promise
      return copy
    },
    close: () => client.end(),
  }
}

/** What the driver gives to a query; its types leave out the stream and the messages of COPY. */
interface DriverConnection extends pg.Connection {
  stream: Socket
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}
interface CommandComplete {
  text: string
}

const connectionOf = (connection: pg.Connection) => connection as DriverConnection
const countOf = ({ text }: CommandComplete): number => Number(text.replace('COPY ', ''))

/** The driver calls these methods with the messages of the server (PostgreSQL, "COPY Operations"). */
class CopyOutQuery implements pg.Submittable {
  readonly done = Promise.withResolvers<number>()
  readonly #text: string
  readonly #onPortion: (lines: Buffer) => Promise<void>
  #lines: Buffer[] = []
  #bytes = 0
  #count = 0
  #failure: unknown
  #written: Promise<void> = Promise.resolve()

  constructor(text: string, onPortion: (lines: Buffer) => Promise<void>) {
    this.#text = text
    this.#onPortion = onPortion
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: pg.Connection): void {
    this.#lines.push(Buffer.from(chunk)) // The driver uses its buffer again.
    this.#bytes += chunk.length
    if (this.#bytes < PORTION_BYTES) return
    const { stream } = connectionOf(connection)
    stream.pause()
    this.#pass()
    void this.#written.then(() => stream.resume())
  }

  #pass(): void {
    const lines = Buffer.concat(this.#lines)
    this.#lines = []
    this.#bytes = 0
    this.#written = this.#written
      .then(() => (this.#failure === undefined ? this.#onPortion(lines) : undefined))
      .catch((error: unknown) => {
        this.#failure ??= error
      })
  }

  handleCommandComplete(message: CommandComplete): void {
    this.#count = countOf(message)
  }

  handleError(error: Error): void {
    this.#failure ??= error
    this.done.reject(error)
  }

  handleReadyForQuery(): void {
    if (this.#bytes > 0) this.#pass()
    void this.#written.then(() =>
      this.#failure === undefined ? this.done.resolve(this.#count) : this.done.reject(this.#failure),
    )
  }
}

class CopyInQuery implements pg.Submittable, CopyIn {
  readonly started = Promise.withResolvers<void>()
  readonly #done = Promise.withResolvers<number>()
  readonly #text: string
  #connection: DriverConnection | undefined
  #count = 0

  constructor(text: string) {
    this.#text = text
    this.#done.promise.catch(() => {}) // also reported by `write` and `end`
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: pg.Connection): void {
    this.#connection = connectionOf(connection)
    this.started.resolve()
  }

  async write(lines: Buffer): Promise<void> {
    const { stream } = this.#connection!
    this.#connection!.sendCopyFromChunk(lines)
    // When the database has rejected a row, nobody reads the rest: `#done` is rejected then.
    if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), this.#done.promise])
  }

  end(): Promise<number> {
    this.#connection!.endCopyFrom()
    return this.#done.promise
  }

  handleCommandComplete(message: CommandComplete): void {
    this.#count = countOf(message)
  }

  handleError(error: Error): void {
    this.started.reject(error)
    this.#done.reject(error)
  }

  handleReadyForQuery(): void {
    this.#done.resolve(this.#count)
  }
}

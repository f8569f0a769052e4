import { type Io, printable, writeNote } from '../io.ts'
import { columnsFor } from './columns.ts'
import { details } from './details.ts'
import { table, valueAt } from './table.ts'

/** A page of a list. The API has two names for its rows. */
export interface Page {
  rows: readonly unknown[]
  rowsKey: 'items' | 'data'
  nextCursor: string | number | null
  total: number | undefined
}

export function pageOf(body: unknown): Page | undefined {
  const reply = body as {
    items?: unknown
    data?: unknown
    next_cursor?: string | null
    /** The name in the logs of the older API. */
    nextCursor?: number | null
    total_items?: number
  } | null
  const rowsKey = Array.isArray(reply?.items) ? 'items' : Array.isArray(reply?.data) ? 'data' : undefined
  if (!reply || !rowsKey) return undefined
  return {
    rows: reply[rowsKey] as unknown[],
    rowsKey,
    nextCursor: reply.next_cursor ?? reply.nextCursor ?? null,
    total: reply.total_items,
  }
}

/** Prints a response: unchanged with `--json`, else formatted. */
export function printReply(io: Io, operationId: string, body: unknown, asJson: boolean): void {
  if (asJson) return printJson(io, body)
  const page = pageOf(body)
  if (page) return printPage(io, operationId, page)
  if (Array.isArray(body) && body.every((item) => typeof item !== 'object'))
    io.stdout.write(body.map((item) => `${printable(String(item))}\n`).join(''))
  else if (isEmpty(body)) writeNote(io, 'Done.')
  else io.stdout.write(details(io, body))
}

export function printJson(io: Io, body: unknown): void {
  io.stdout.write(`${JSON.stringify(body, null, 2)}\n`)
}

// Everything but rows is written to stderr, so that lists can be piped.
function printPage(io: Io, operationId: string, { rows, nextCursor, total }: Page): void {
  if (rows.length === 0) return writeNote(io, 'Nothing found.')
  io.stdout.write(table(io, columnsFor(operationId, rows, valueAt), rows))
  if (nextCursor)
    writeNote(
      io,
      `${rows.length}${total === undefined ? '' : ` of ${total}`} shown. Next page: --cursor ` +
        `${printable(String(nextCursor))}; all pages: --all`,
    )
}

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0

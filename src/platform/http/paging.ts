import { parseBoundedJsonOrUndefined } from '../bounded-json.ts'
import type { PageWindow, Position } from '../list-page.ts'
import { badRequest } from './api-error.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 1_000
const PAGE_MAX = 1_000_000
/** A list of at most four values, and the list itself. */
const POSITION_BOUNDS = { depth: 1, values: 5 }

/** A page of a list. Pages start at 1 and have `limit` items. */
export interface Page extends PageWindow {
  page: number
}

/**
 * Reads `limit` and `cursor`. A cursor is base64 of `<page>-<limit>`, in lists with positions followed by `-` and the
 * position of the last row of its page. Its limit has priority. A limit above `most` is reduced to `most`.
 */
export function readPage(
  query: { cursor?: string | null | undefined; limit?: number | null | undefined },
  most = LIMIT_MAX,
): Page {
  const { page, limit, after } =
    query.cursor === undefined || query.cursor === null
      ? { page: 1, limit: query.limit ?? LIMIT_DEFAULT, after: undefined }
      : decode(query.cursor)
  const size = Math.min(limit, most)
  return { page, limit: size, offset: (page - 1) * size, ...(after && { after }) }
}

/** Returns the response of a page. `next` is the position of its last row in a list with positions; null at the end. */
export function pageOf<T>(items: T[], total: number, { page, limit }: Page, next?: Position | null) {
  return { items, ...pageMeta(total, { page, limit }, next) }
}

export function pageMeta(
  total: number,
  { page, limit }: { page: number; limit: number },
  next?: Position | null,
) {
  const pages = Math.ceil(total / limit)
  return {
    total_items: total,
    total_pages: pages,
    current_page: page,
    next_cursor: (next === undefined ? page < pages : next !== null) ? cursorOf(page + 1, limit, next) : null,
  }
}

/**
 * Returns the response of a page of a list that is not counted to its end. `total_items` then includes the items up to
 * the end of this page, and one more if there is a next page, so that the numbers of pages never contradict the cursor.
 */
export function boundedPageOf<T>(
  items: T[],
  { total, isMinimum }: { total: number; isMinimum: boolean },
  page: Page,
  next: Position | null,
) {
  if (!isMinimum) return { ...pageOf(items, total, page, next), total_is_minimum: false }
  const known = page.offset + items.length + (next ? 1 : 0)
  const meta = pageMeta(Math.max(total, known), page)
  return {
    items,
    ...meta,
    next_cursor: next ? cursorOf(page.page + 1, page.limit, next) : null,
    total_is_minimum: true,
  }
}

const cursorOf = (page: number, limit: number, position?: Position | null): string =>
  Buffer.from(`${page}-${limit}${position ? `-${JSON.stringify(position)}` : ''}`).toString('base64')

/** Returns a page of a list that supports slices. */
export const slicePage = <T>(
  all: { readonly length: number; slice(from: number, to: number): readonly T[] },
  page: Page,
) => ({ items: [...all.slice(page.offset, page.offset + page.limit)], total: all.length })

function decode(cursor: string): { page: number; limit: number; after: Position | undefined } {
  const [, page, limit, position] =
    /^(\d{1,7})-(\d{1,4})(?:-(\[.*\]))?$/.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  const read = { page: Number(page), limit: Number(limit), after: position && readPosition(position) }
  const isPage = read.page >= 1 && read.page <= PAGE_MAX && read.limit >= 1
  if (!isPage || read.after === null) throw badRequest('Error in query.cursor: is not a cursor of this API')
  return { ...read, after: read.after || undefined }
}

/** Returns null for a text that is not a position. PostgreSQL stores no NUL, so no value of a row has one. */
function readPosition(text: string): Position | null {
  const values = parseBoundedJsonOrUndefined(text, POSITION_BOUNDS)
  const isPosition =
    Array.isArray(values) && values.every((value) => typeof value === 'string' && !value.includes('\0'))
  return isPosition ? (values as string[]) : null
}

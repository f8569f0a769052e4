import { badRequest } from './api-error.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 1_000
const PAGE_MAX = 1_000_000

/** A page of a list. Pages start at 1 and have `limit` items. */
export interface Page {
  page: number
  limit: number
  offset: number
}

/**
 * Reads `limit` and `cursor`. A cursor is base64 of `<page>-<limit>`, and its limit has priority. A limit
 * above `most` is reduced to `most`.
 */
export function readPage(
  query: { cursor?: string | null | undefined; limit?: number | null | undefined },
  most = LIMIT_MAX,
): Page {
  const { page, limit } =
    query.cursor === undefined || query.cursor === null
      ? { page: 1, limit: query.limit ?? LIMIT_DEFAULT }
      : decode(query.cursor)
  const size = Math.min(limit, most)
  return { page, limit: size, offset: (page - 1) * size }
}

/** Returns the response of a page. */
export function pageOf<T>(items: T[], total: number, { page, limit }: Page) {
  return { items, ...pageMeta(total, { page, limit }) }
}

export function pageMeta(total: number, { page, limit }: { page: number; limit: number }) {
  const pages = Math.ceil(total / limit)
  return {
    total_items: total,
    total_pages: pages,
    current_page: page,
    next_cursor: page < pages ? cursorOf(page + 1, limit) : null,
  }
}

/**
 * Returns the response of a page of a list that is not counted to its end. `total_items` then includes the items up to
 * the end of this page, and one more if there is a next page, so that the numbers of pages never contradict the cursor.
 */
export function boundedPageOf<T>(
  items: T[],
  { total, isMinimum }: { total: number; isMinimum: boolean },
  page: Page & { hasMore: boolean },
) {
  if (!isMinimum) return { ...pageOf(items, total, page), total_is_minimum: false }
  const known = page.offset + items.length + (page.hasMore ? 1 : 0)
  const meta = pageMeta(Math.max(total, known), page)
  return {
    items,
    ...meta,
    next_cursor: page.hasMore ? cursorOf(page.page + 1, page.limit) : null,
    total_is_minimum: true,
  }
}

const cursorOf = (page: number, limit: number): string => Buffer.from(`${page}-${limit}`).toString('base64')

/** Returns a page of a list that supports slices. */
export const slicePage = <T>(
  all: { readonly length: number; slice(from: number, to: number): readonly T[] },
  page: Page,
) => ({ items: [...all.slice(page.offset, page.offset + page.limit)], total: all.length })

function decode(cursor: string): { page: number; limit: number } {
  const [, page, limit] = /^(\d{1,7})-(\d{1,4})$/.exec(Buffer.from(cursor, 'base64').toString('latin1')) ?? []
  const read = { page: Number(page), limit: Number(limit) }
  if (!(read.page >= 1 && read.page <= PAGE_MAX && read.limit >= 1))
    throw badRequest('Error in query.cursor: is not a cursor of this API')
  return read
}

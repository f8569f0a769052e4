import type { PaginationManifest } from '../../src/catalog/index.ts'
import { read, written } from './error-replies.ts'
import type { Thing } from './store.ts'
import { plain } from './words.ts'

const LIMIT = /^(limit|per_?page|page_?size|max_?results|count|first|top|take|\$?top|num)$/i
const CURSOR = 'after-'

/** A page of a list, what its reply says about the next one, and in which headers. */
export interface Page {
  readonly things: readonly Thing[]
  readonly say: (data: Record<string, unknown>) => Record<string, unknown>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The page that the arguments ask for, as the manifest declares the paging. Without such a word: as many
 * objects as the caller wants.
 */
export function pageOf(
  things: readonly Thing[],
  pagination: PaginationManifest | undefined,
  args: Readonly<Record<string, unknown>>,
  url: string,
): Page {
  const size = sizeOf(args, pagination?.size) ?? things.length
  if (!pagination) return { things: things.slice(0, size), say: (data) => data, headers: {} }
  const from = startOf(things, pagination, args, size)
  const end = from + size
  const isMore = end < things.length
  const value =
    pagination.by === 'page'
      ? String(pageNumber(pagination, args) + 1)
      : pagination.by === 'offset'
        ? String(end)
        : `${CURSOR}${end}`
  const link =
    isMore && pagination.by === 'link'
      ? nextAddress(url, pagination.parameter ?? pagination.argument, `${CURSOR}${end}`)
      : undefined
  return {
    things: things.slice(from, end),
    say: (data) => pageInfo(data, pagination, isMore, link ?? value, things.length, size),
    headers: isMore
      ? {
          ...(pagination.next_header && { [pagination.next_header]: value }),
          ...(link !== undefined && pagination.next === undefined && { link: `<${link}>; rel="next"` }),
        }
      : {},
  }
}

function sizeOf(args: Readonly<Record<string, unknown>>, name: string | undefined): number | undefined {
  const value = Number(
    name === undefined ? Object.entries(args).find(([one]) => LIMIT.test(one))?.[1] : args[name],
  )
  return Number.isInteger(value) && value > 0 ? value : undefined
}

const pageNumber = (
  { argument, first = 1 }: PaginationManifest,
  args: Readonly<Record<string, unknown>>,
): number => Number(args[argument] ?? first)

function startOf(
  things: readonly Thing[],
  pagination: PaginationManifest,
  args: Readonly<Record<string, unknown>>,
  size: number,
): number {
  const asked = args[pagination.argument]
  if (pagination.by === 'page')
    return Math.max(0, (pageNumber(pagination, args) - (pagination.first ?? 1)) * size)
  if (asked === undefined || asked === null || asked === '') return 0
  if (pagination.by === 'offset') return Math.max(0, Number(asked) || 0)
  if (pagination.by === 'last_item')
    return (
      things.findIndex(({ fields }) => String(read(fields, pagination.item_key ?? 'id')) === String(asked)) +
      1
    )
  return Number(new RegExp(`${CURSOR}(\\d+)`).exec(String(asked))?.[1] ?? 0)
}

function pageInfo(
  data: Record<string, unknown>,
  { by, next, more, last, total, pages }: PaginationManifest,
  isMore: boolean,
  value: string,
  count: number,
  size: number,
): Record<string, unknown> {
  const said: [string | undefined, unknown][] = [
    [by === 'cursor' || by === 'link' ? next : undefined, isMore ? value : null],
    [more, isMore],
    [last, !isMore],
    [total, count],
    [pages, Math.max(1, Math.ceil(count / Math.max(1, size)))],
  ]
  // On the last page the value is not there, rather than null where the output says that it is a text.
  return said.reduce<unknown>(
    (all, [path, one]) =>
      path === undefined || (one === null && read(all, path) === undefined)
        ? all
        : written(all, path, one ?? undefined),
    data,
  ) as Record<string, unknown>
}

/**
 * The address of this page with the mark of the next one; a parameter of it may be written otherwise than the
 * argument.
 */
function nextAddress(url: string, parameter: string, value: string): string {
  const next = new URL(url)
  const name = [...next.searchParams.keys()].find((one) => plain(one) === plain(parameter)) ?? parameter
  next.searchParams.set(name, value)
  return next.href
}

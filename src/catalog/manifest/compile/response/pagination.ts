import { findFirstGroup } from '../../../../platform/safe-pattern/index.ts'
import type { PaginationManifest } from '../../format/pagination.ts'
import { compilePath } from '../template/paths.ts'
import type { ToolPage, CompiledPagination } from '../../../types/index.ts'

const VALUE_MAX = 8_192

/** Compiles the pagination of a list. */
export function compilePagination(manifest: PaginationManifest): CompiledPagination {
  const items = compilePath(manifest.items)
  const ends = [
    ...(manifest.more ? [endsUnlessTrue(manifest.more)] : []),
    ...(manifest.last ? [endsIfTrue(manifest.last)] : []),
  ]
  const next = NEXT_PAGE_READERS[manifest.by](manifest)
  const also = compileFurtherArguments(manifest)
  return Object.freeze<CompiledPagination>({
    argument: manifest.argument,
    tool: manifest.tool,
    itemsPath: manifest.items,
    items(data) {
      const list = items(data)
      return Array.isArray(list) ? list : []
    },
    next(page) {
      if (ends.some((end) => end(page.data))) return undefined
      const value = validPageValue(next(page))
      return value === undefined ? undefined : { ...also(page), [manifest.argument]: value }
    },
  })
}

function validPageValue(value: unknown): string | number | undefined {
  return (typeof value === 'string' && value !== '' && value.length <= VALUE_MAX) ||
    (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined
}

/** Compiles the further arguments that the URL of the next page contains. */
function compileFurtherArguments({
  also = {},
  next,
}: PaginationManifest): (page: ToolPage) => Record<string, string> {
  const names = Object.entries(also)
  const address = compileNextUrl(next)
  return (page) =>
    Object.fromEntries(
      names.flatMap(([argument, parameter]) => {
        const value = queryParameter(address(page), parameter)
        return value === undefined ? [] : [[argument, value]]
      }),
    )
}

const isTrue = (value: unknown) => value === true || value === 'true'
const endsUnlessTrue = (path: string) => {
  const read = compilePath(path)
  return (data: unknown) => !isTrue(read(data))
}
const endsIfTrue = (path: string) => {
  const read = compilePath(path)
  return (data: unknown) => isTrue(read(data))
}

type NextPageReader = (page: ToolPage) => unknown

const NEXT_PAGE_READERS: Readonly<
  Record<PaginationManifest['by'], (manifest: PaginationManifest) => NextPageReader>
> = {
  cursor({ next, next_header: header, pattern }) {
    const path = compilePath(next ?? '$')
    const read: NextPageReader =
      header === undefined ? ({ data }) => path(data) : ({ headers }) => headerText(headers[header])
    if (pattern === undefined) return read
    return (page) => findFirstGroup(pattern, String(read(page) ?? ''))
  },
  link({ next, parameter, argument }) {
    const address = compileNextUrl(next)
    return (page) => queryParameter(address(page), parameter ?? argument)
  },
  last_item({ item_key: key = 'id', size }) {
    const read = compilePath(key)
    return (page) => (isShort(page, size) ? undefined : read(page.items.at(-1)))
  },
  page({ argument, first = 1, size, pages }) {
    const count = pages === undefined ? undefined : compilePath(pages)
    return (page) => {
      const current = toCount(page.args[argument]) ?? first
      const all = toCount(count?.(page.data))
      if (isShort(page, size) || (all !== undefined && current + 1 >= all + first)) return undefined
      return inTypeOf(current + 1, page.args[argument])
    }
  },
  offset({ argument, size, total }) {
    const count = total === undefined ? undefined : compilePath(total)
    return (page) => {
      const read = (toCount(page.args[argument]) ?? 0) + page.items.length
      const all = toCount(count?.(page.data))
      if (isShort(page, all === undefined ? size : undefined) || (all !== undefined && read >= all))
        return undefined
      return inTypeOf(read, page.args[argument])
    }
  },
}

/** Nothing on it, or less than was asked for. */
function isShort({ items, args }: ToolPage, size: string | undefined): boolean {
  const requested = size === undefined ? undefined : toCount(args[size])
  return items.length === 0 || (requested !== undefined && items.length < requested)
}

function toCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** As the caller wrote the argument, so that it fits its schema. */
const inTypeOf = (value: number, argument: unknown): string | number =>
  typeof argument === 'string' ? String(value) : value

const headerText = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' || value === undefined ? value : value.join(', ')

/** Where the address of the next page stands. */
function compileNextUrl(next: string | undefined): NextPageReader {
  const read = next === undefined ? undefined : compilePath(next)
  return ({ data, headers }) => (read ? read(data) : nextLinkUrl(headerText(headers['link'])))
}

/** The target of `rel="next"` in a `Link` header (RFC 8288, section 3). */
function nextLinkUrl(header: string | undefined): string | undefined {
  for (const [, target, params] of header?.slice(0, 16_384).matchAll(/<([^<>]*)>([^<]*)/g) ?? []) {
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next)\s*(?:[;,]|$)/i.test(params ?? ''))
      return target
  }
  return undefined
}

/**
 * Only a value of the address is used, never the address: it may lead elsewhere, and the next request carries
 * the credentials.
 */
function queryParameter(address: unknown, name: string): string | undefined {
  if (typeof address !== 'string' || address.length > VALUE_MAX) return undefined
  return URL.parse(address, 'http://relative.invalid')?.searchParams.get(name) ?? undefined
}

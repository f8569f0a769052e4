import type { PaginationManifest } from '../../format/pagination.ts'
import { compilePath } from '../template/paths.ts'
import type { Page, Paging } from '../../../types/index.ts'

const VALUE_MAX = 8_192

/** Compiles how a list goes on. */
export function compilePaging(manifest: PaginationManifest): Paging {
  const items = compilePath(manifest.items)
  const ends = [
    ...(manifest.more ? [endsUnless(manifest.more)] : []),
    ...(manifest.last ? [endsIf(manifest.last)] : []),
  ]
  const next = NEXT[manifest.by](manifest)
  const also = alsoOf(manifest)
  return Object.freeze<Paging>({
    argument: manifest.argument,
    tool: manifest.tool,
    itemsPath: manifest.items,
    items(data) {
      const list = items(data)
      return Array.isArray(list) ? list : []
    },
    next(page) {
      if (ends.some((end) => end(page.data))) return undefined
      const value = usable(next(page))
      return value === undefined ? undefined : { ...also(page), [manifest.argument]: value }
    },
  })
}

function usable(value: unknown): string | number | undefined {
  return (typeof value === 'string' && value !== '' && value.length <= VALUE_MAX) ||
    (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined
}

/** Arguments that the address of the next page holds beside the one that leads there. */
function alsoOf({ also = {}, next }: PaginationManifest): (page: Page) => Record<string, string> {
  const names = Object.entries(also)
  const address = addressOf(next)
  return (page) =>
    Object.fromEntries(
      names.flatMap(([argument, parameter]) => {
        const value = parameterOf(address(page), parameter)
        return value === undefined ? [] : [[argument, value]]
      }),
    )
}

const isTrue = (value: unknown) => value === true || value === 'true'
const endsUnless = (path: string) => {
  const read = compilePath(path)
  return (data: unknown) => !isTrue(read(data))
}
const endsIf = (path: string) => {
  const read = compilePath(path)
  return (data: unknown) => isTrue(read(data))
}

type Next = (page: Page) => unknown

const NEXT: Readonly<Record<PaginationManifest['by'], (manifest: PaginationManifest) => Next>> = {
  cursor({ next, next_header: header, pattern }) {
    const path = compilePath(next ?? '$')
    const read: Next =
      header === undefined ? ({ data }) => path(data) : ({ headers }) => textOf(headers[header])
    if (pattern === undefined) return read
    const group = expression(pattern)
    return (page) => group.exec(String(read(page) ?? '').slice(0, VALUE_MAX))?.[1]
  },
  link({ next, parameter, argument }) {
    const address = addressOf(next)
    return (page) => parameterOf(address(page), parameter ?? argument)
  },
  last_item({ item_key: key = 'id', size }) {
    const read = compilePath(key)
    return (page) => (isShort(page, size) ? undefined : read(page.items.at(-1)))
  },
  page({ argument, first = 1, size, pages }) {
    const count = pages === undefined ? undefined : compilePath(pages)
    return (page) => {
      const current = numberOf(page.args[argument]) ?? first
      const all = numberOf(count?.(page.data))
      if (isShort(page, size) || (all !== undefined && current + 1 >= all + first)) return undefined
      return like(current + 1, page.args[argument])
    }
  },
  offset({ argument, size, total }) {
    const count = total === undefined ? undefined : compilePath(total)
    return (page) => {
      const read = (numberOf(page.args[argument]) ?? 0) + page.items.length
      const all = numberOf(count?.(page.data))
      if (isShort(page, all === undefined ? size : undefined) || (all !== undefined && read >= all))
        return undefined
      return like(read, page.args[argument])
    }
  },
}

/** Nothing on it, or less than was asked for. */
function isShort({ items, args }: Page, size: string | undefined): boolean {
  const wanted = size === undefined ? undefined : numberOf(args[size])
  return items.length === 0 || (wanted !== undefined && items.length < wanted)
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** As the caller wrote the argument, so that it fits its schema. */
const like = (value: number, given: unknown): string | number =>
  typeof given === 'string' ? String(value) : value

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' || value === undefined ? value : value.join(', ')

/** Where the address of the next page stands. */
function addressOf(next: string | undefined): Next {
  const read = next === undefined ? undefined : compilePath(next)
  return ({ data, headers }) => (read ? read(data) : nextLink(textOf(headers['link'])))
}

/** One that is none was told by the rules of manifests, and matches nothing here. */
function expression(pattern: string): RegExp {
  try {
    return new RegExp(pattern)
  } catch {
    return /$^/
  }
}

/** The target of `rel="next"` in a `Link` header (RFC 8288, section 3). */
function nextLink(header: string | undefined): string | undefined {
  for (const [, target, params] of header?.slice(0, 16_384).matchAll(/<([^<>]*)>([^<]*)/g) ?? []) {
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next)\s*(?:[;,]|$)/i.test(params ?? ''))
      return target
  }
  return undefined
}

/** Only a value of the address is used, never the address: it may lead elsewhere, and the next request carries the credentials. */
function parameterOf(address: unknown, name: string): string | undefined {
  if (typeof address !== 'string' || address.length > VALUE_MAX) return undefined
  return URL.parse(address, 'http://relative.invalid')?.searchParams.get(name) ?? undefined
}

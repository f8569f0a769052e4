/** JSON of most answers has more than three bytes to a token of the usual models, so a page is rather too small than too large. */
const BYTES_A_TOKEN = 3
const DEPTH_MAX = 50
/** Below this, a text is not begun at the end of a page. */
const PIECE_MIN = 64

/** One page: a part of the whole, in the shape of the whole, and the place in the whole at which it begins; `body@900` is within a text. */
export interface PagePart {
  data: Record<string, unknown>
  begins_at: string
}

type Container = Record<string, unknown> | unknown[]
interface Open {
  source: Container
  target: Container
  name: string | number
}

export const tokensIn = (value: unknown): number => Math.ceil(sizeOf(value) / BYTES_A_TOKEN)

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null')

/**
 * Splits data into pages of about so many tokens. Members and items stay whole where a page can hold them; lists, objects and texts that are larger go
 * on in the next page, which has the same shape around them.
 */
export function split(data: Record<string, unknown>, tokens: number): PagePart[] {
  const bytesMax = tokens * BYTES_A_TOKEN
  const pages: PagePart[] = []
  const open: Open[] = []
  let room = 0
  let isEmpty = true

  const place = () =>
    open
      .map(({ source, name }, i) => (Array.isArray(source) ? `[${name}]` : `${i ? '.' : ''}${name}`))
      .join('')
  const overhead = () =>
    open.reduce(
      (sum, { source, name }) => sum + (Array.isArray(source) ? 2 : Buffer.byteLength(String(name)) + 6),
      2,
    )

  function turn(within = ''): void {
    pages.push({ data: {}, begins_at: pages.length ? place() + within : '' })
    let target: Container = (pages.at(-1) as PagePart).data
    open.forEach((one, i) => {
      one.target = target
      const below = open[i + 1]
      if (below) target = attach(one, Array.isArray(below.source) ? [] : {}) as Container
    })
    room = bytesMax - overhead()
    isEmpty = true
  }

  function put(value: unknown, bytes: number): void {
    attach(open.at(-1) as Open, value)
    room -= bytes
    isEmpty = false
  }

  function add(value: unknown, name: string | number, depth: number): void {
    const holder = open.at(-1) as Open
    holder.name = name
    const bytes = sizeOf(value) + 1 + (typeof name === 'string' ? Buffer.byteLength(name) + 3 : 0)
    if (bytes <= room) return put(value, bytes)
    const isLarge = bytes > bytesMax - overhead()
    if (!isLarge && !isEmpty) turn()
    if (!isLarge || typeof value !== 'object' || value === null || depth > DEPTH_MAX)
      return typeof value === 'string' && isLarge ? addText(value) : put(value, bytes)
    if (room < PIECE_MIN && !isEmpty) turn()
    const source = value as Container
    open.push({ source, target: attach(holder, Array.isArray(source) ? [] : {}) as Container, name: '' })
    for (const [key, member] of Array.isArray(source) ? source.entries() : Object.entries(source))
      add(member, key, depth + 1)
    open.pop()
  }

  function addText(text: string): void {
    for (let at = 0; at < text.length;) {
      if (room < PIECE_MIN && !isEmpty) turn()
      const piece = beginning(text.slice(at, at + Math.max(room, PIECE_MIN)), Math.max(room, PIECE_MIN))
      put(piece, sizeOf(piece) + 1)
      at += piece.length
      if (at < text.length) turn(`@${at}`)
    }
  }

  open.push({ source: data, target: {}, name: '' })
  turn()
  for (const [name, value] of Object.entries(data)) add(value, name, 1)
  return pages
}

/** Puts a value where its holder is at; a list just goes on. */
function attach({ target, name }: Open, value: unknown): unknown {
  if (Array.isArray(target)) target.push(value)
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true }) // `__proto__` is a name like any other
  return value
}

/** As much of a text as has room in JSON, and no half of a character. */
function beginning(text: string, bytes: number): string {
  let length = text.length
  while (length > 1 && sizeOf(text.slice(0, length)) > bytes)
    length = Math.max(1, Math.floor(length * Math.min(0.9, bytes / sizeOf(text.slice(0, length)))))
  return /[\ud800-\udbff]$/.test(text.slice(0, length))
    ? text.slice(0, length === 1 ? 2 : length - 1)
    : text.slice(0, length)
}

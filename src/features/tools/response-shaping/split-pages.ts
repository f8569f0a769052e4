/** JSON of most responses has more than three bytes a token of the usual models, so pages are rather too small. */
const BYTES_PER_TOKEN = 3
const DEPTH_MAX = 50
/** With fewer bytes left, a text starts on the next page. */
const PIECE_MIN = 64

/** One page: a part of the data in the shape of the whole. `begins_at`: its place; `body@900` is within a text. */
export interface PagePart {
  data: Record<string, unknown>
  begins_at: string
}

type Container = Record<string, unknown> | unknown[]

/** An object or list that is being copied, and the property that is copied now. */
interface OpenContainer {
  readonly source: Container
  target: Container
  name: string | number
}

export const countTokens = (value: unknown): number => Math.ceil(jsonBytes(value) / BYTES_PER_TOKEN)

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null')

/**
 * Splits data into pages of about so many tokens. Properties and items stay whole if one page can contain them.
 * Larger lists, objects and texts continue on the next page, which has the same shape around them.
 */
export function splitPages(data: Record<string, unknown>, tokens: number): PagePart[] {
  const splitter = new PageSplitter(data, tokens * BYTES_PER_TOKEN)
  for (const [name, value] of Object.entries(data)) splitter.add(value, name, 1)
  return splitter.pages
}

class PageSplitter {
  readonly pages: PagePart[] = []
  readonly #bytesMax: number
  readonly #open: OpenContainer[]
  /** Bytes that are left on the current page. */
  #left = 0
  #isEmpty = true

  constructor(data: Record<string, unknown>, bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#open = [{ source: data, target: {}, name: '' }]
    this.#startPage()
  }

  add(value: unknown, name: string | number, depth: number): void {
    const container = this.#open.at(-1) as OpenContainer
    container.name = name
    const bytes = jsonBytes(value) + 1 + (typeof name === 'string' ? Buffer.byteLength(name) + 3 : 0)
    if (bytes <= this.#left) return this.#put(value, bytes)
    const isLarge = bytes > this.#bytesMax - this.#overhead()
    if (!isLarge && !this.#isEmpty) this.#startPage()
    if (!isLarge || typeof value !== 'object' || value === null || depth > DEPTH_MAX) {
      return typeof value === 'string' && isLarge ? this.#addText(value) : this.#put(value, bytes)
    }
    if (this.#left < PIECE_MIN && !this.#isEmpty) this.#startPage()
    const source = value as Container
    const target = attach(container, Array.isArray(source) ? [] : {}) as Container
    this.#open.push({ source, target, name: '' })
    const entries = Array.isArray(source) ? source.entries() : Object.entries(source)
    for (const [key, property] of entries) this.add(property, key, depth + 1)
    this.#open.pop()
  }

  #addText(text: string): void {
    for (let offset = 0; offset < text.length;) {
      if (this.#left < PIECE_MIN && !this.#isEmpty) this.#startPage()
      const bytes = Math.max(this.#left, PIECE_MIN)
      const piece = beginningOf(text.slice(offset, offset + bytes), bytes)
      this.#put(piece, jsonBytes(piece) + 1)
      offset += piece.length
      if (offset < text.length) this.#startPage(`@${offset}`)
    }
  }

  #put(value: unknown, bytes: number): void {
    attach(this.#open.at(-1) as OpenContainer, value)
    this.#left -= bytes
    this.#isEmpty = false
  }

  /** Starts a page with copies of the open containers, which continue on it. */
  #startPage(offsetInText = ''): void {
    const page: PagePart = { data: {}, begins_at: this.pages.length ? this.#place() + offsetInText : '' }
    this.pages.push(page)
    let target: Container = page.data
    for (const [index, container] of this.#open.entries()) {
      container.target = target
      const inner = this.#open[index + 1]
      if (inner) target = attach(container, Array.isArray(inner.source) ? [] : {}) as Container
    }
    this.#left = this.#bytesMax - this.#overhead()
    this.#isEmpty = true
  }

  #place(): string {
    return this.#open
      .map(({ source, name }, index) => (Array.isArray(source) ? `[${name}]` : `${index ? '.' : ''}${name}`))
      .join('')
  }

  /** The bytes that the open containers need on each page. */
  #overhead(): number {
    return this.#open.reduce(
      (sum, { source, name }) => sum + (Array.isArray(source) ? 2 : Buffer.byteLength(String(name)) + 6),
      2,
    )
  }
}

/** Adds a value to a container: at the current name of an object, or at the end of a list. */
function attach({ target, name }: OpenContainer, value: unknown): unknown {
  if (Array.isArray(target)) target.push(value)
  // An assignment to `__proto__` would set the prototype.
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
  return value
}

/** Returns as much of a text as its JSON has room for, without half of a character. */
function beginningOf(text: string, bytes: number): string {
  let length = text.length
  while (length > 1 && jsonBytes(text.slice(0, length)) > bytes) {
    const share = Math.min(0.9, bytes / jsonBytes(text.slice(0, length)))
    length = Math.max(1, Math.floor(length * share))
  }
  const endsInSurrogatePair = /[\ud800-\udbff]$/.test(text.slice(0, length))
  if (!endsInSurrogatePair) return text.slice(0, length)
  return text.slice(0, length === 1 ? 2 : length - 1)
}

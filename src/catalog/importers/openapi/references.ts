import { isObject, type Json, getOwn } from '../json.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'

/** A value and the URL of its document: references in the value are relative to that URL. */
export interface LocatedValue {
  readonly value: unknown
  readonly base: string
}

export interface References {
  /** Returns the target of a reference, and follows further references. @throws ImportRejected */
  resolve(ref: string, base: string): LocatedValue
  /** Returns the value itself, or the target if it is a reference. @throws ImportRejected */
  follow(place: LocatedValue): LocatedValue
  /** Addresses of documents that were needed and not there. */
  readonly missing: ReadonlySet<string>
}

/** A chain of references longer than this is cyclic. */
const STEPS_MAX = 40

/**
 * Follows `$ref` within a document and into those that were fetched. It never fetches: documents that are not
 * there are added to `missing`. `address` is the URL of the root document, empty if unknown. Only http and
 * https URLs are ever requested.
 */
export const references = (root: Json, address: string, fetched: ReadonlyMap<string, Json>): References =>
  new DocumentReferences(root, address, fetched)

class DocumentReferences implements References {
  readonly missing = new Set<string>()
  private readonly known = new Map<string, LocatedValue>()
  private readonly root: Json
  private readonly address: string
  private readonly fetched: ReadonlyMap<string, Json>
  private steps = 0

  constructor(root: Json, address: string, fetched: ReadonlyMap<string, Json>) {
    this.root = root
    this.address = address
    this.fetched = fetched
  }

  resolve(ref: string, base: string): LocatedValue {
    const key = `${base}\n${ref}`
    let place = this.known.get(key)
    if (!place) this.known.set(key, (place = this.follow(this.find(ref, base))))
    return place
  }

  follow(place: LocatedValue): LocatedValue {
    const ref = getOwn(place.value, '$ref')
    if (typeof ref !== 'string') return place
    if (++this.steps > STEPS_MAX) {
      this.steps = 0
      throw new ImportRejected('unknown_reference', `The reference ${quoted(ref)} is cyclic.`)
    }
    try {
      return this.follow(this.find(ref, place.base))
    } finally {
      this.steps = Math.max(0, this.steps - 1)
    }
  }

  private find(ref: string, base: string): LocatedValue {
    const at = ref.indexOf('#')
    const target = this.documentOf(at < 0 ? ref : ref.slice(0, at), base)
    const fragment = at < 0 ? '' : ref.slice(at + 1)
    let place: LocatedValue = { value: target.document, base: target.base }
    if (fragment === '') return place
    if (!fragment.startsWith('/')) throw unknown(ref)
    for (const step of fragment.slice(1).split('/')) {
      const key = decoded(step)
      // A pointer may pass through a reference: `#/paths/~1a/get/parameters/0/schema` where the parameter is
      // one.
      let next = childOf(place.value, key)
      if (next === undefined && typeof getOwn(place.value, '$ref') === 'string') {
        place = this.follow(place)
        next = childOf(place.value, key)
      }
      if (next === undefined) throw unknown(ref)
      place = { value: next, base: place.base }
    }
    return place
  }

  private documentOf(ref: string, base: string): { document: Json; base: string } {
    if (ref === '' || ref === base)
      return { document: base === this.address ? this.root : this.fetched.get(base)!, base }
    const url = urlOf(ref, base)
    if (url === this.address) return { document: this.root, base: this.address }
    const document = this.fetched.get(url)
    if (document) return { document, base: url }
    this.missing.add(url)
    throw new ImportRejected(
      'external_reference',
      `The reference ${quoted(ref)} leads to a document that was not read. Import by address, or bundle ` +
        'the documents into one.',
    )
  }
}

/** Returns the URL of the document that a reference names. @throws ImportRejected */
function urlOf(ref: string, base: string): string {
  if (!URL.canParse(ref, base || undefined))
    throw new ImportRejected(
      'external_reference',
      `The reference ${quoted(ref)} leads to another document, and the address of this one is not ` +
        'known. Give the address, or bundle the documents into one.',
    )
  const url = new URL(ref, base || undefined)
  url.hash = ''
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ImportRejected(
      'external_reference',
      `The reference ${quoted(ref)} is no web address; only http and https are followed. Bundle the ` +
        'documents into one.',
    )
  return url.href
}

const unknown = (ref: string) =>
  new ImportRejected('unknown_reference', `The target of the reference ${quoted(ref)} does not exist.`)

function childOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? (value[Number(key)] as unknown) : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function decoded(step: string): string {
  let key = step
  try {
    key = decodeURIComponent(step)
  } catch {
    /* A percent sign that is none stands for itself. */
  }
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

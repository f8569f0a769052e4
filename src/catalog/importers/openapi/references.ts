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
export function references(root: Json, address: string, fetched: ReadonlyMap<string, Json>): References {
  const known = new Map<string, LocatedValue>()
  const missing = new Set<string>()

  function documentOf(ref: string, base: string): { document: Json; base: string } {
    if (ref === '' || ref === base) return { document: base === address ? root : fetched.get(base)!, base }
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
    if (url.href === address) return { document: root, base: address }
    const document = fetched.get(url.href)
    if (document) return { document, base: url.href }
    missing.add(url.href)
    throw new ImportRejected(
      'external_reference',
      `The reference ${quoted(ref)} leads to a document that was not read. Import by address, or bundle ` +
        'the documents into one.',
    )
  }

  function find(ref: string, base: string): LocatedValue {
    const at = ref.indexOf('#')
    const target = documentOf(at < 0 ? ref : ref.slice(0, at), base)
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
        place = follow(place)
        next = childOf(place.value, key)
      }
      if (next === undefined) throw unknown(ref)
      place = { value: next, base: place.base }
    }
    return place
  }

  function resolve(ref: string, base: string): LocatedValue {
    const key = `${base}\n${ref}`
    let place = known.get(key)
    if (!place) known.set(key, (place = follow(find(ref, base))))
    return place
  }

  let steps = 0
  function follow(place: LocatedValue): LocatedValue {
    const ref = getOwn(place.value, '$ref')
    if (typeof ref !== 'string') return place
    if (++steps > STEPS_MAX) {
      steps = 0
      throw new ImportRejected('unknown_reference', `The reference ${quoted(ref)} is cyclic.`)
    }
    try {
      return follow(find(ref, place.base))
    } finally {
      steps = Math.max(0, steps - 1)
    }
  }

  return { resolve, follow, missing }
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

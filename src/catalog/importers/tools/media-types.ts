import type { BodyType } from '../../manifest/format/index.ts'

const essence = (type: string) => type.split(';', 1)[0]!.trim().toLowerCase()

const isJson = (type: string) =>
  /^(application|text)\/(.*\+)?json$|^application\/\*\+json$|^\*\/\*$|^application\/\*$/.test(essence(type))

/** How a body of a media type is written. */
export function bodyTypeOf(type: string): BodyType {
  const plain = essence(type)
  if (plain === 'application/x-www-form-urlencoded') return 'form'
  if (plain === 'multipart/form-data' || plain === 'application/form-data') return 'multipart'
  if (isJson(type)) return 'json'
  return /^text\/|[/+](xml|yaml|x-yaml|csv|graphql|jwt|jose|x-ndjson|jsonl|javascript|sparql-query)$/.test(
    plain,
  )
    ? 'text'
    : 'binary'
}

const RANKS: Readonly<Record<BodyType, number>> = { json: 0, form: 1, multipart: 2, text: 3, binary: 4 }

/**
 * The one that says most with the least: plain JSON, other JSON, forms, bytes of any kind, text, other bytes. Where an
 * operation takes text and any bytes, only a file can be both.
 */
export function bestMediaType(types: readonly string[]): string | undefined {
  const rank = (type: string) =>
    essence(type) === 'application/json'
      ? -1
      : essence(type) === 'application/octet-stream'
        ? RANKS.text - 0.5
        : RANKS[bodyTypeOf(type)]
  return types.filter((type) => type.trim() !== '').sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0]
}

export const bestJson = (types: readonly string[]): string | undefined =>
  types.filter(isJson).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]

const DEFAULTS: Readonly<Record<BodyType, RegExp>> = {
  json: /^(application\/(\*|(\*\+)?json)(; ?charset=utf-8)?|\*\/\*)$/i,
  form: /^application\/x-www-form-urlencoded/i,
  multipart: /^(multipart|application)\/form-data/i,
  text: /^text\/plain(; ?charset=utf-8)?$/i,
  binary: /^application\/octet-stream$/i,
}

/** The content type that a request has to name because it is not the usual one of its kind. */
export function contentTypeOf(type: string): string | undefined {
  const word = type.trim()
  if (DEFAULTS[bodyTypeOf(type)].test(word) || word.includes('*')) return undefined
  // A media type that is not valid in a header is ignored.
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\x20-\x7e]*)?$/.test(word) ? word : undefined
}

import type { JsonSchema, RequestManifest } from '../../src/catalog/index.ts'
import type { Surface } from './read-request.ts'
import type { WireRequest } from './wire.ts'
import { type Found, canBeAbsent, isObject, readBack } from './read-back.ts'
import { fits, isListArgument, members } from './read-arguments.ts'
import { decodedPairs, pairsOf, readPairs } from './read-pairs.ts'
import { readMultipart } from './read-multipart.ts'

export function readBody(
  request: RequestManifest,
  input: JsonSchema,
  { credentials }: Surface,
  { body, headers }: WireRequest,
  found: Found,
): boolean {
  if (request.body === undefined) return true
  const template = members(request.body) as unknown
  if (!body.length)
    return (
      canBeAbsent(template) ||
      request.body_optional === true ||
      (isObject(template) && !Object.keys(template).length)
    )
  const own = isObject(template) && !Object.hasOwn(template, '$') ? template : undefined
  const isList = (name: string) => isListArgument(own?.[name], input)
  switch (request.body_type ?? 'json') {
    case 'form':
      // One argument is all members of the form.
      if (!own) return readBack(template, Object.fromEntries(decodedPairs(body.toString())), found)
      return fits(
        own ?? {},
        readPairs(
          pairsOf(body.toString()),
          request.body_style ?? {},
          new Set(Object.keys(own ?? {})),
          isList,
        ),
        credentials,
        found,
      )
    case 'multipart':
      return fits(
        own ?? {},
        readParts(request, own, readMultipart(body, headers['content-type'] ?? '')),
        credentials,
        found,
      )
    case 'text':
      return readBack(template, body.toString(), found)
    case 'binary':
      return readBack(template, { content: body.toString('base64'), encoding: 'base64' }, found)
    default:
      return readJson(template, own, credentials, body, found)
  }
}

/** Parts of an upload; those that are text are read as the pairs of a form, whose names can have brackets. */
function readParts(
  { body_style: styles }: RequestManifest,
  own: Record<string, unknown> | undefined,
  parts: Record<string, unknown>,
): Record<string, unknown> {
  if (!styles) return parts
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
  const texts = Object.entries(parts).filter(isText)
  const pairs = texts.map(([name, value]) => [encodeURIComponent(name), encodeURIComponent(value)] as const)
  const files = Object.entries(parts).filter((entry) => !isText(entry))
  const names = new Set(Object.keys(own ?? {}))
  return { ...Object.fromEntries(files), ...readPairs(pairs, styles, names, () => false) }
}

function readJson(
  template: unknown,
  own: Record<string, unknown> | undefined,
  credentials: ReadonlySet<string>,
  body: Buffer,
  found: Found,
): boolean {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    return false
  }
  found.isJson = true
  if (!own || !isObject(value)) return readBack(template, value, found)
  if (!Object.keys(value).length) return Object.values(own).every(canBeAbsent)
  return readBack(
    own,
    Object.fromEntries(
      Object.entries(value).filter(([name]) => Object.hasOwn(own, name) || !credentials.has(name)),
    ),
    found,
  )
}

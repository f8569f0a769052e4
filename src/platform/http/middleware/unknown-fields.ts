import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiVersion, Route } from '../../../contract/route.ts'
import { badRequest } from '../api-error.ts'
import { nearestName } from '../../nearest-name.ts'
import { containsSecret, looksSecret } from '../../secret-detection.ts'

/** Header of a response whose request had names that the server ignored. */
export const WARNING_HEADER = 'x-patchbay-warning'
/** Unknown names that are reported for one request. */
const REPORTED_MAX = 5
/** Items of an array that are compared: the names of the others are usually the same. */
const ITEMS_MAX = 50
const NAME_SHOWN_MAX = 60

interface SchemaNode extends Partial<Record<'oneOf' | 'anyOf' | 'allOf', SchemaNode[]>> {
  type?: unknown
  properties?: Record<string, SchemaNode>
  patternProperties?: object
  additionalProperties?: unknown
  items?: SchemaNode
}

/** The names that an object may have, and the objects in it. */
interface KnownFields {
  fields?: ReadonlyMap<string, KnownFields | undefined>
  items?: KnownFields
}

/** A field or parameter that the operation does not declare. */
export interface UnknownField {
  /** Dotted path, such as `payload.connection.user`. The first part is `payload` or `query`. */
  path: string
  name: string
  /** A declared name that the caller may have meant. */
  nearest: string | undefined
}

/**
 * Returns the names of a value that a schema does not declare, at most five. Objects that may have further fields, such
 * as arguments and credentials, are not compared.
 * @param part `payload` or `query`
 */
export function findUnknownFields(schema: object, value: unknown, part: 'payload' | 'query'): UnknownField[] {
  const known = knownFields(schema)
  const found: UnknownField[] = []
  if (known) collectUnknown(value, known, part, found)
  return found
}

/** Removes the names that a schema does not declare, however deep they are. */
export function removeUnknownFields(schema: object, value: unknown): void {
  const known = knownFields(schema)
  if (known) removeUnknown(value, known)
}

/** By the schema of a route, which all servers of a process share. Filled by requests, so that a start is short. */
const knownBySchema = new WeakMap<object, { readonly known: KnownFields | undefined }>()

function knownFields(schema: object): KnownFields | undefined {
  let entry = knownBySchema.get(schema)
  if (!entry) {
    entry = { known: knownFieldsOf(schema as SchemaNode) }
    knownBySchema.set(schema, entry)
  }
  return entry.known
}

function knownFieldsOf(node: SchemaNode): KnownFields | undefined {
  const variants = [...(node.oneOf ?? []), ...(node.anyOf ?? []), ...(node.allOf ?? [])]
  if (variants.length > 0) return mergeVariants(node, variants)
  const items = node.items && !Array.isArray(node.items) ? knownFieldsOf(node.items) : undefined
  if (items) return { items }
  if (!node.properties || node.patternProperties !== undefined || node.additionalProperties !== undefined)
    return undefined
  return { fields: fieldsOf(node.properties) }
}

const fieldsOf = (properties: Record<string, SchemaNode>) =>
  new Map(Object.entries(properties).map(([name, field]) => [name, knownFieldsOf(field)] as const))

/** A union knows the fields of all its objects, and every field if one of them does. */
function mergeVariants(node: SchemaNode, variants: readonly SchemaNode[]): KnownFields | undefined {
  const objects = variants.filter(({ type, properties }) => type === 'object' || properties !== undefined)
  if (objects.length === 0) return undefined
  const known = objects.map(knownFieldsOf)
  if (known.some((one) => !one?.fields)) return undefined
  const fields = known.flatMap((one) => [...(one?.fields ?? [])])
  const names = Map.groupBy([...fieldsOf(node.properties ?? {}), ...fields], ([name]) => name)
  return {
    fields: new Map(
      // The same field of two variants may have different objects.
      [...names].map(([name, same]) => [name, same.length === 1 ? same[0]?.[1] : undefined] as const),
    ),
  }
}

function collectUnknown(value: unknown, known: KnownFields, path: string, found: UnknownField[]): void {
  if (found.length >= REPORTED_MAX || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (!known.items) return
    for (const [index, item] of value.slice(0, ITEMS_MAX).entries())
      collectUnknown(item, known.items, `${path}.${index}`, found)
    return
  }
  const { fields } = known
  if (!fields) return
  for (const name of Object.keys(value)) {
    const inner = fields.get(name)
    if (inner) collectUnknown((value as Record<string, unknown>)[name], inner, `${path}.${name}`, found)
    else if (!fields.has(name) && found.length < REPORTED_MAX)
      found.push({ path, name, nearest: nearestField(name, [...fields.keys()]) })
  }
}

function removeUnknown(value: unknown, { fields, items }: KnownFields): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (items) for (const item of value) removeUnknown(item, items)
    return
  }
  if (!fields) return
  const object = value as Record<string, unknown>
  for (const name of Object.keys(object)) {
    const inner = fields.get(name)
    if (inner) removeUnknown(object[name], inner)
    else if (!fields.has(name)) delete object[name]
  }
}

/** Returns a name with few edits, or one that begins or ends with the sent one: `toolkit_slug` for `toolkit`. */
function nearestField(name: string, names: readonly string[]): string | undefined {
  const plain = plainName(name)
  const near = nearestName(name, names) ?? names.find((one) => plainName(one) === plain)
  if (near !== undefined || plain.length < 3) return near
  const alike = names.filter((one) => {
    const other = plainName(one)
    return other.startsWith(plain) || other.endsWith(plain)
  })
  return alike.sort((one, other) => one.length - other.length)[0]
}

/** Without letter case, underscores and plural: `userIds` and `user_id` are the same. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[_\-.]/g, '')
    .toLowerCase()
    .replace(/s$/, '')

/** Returns the detail of an error, such as `Error in query.toolkit: is not a known parameter. Did you mean …?`. */
export function unknownFieldDetail({ path, name, nearest }: UnknownField, hint?: string): string {
  const what = path === 'query' ? 'parameter' : 'field'
  const next =
    nearest === undefined ? (hint && path === 'payload' ? `. ${hint}` : '') : `. Did you mean ${nearest}?`
  return `Error in ${path}.${shownName(name)}: is not a known ${what}${next}`
}

/** Returns the text of the warning header: printable ASCII only. */
export const unknownFieldsWarning = (found: readonly UnknownField[]): string =>
  found
    .map(({ path, name, nearest }) => {
      const what = path === 'query' ? 'query parameter' : 'body field'
      const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
      return `Unknown ${what} "${asciiName(name)}" was ignored.${meant}`
    })
    .join(' ')

/** Returns names for the log. A name may be a secret that was sent in the wrong place. */
export const unknownNamesForLog = (found: readonly UnknownField[]): string[] =>
  found.map(({ path, name }) => {
    const isSecret = looksSecret(name) || containsSecret(name)
    return `${path}.${isSecret ? '[redacted]' : shownName(name)}`
  })

const shownName = (name: string): string => name.slice(0, NAME_SHOWN_MAX)
const asciiName = (name: string): string => shownName(name).replaceAll(/[^\x21-\x7e]|["\\]/g, '?')

/**
 * Creates the check of a route. Under v3.1 it rejects names that the operation does not declare. Under v3, or if
 * `UNKNOWN_FIELDS` is `warn`, the request runs without them: the response has a warning header, and the log an entry.
 * A body of an operation without fields is not compared: clients send `{}` or their defaults.
 */
export function unknownFieldsCheck(
  route: Route,
  apiVersion: ApiVersion,
  mode: UnknownFieldsMode,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const hasBody = Object.keys((route.body as SchemaNode).properties ?? {}).length > 0
  return (request, reply) => {
    const found = findUnknownFields(route.query, request.query, 'query')
    if (hasBody) found.push(...findUnknownFields(route.body, request.body, 'payload'))
    if (found.length === 0) return
    if (apiVersion !== 'v3' && mode === 'reject')
      throw badRequest(...found.map((one) => unknownFieldDetail(one, route.unknownFieldHint)))
    // A handler that copies a body must not store a field that callers may not set.
    removeUnknownFields(route.query, request.query)
    if (hasBody) removeUnknownFields(route.body, request.body)
    reply.header(WARNING_HEADER, unknownFieldsWarning(found))
    request.log.info(
      { request_id: request.id, operation: route.id, names: unknownNamesForLog(found) },
      'unknown fields of a request were ignored',
    )
  }
}

/** What happens to unknown names of requests to v3.1. */
export type UnknownFieldsMode = 'reject' | 'warn'

import type { JsonSchema, RequestManifest } from '../../src/catalog/index.ts'
import {
  canBeAbsent,
  type Found,
  IN_ADDRESS,
  isObject,
  nothingFound,
  patternOf,
  readBack,
} from './read-back.ts'
import { decoded, pairsOf, readPairs } from './read-pairs.ts'
import { readMultipart } from './read-multipart.ts'
import type { WireRequest } from './wire.ts'

/** Where a request may go and what it carries in addition to its arguments. */
export interface Surface {
  /** Templates of base URLs; one for each scheme that has its own. */
  readonly bases: readonly string[]
  /** Parameters of the query and members of the body that are credentials. */
  readonly credentials: ReadonlySet<string>
}

/**
 * The arguments that a request was made from, read back from its wire form by the declaration of the tool;
 * `undefined` when the tool does not make such a request. `literals` says how much of the request is literal
 * in the declaration: of two tools the one with more is meant.
 */
export function readRequest(
  request: RequestManifest,
  input: JsonSchema,
  surface: Surface,
  wire: WireRequest,
): { args: Record<string, unknown>; literals: number } | undefined {
  if (request.method !== wire.method) return undefined
  const found = nothingFound()
  const [address = '', search = ''] = wire.url.split('?', 2)
  const isRead =
    readAddress(request, surface, address, found) &&
    readQuery(request, input, surface, search, found) &&
    readHeaders(request, wire, found) &&
    readBody(request, input, surface, wire, found)
  if (!isRead) return undefined
  const properties = propertiesOf(input)
  // What the tool never leaves out is there.
  if (
    ((input['required'] as string[] | undefined) ?? []).some(
      (name) => isUsed(request, name) && !found.values.has(name),
    )
  )
    return undefined
  return {
    args: Object.fromEntries(
      [...found.values]
        .filter(([name]) => Object.hasOwn(properties, name))
        .map(([name, value]) => [name, found.typed.has(name) ? value : cast(value, properties[name]!)]),
    ),
    literals: found.literals,
  }
}

const isUsed = (request: RequestManifest, name: string): boolean =>
  request.path.includes(`{${name}}`) ||
  request.path.includes(`{+${name}}`) ||
  [request.query, request.headers, request.body].some(
    (part) => part !== undefined && JSON.stringify(members(part)).includes(`"$":"${name}"}`),
  )

function readAddress(request: RequestManifest, { bases }: Surface, address: string, found: Found): boolean {
  for (const template of /^(https?:|\{[^}]*\}\/)/.test(request.path)
    ? [request.path]
    : bases.map(
        (base) => `${base.replace(/\/+$/, '')}${request.path.startsWith('/') ? '' : '/'}${request.path}`,
      )) {
    const [path = '', fixed] = template.split('?', 2)
    if (fixed !== undefined) continue
    const { pattern, names } = patternOf(path, IN_ADDRESS)
    const match = pattern.exec(address.replace(/\/+$/, '')) ?? pattern.exec(address)
    if (!match) continue
    found.literals += path.split('/').filter((segment) => !segment.includes('{')).length
    names.forEach((name, index) => {
      found.values.set(name, decodedSegment(match[index + 1] ?? ''))
    })
    return true
  }
  return false
}

const decodedSegment = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `["a"]` is short for `{"a": {"$": "a"}}`. */
export function members(shape: unknown): Record<string, unknown> {
  return Array.isArray(shape) && shape.every((name) => typeof name === 'string')
    ? Object.fromEntries(shape.map((name: string) => [name, { $: name }]))
    : ((shape as Record<string, unknown>) ?? {})
}

function readQuery(
  request: RequestManifest,
  input: JsonSchema,
  { credentials }: Surface,
  search: string,
  found: Found,
): boolean {
  const templates = members(request.query)
  const values = readPairs(
    pairsOf(search),
    request.query_style ?? {},
    new Set(Object.keys(templates)),
    (name) => isListArgument(templates[name], input),
  )
  return fits(templates, values, credentials, found)
}

function fits(
  templates: Record<string, unknown>,
  values: Record<string, unknown>,
  credentials: ReadonlySet<string>,
  found: Found,
): boolean {
  if (Object.keys(values).some((name) => !Object.hasOwn(templates, name) && !credentials.has(name)))
    return false
  return Object.entries(templates).every(([name, template]) =>
    Object.hasOwn(values, name)
      ? readBack(template, fromText(template, values[name]), found)
      : canBeAbsent(template),
  )
}

/**
 * A literal of the declaration that is no text, e.g. `true`, was written as text. An object was written as
 * its JSON.
 */
function fromText(template: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (
    typeof template === 'number' ||
    typeof template === 'boolean' ||
    (isObject(template) && !Object.hasOwn(template, '$'))
  ) {
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }
  return value
}

function readHeaders(request: RequestManifest, { headers }: WireRequest, found: Found): boolean {
  const cookies = Object.fromEntries(
    (headers['cookie'] ?? '')
      .split('; ')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), decoded(pair.slice(pair.indexOf('=') + 1))]),
  )
  const own = Object.entries(members(request.headers))
    .filter(([name, template]) => name.toLowerCase() !== 'content-type' || canBeAbsent(template))
    .map(([name, template]) => [template, headers[name.toLowerCase()]] as const)
  return [
    ...own,
    ...Object.entries(members(request.cookies)).map(([name, template]) => [template, cookies[name]] as const),
  ].every(([template, value]) =>
    value === undefined ? canBeAbsent(template) : readBack(template, value, found),
  )
}

function readBody(
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
      return fits(own ?? {}, readMultipart(body, headers['content-type'] ?? ''), credentials, found)
    case 'text':
      return readBack(template, body.toString(), found)
    case 'binary':
      return readBack(template, { content: body.toString('base64'), encoding: 'base64' }, found)
    default:
      return readJson(template, own, credentials, body, found)
  }
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

export function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties = schema?.['properties']
  return isObject(properties) ? (properties as Record<string, JsonSchema>) : {}
}

export const typesOf = (schema: JsonSchema | undefined): string[] =>
  [schema?.['type'] ?? []].flat() as string[]

function isListArgument(template: unknown, input: JsonSchema): boolean {
  if (Array.isArray(template)) return true
  const name = isObject(template) && !Object.hasOwn(template, 'as') ? template['$'] : undefined
  return typeof name === 'string' && typesOf(propertiesOf(input)[name]).includes('array')
}

/** Text of a path, a query or a form as the schema of the argument means it. */
function cast(value: unknown, schema: JsonSchema): unknown {
  const types = typesOf(schema)
  if (Array.isArray(value))
    return types.length && !types.includes('array') && value.length === 1
      ? cast(value[0], schema)
      : value.map((item) => cast(item, (schema['items'] ?? {}) as JsonSchema))
  if (isObject(value)) {
    const own = propertiesOf(schema)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        Object.hasOwn(own, name) ? cast(inner, own[name]!) : inner,
      ]),
    )
  }
  if (typeof value !== 'string') return value
  if (types.includes('string')) return value
  if (
    (types.includes('integer') || types.includes('number')) &&
    value.trim() !== '' &&
    Number.isFinite(Number(value))
  )
    return Number(value)
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true'
  if (types.includes('array'))
    return value === ''
      ? []
      : value.split(',').map((item) => cast(item, (schema['items'] ?? {}) as JsonSchema))
  if (types.includes('object')) {
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }
  return value
}

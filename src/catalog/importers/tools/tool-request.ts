import type { PathStyle, QueryStyle, RequestManifest } from '../../manifest/format/index.ts'
import { argumentNames } from './arguments.ts'
import { bodyParts } from './body.ts'
import { BOUNDS } from '../bounds.ts'
import type { Json } from '../json.ts'
import type { ApiModel, Operation, Parameter } from '../model.ts'
import { ImportRejected } from '../import-rejected.ts'
import type { SchemaWriter } from '../schema/writer.ts'
import { argumentOf, type Argument } from './tool-argument.ts'
import { compiled } from '../openapi/servers.ts'
import { inWords, plainText } from './words.ts'

/** What a tool takes and what it sends. */
export interface ToolRequest {
  readonly input: Json
  readonly request: RequestManifest
}

export interface RequestContext {
  readonly model: ApiModel
  readonly writer: SchemaWriter
  /** Where the document came from. */
  readonly from: string
  readonly isCredential: (where: string, name: string) => boolean
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
/** OpenAPI 3.1.1 §4.8.12.1: these are said elsewhere. Those of the connection are ours. */
const NOT_ASKED =
  /^(accept|content-type|authorization|host|content-length|connection|transfer-encoding|expect|upgrade|te|trailer|cookie)$/i
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/

/** Builds the request of an operation with placeholders for its arguments. @throws ImportRejected */
export function toolRequest(operation: Operation, context: RequestContext): ToolRequest {
  const method = METHODS.find((one) => one === operation.method.toUpperCase())!
  const base = ownAddress(operation, context.from)
  const nameOf = argumentNames(base?.reserved)
  const args: Argument[] = []
  const { path, query: fixedQuery, asked } = splitPath(operation.path)
  const places = new Map<string, string>()
  const pathStyle: Record<string, PathStyle> = {}
  const query: Json = { ...fixedQuery }
  const queryStyle: Record<string, QueryStyle> = {}
  const headers: Json = {}
  const cookies: Json = {}
  for (const parameter of operation.parameters) {
    if (
      context.isCredential(parameter.in, parameter.name) ||
      (parameter.in === 'header' && (NOT_ASKED.test(parameter.name) || !HEADER.test(parameter.name)))
    )
      continue
    const constant = constantOf(parameter, context)
    if (parameter.in === 'path' && asked.has(parameter.name)) {
      const name = nameOf(parameter.name, 'query')
      query[asked.get(parameter.name)!] = { $: name }
      args.push(parameterArgument(name, parameter, false))
      continue
    }
    if (parameter.in === 'path') {
      if (!path.includes(`{${parameter.name}}`)) continue
      if (constant !== undefined) {
        places.set(parameter.name, encodeURIComponent(String(constant)).replaceAll('{', '{{'))
        continue
      }
      const name = nameOf(parameter.name, 'path')
      const style = pathStyleOf(parameter, typesOf(parameter, context))
      places.set(parameter.name, `{${name}}`)
      if (style !== undefined) pathStyle[name] = style
      args.push(parameterArgument(name, parameter, true))
      continue
    }
    const target = { query, header: headers, cookie: cookies }[parameter.in]
    if (constant !== undefined) {
      target[parameter.name] = literal(constant)
      continue
    }
    // The query of the path already contains this parameter.
    if (parameter.in === 'query' && Object.hasOwn(query, parameter.name)) continue
    const name = nameOf(parameter.name, parameter.in)
    args.push(parameterArgument(name, parameter, parameter.required))
    target[parameter.name] = { $: name, ...castOf(parameter, typesOf(parameter, context)) }
    const style = parameter.in === 'query' ? queryStyleOf(parameter, typesOf(parameter, context)) : 'repeat'
    if (style !== 'repeat') queryStyle[parameter.name] = style
  }
  const body =
    operation.body && !['GET', 'HEAD', 'OPTIONS'].includes(method)
      ? bodyParts(operation.body, context.writer, nameOf)
      : undefined
  args.push(...(body?.args ?? []))
  if (args.length > BOUNDS.arguments)
    throw new ImportRejected(
      'too_large',
      `The operation takes ${args.length} arguments; at most ${BOUNDS.arguments} are read.`,
    )
  if (body?.contentType !== undefined) headers['content-type'] = literal(body.contentType)
  const filled = path.replace(/\{([^{}/?#]+)\}/g, (_, name: string) => places.get(name)!)
  return {
    input: inputOf(args, context.writer),
    request: {
      method,
      path:
        `${base?.template ?? ''}${filled.startsWith('/') || (base === undefined && filled === '') ? '' : '/'}${filled}` ||
        '/',
      ...nonEmpty('path_style', pathStyle),
      ...nonEmpty('query', query),
      ...nonEmpty('query_style', queryStyle),
      ...nonEmpty('headers', headers),
      ...nonEmpty('cookies', cookies),
      ...body?.request,
    },
  }
}

const nonEmpty = <K extends string>(key: K, value: object) =>
  Object.keys(value).length > 0 ? { [key]: value } : {}

/** An operation that another server answers has a whole address in its path. */
function ownAddress(
  { servers }: Operation,
  from: string,
): { template: string; reserved: string[] } | undefined {
  const [server] = servers
  if (!server) return undefined
  const address = compiled(server, from)
  // A place that only a connection could fill would be asked of none; the API's own address is the better
  // guess.
  if (!address || address.needsConnection || address.template.startsWith('{')) return undefined
  const template = address.template.replace(/\{\+?[A-Za-z_][\w]*\|\|'([^']*)'\}/g, '$1')
  return { template: template.replace(/\/+$/, ''), reserved: [] }
}

/**
 * A fragment is never sent, and what follows `?` is a query that is always the same. Segments that climb are
 * written by mistake or worse.
 */
function splitPath(source: string): { path: string; query: Json; asked: ReadonlyMap<string, string> } {
  const [whole = ''] = source.split('#')
  const at = whole.indexOf('?')
  const path = (at < 0 ? whole : whole.slice(0, at))
    .split(/(\{[^{}]*\})/)
    .map((part) =>
      part.startsWith('{') ? part : part.replace(/[\s"<>\\^`|]/g, (char) => encodeURIComponent(char)),
    )
    .join('')
    .replace(/\/{2,}/g, '/')
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path))
    throw new ImportRejected(
      'bad_path',
      'The path holds a `.` or `..` segment. Write the path that is meant.',
    )
  const pairs = [...new URLSearchParams(at < 0 ? '' : whole.slice(at + 1))].filter(
    ([name]) => name !== '' && name !== '__proto__' && !/[{}]/.test(name),
  )
  const placed = pairs.flatMap(([name, value]) => {
    const place = /^\{([^{}]+)\}$/.exec(value)?.[1]
    return place === undefined ? [] : [[place, name] as const]
  })
  return {
    path,
    query: Object.fromEntries(pairs.filter(([, value]) => !/[{}]/.test(value))),
    asked: new Map(placed),
  }
}

/** A text of a JSON template in which braces stand for themselves. */
export const literal = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('{', '{{') : value

/** The only value that a required parameter may have: no model has to choose it. */
function constantOf(parameter: Parameter, { writer }: RequestContext): string | number | boolean | undefined {
  if (!parameter.required) return undefined
  const only = (writer.write(parameter.schema, 1)?.json['enum'] as unknown[] | undefined) ?? []
  return only.length === 1 && ['string', 'number', 'boolean'].includes(typeof only[0]) && only[0] !== ''
    ? (only[0] as string)
    : undefined
}

const QUERY_STYLES: Readonly<Record<string, QueryStyle>> = {
  spaceDelimited: 'space',
  pipeDelimited: 'pipe',
  tab: 'tab',
  deepObject: 'brackets',
}

/** Types that an argument may have; empty for any. */
const typesOf = ({ schema }: Parameter, { writer }: RequestContext): unknown[] =>
  [writer.write(schema, 1)?.json['type'] ?? []].flat()

/** Only what may be a list or an object has a style worth a word. */
function queryStyleOf({ style, explode, json }: Parameter, types: readonly unknown[]): QueryStyle {
  const may = (type: string) => types.length === 0 || types.includes(type)
  if (json || (!may('array') && !may('object'))) return 'repeat'
  // Exploded, the other styles are as form is (OpenAPI 3.1.1, "Style Examples").
  if (
    style === 'form' ||
    (explode && (style === 'spaceDelimited' || style === 'pipeDelimited' || style === 'tab'))
  )
    return !explode ? 'comma' : may('object') ? 'spread' : 'repeat'
  return QUERY_STYLES[style] ?? 'repeat'
}

function pathStyleOf({ style, explode, json }: Parameter, types: readonly unknown[]): PathStyle | undefined {
  if (json) return undefined
  const kind = style === 'label' || style === 'matrix' ? style : 'simple'
  if (kind === 'simple' && !types.includes('array') && !types.includes('object')) return undefined
  return explode ? `${kind}_explode` : kind
}

function castOf({ in: place, json, explode }: Parameter, types: readonly unknown[]): Json {
  if (json) return { as: 'json' }
  return place === 'query' || !types.includes('object')
    ? {}
    : { as: explode && place === 'header' ? 'members' : 'pairs' }
}

function parameterArgument(name: string, parameter: Parameter, required: boolean): Argument {
  const { description, deprecated, schema, example } = parameter
  return argumentOf({
    name,
    required,
    place: schema,
    example,
    description:
      [deprecated ? 'Deprecated.' : '', description === undefined ? '' : plainText(description, 300)]
        .filter(Boolean)
        .join(' ') || undefined,
    fallback: inWords(parameter.name),
    filled: parameter.in === 'path' && required,
  })
}

/**
 * The deepest input that is still read: arguments are cut to the depth at which all of them together are
 * small enough.
 */
export function inputOf(args: readonly Argument[], writer: SchemaWriter): Json {
  let best: Json | undefined
  for (const depth of [1, 2, 3, 4, 6, 9]) {
    const written = args.map((one) => one.write(writer, depth))
    if (written.includes(undefined)) break
    const input = inputSchema(
      args,
      written.map((one) => one!.json),
    )
    const { length } = JSON.stringify(input)
    if (best !== undefined && length > BOUNDS.inputCharacters) break
    best = input
    if (length > BOUNDS.inputCharacters || !written.some((one) => one!.cut)) break
  }
  best ??= inputSchema(
    args,
    args.map((one) => one.bare()),
  )
  return JSON.stringify(best).length > BOUNDS.inputCharacters ? slimmed(args, best) : best
}

function inputSchema(args: readonly Argument[], schemas: readonly Json[]): Json {
  const required = args.filter((one) => one.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name }, index) => [name, schemas[index]!])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/**
 * Hundreds of arguments: what is optional loses all but its type, its values and the first words about it.
 */
function slimmed(args: readonly Argument[], input: Json): Json {
  const properties = input['properties'] as Record<string, Json>
  const slim = args.map(({ name, required }) => (required ? properties[name]! : brief(properties[name]!)))
  const out = inputSchema(args, slim)
  if (JSON.stringify(out).length > BOUNDS.inputCharactersMax)
    throw new ImportRejected(
      'too_large',
      `The arguments of the operation take more than ${BOUNDS.inputCharactersMax} characters to describe.`,
    )
  return out
}

const brief = ({ type, description, enum: values, items }: Json): Json => ({
  ...(type !== undefined && { type }),
  ...(typeof description === 'string' && { description: plainText(description, 80) }),
  ...(Array.isArray(values) && values.length <= 20 && { enum: values }),
  ...(items !== undefined && { items: {} }),
})

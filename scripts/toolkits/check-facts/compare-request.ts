import { isObject, object } from '../../../src/catalog/importers/json.ts'
import { bodyTypeOf } from '../../../src/catalog/importers/tools/media-types.ts'
import type { ToolManifest } from '../../../src/catalog/manifest/format/index.ts'
import { keyOf, type StatedOperation, type StatedValue } from './stated-operations.ts'

/** What of a request is not compared, as the toolkit says it elsewhere. */
export interface LeftToToolkit {
  /** Names of parameters and members that a model is not asked for; lower case. */
  readonly hidden: ReadonlySet<string>
}

/** Returns how the request of a tool differs from an operation; empty where it is the same. */
export function requestDifferences(
  { request, input }: ToolManifest,
  operation: StatedOperation,
  { hidden }: LeftToToolkit,
): string[] {
  if (!request) return ['it has no request']
  const args = argumentTypes(input)
  const sent = sentParameters(request)
  const differences: string[] = []
  for (const [key, argument] of sent) {
    const stated = operation.parameters.get(key)
    if (stated) differences.push(...typeDifference(key, args.get(argument ?? ''), stated))
    else if (key !== 'header content-type') differences.push(`${key} is not stated`)
  }
  for (const [key, { required }] of operation.parameters)
    if (required && !sent.has(key) && !isElsewhere(key, hidden)) differences.push(`${key} is required`)
  return [
    ...differences,
    ...pathDifference(request.path, operation.path, args),
    ...bodyDifferences(request, operation, args, hidden),
  ]
}

type Request = NonNullable<ToolManifest['request']>
interface ArgumentType extends StatedValue {}

function argumentTypes(input: unknown): ReadonlyMap<string, ArgumentType> {
  const { properties, required } = object(input)
  const names = new Set(Array.isArray(required) ? (required as string[]) : [])
  return new Map(
    Object.entries(object(properties)).map(([name, schema]) => [
      name,
      // A file is given by its name or its content, whatever its type on the wire is.
      { required: names.has(name), types: isFile(schema) ? new Set<string>() : typesOf(schema) },
    ]),
  )
}

const isFile = (schema: unknown): boolean => object(schema)['file_uploadable'] === true

function typesOf(schema: unknown): ReadonlySet<string> {
  const { type, anyOf, oneOf } = object(schema)
  const own = [type].flat().filter((one) => typeof one === 'string' && one !== 'null')
  if (own.length > 0) return new Set(own.map((one) => (one === 'integer' ? 'number' : String(one))))
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : [])).map(typesOf)
  return branches.some(({ size }) => size === 0) ? new Set() : new Set(branches.flatMap((one) => [...one]))
}

/** Place and name of each parameter outside the path and the body to its argument; undefined for a fixed value. */
function sentParameters({ query, headers, cookies }: Request): Map<string, string | undefined> {
  return new Map(
    Object.entries({ query, header: headers, cookie: cookies }).flatMap(([place, values]) =>
      [...membersOf(values)].map(([name, argument]) => [keyOf(place, name), argument] as const),
    ),
  )
}

/** Names of what is sent to the argument that fills it; undefined where the value is fixed or converted. */
function membersOf(values: unknown): ReadonlyMap<string, string | undefined> {
  if (Array.isArray(values)) return new Map(values.map((name) => [String(name), String(name)]))
  return new Map(
    Object.entries(object(values)).map(([name, value]) => {
      const { $: argument, as } = object(value)
      return [name, typeof argument === 'string' && as === undefined ? argument : undefined]
    }),
  )
}

function pathDifference(own: string, stated: string, args: ReadonlyMap<string, ArgumentType>): string[] {
  const names = [...own.matchAll(/\{\+?([A-Za-z_][\w.-]*)[^{}]*\}/g)].map(([, name]) => name!)
  return [
    ...(names.length > [...stated.matchAll(/\{/g)].length ? ['path has more parameters than stated'] : []),
    ...names
      .filter((name) => !args.get(name)?.required)
      .map((name) => `path ${name} is no required argument`),
  ]
}

function bodyDifferences(
  { body, body_type: type = 'json' }: Request,
  { bodies }: StatedOperation,
  args: ReadonlyMap<string, ArgumentType>,
  hidden: ReadonlySet<string>,
): string[] {
  if (body === undefined) return []
  const fitting = [...bodies].filter(([media, members]) => typeOfBody(media, members) === type)
  if (fitting.length === 0) return [`body is ${type}, stated are ${[...bodies.keys()].join(', ') || 'none'}`]
  const whole = isObject(body) && typeof body['$'] === 'string'
  const members = fitting.map(([, one]) => one).find((one) => one !== undefined)
  if (whole || !members) return []
  const sent = membersOf(body)
  return [
    ...[...sent].flatMap(([name, argument]) => {
      const stated = members.get(name)
      if (!stated) return [`body ${name} is not stated`]
      return argument === undefined ? [] : typeDifference(`body ${name}`, args.get(argument), stated)
    }),
    ...[...members]
      .filter(([name, { required }]) => required && !sent.has(name) && !hidden.has(name.toLowerCase()))
      .map(([name]) => `body ${name} is required`),
  ]
}

/**
 * An object with members under a type of text or bytes is JSON: the types are those of files that an upload may have.
 */
function typeOfBody(media: string, members: ReadonlyMap<string, StatedValue> | undefined): string {
  const type = bodyTypeOf(media)
  return members && ['text', 'binary'].includes(type) ? 'json' : type
}

/** An argument may allow less than is stated; one that allows another type differs. */
function typeDifference(what: string, own: ArgumentType | undefined, stated: StatedValue): string[] {
  if (!own || own.types.size === 0 || stated.types.size === 0) return []
  const other = [...own.types].filter((type) => !stated.types.has(type))
  return other.length === 0 || stated.types.has('file')
    ? []
    : [`${what} is ${[...own.types].join(' or ')}, stated is ${[...stated.types].join(' or ')}`]
}

const isElsewhere = (key: string, hidden: ReadonlySet<string>): boolean =>
  /^path |^header (accept|content-type|authorization|host|user-agent|content-length)$|^cookie /.test(key) ||
  hidden.has(key.replace(/^\S+ /, '').toLowerCase())

import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'

/** A value that a request carries: what it may be, and whether every call carries it. */
export interface Sent {
  always: boolean
  /** The values it can have, where the manifest lists them. */
  values: unknown[] | undefined
}

export interface SentRequest {
  method: string
  /** Address with `{}` for every value. */
  address: string
  query: Map<string, Sent>
  headers: Map<string, Sent>
  body: Map<string, Sent>
  /** The whole body is one free argument, whose members nobody can list. */
  freeBody: boolean
}

type Schema = Record<string, any>

/** Reads off a manifest what its request can carry. */
export function sentRequest(tool: ToolManifest, baseUrl: string): SentRequest {
  const request = tool.request!
  const path = request.path.replace(/\{[^}]*\}/g, '{}')
  const [address, search] = (/^https?:/.test(path) ? path : baseUrl.replace(/\/$/, '') + path).split('?') as [
    string,
    string?,
  ]
  const query = members(request.query, tool)
  for (const [name, value] of new URLSearchParams(search))
    query.set(name, { always: true, values: value.includes('{') ? undefined : [value] })
  const whole = argumentOf(request.body)
  const argument = whole === undefined ? undefined : property(tool, whole)
  return {
    method: String(request.method).toLowerCase(),
    address,
    query,
    headers: members(request.headers, tool),
    body: argument === undefined ? members(request.body, tool) : membersOf(argument),
    freeBody: argument !== undefined && argument.properties === undefined,
  }
}

function members(part: unknown, tool: ToolManifest): Map<string, Sent> {
  if (isNames(part)) return new Map(part.map((name) => [name, argumentSent(tool, name)]))
  if (part === undefined || Array.isArray(part)) return new Map()
  return new Map(Object.entries(part as object).map(([name, value]) => [name, valueSent(tool, value)]))
}

const membersOf = (schema: Schema): Map<string, Sent> =>
  new Map(
    Object.entries<Schema>(schema.properties ?? {}).map(([name, member]) => [
      name,
      { always: (schema.required ?? []).includes(name), values: valuesOf(member) },
    ]),
  )

function valueSent(tool: ToolManifest, value: unknown): Sent {
  const argument = argumentOf(value)
  if (argument !== undefined) return argumentSent(tool, argument)
  // An object or list is left out when all its members are.
  if (value !== null && typeof value === 'object')
    return {
      always: Object.values(value).some((member) => valueSent(tool, member).always),
      values: undefined,
    }
  if (typeof value !== 'string') return { always: true, values: [value] }
  const places = [...value.matchAll(/\{\+?([^}|?]*)([^}]*)\}/g)]
  if (places.length === 0) return { always: true, values: [value] }
  const filled = (name: string) => property(tool, name) === undefined || argumentSent(tool, name).always
  return {
    always: places.every(([, name, rest]) => rest!.startsWith('|') || (rest !== '?' && filled(name!))),
    values: undefined,
  }
}

function argumentSent(tool: ToolManifest, name: string): Sent {
  const schema = property(tool, name) ?? {}
  return {
    always: ((tool.input as Schema).required ?? []).includes(name) || 'default' in schema,
    values: valuesOf(schema),
  }
}

const isNames = (part: unknown): part is string[] =>
  Array.isArray(part) && part.every((name) => typeof name === 'string')

const argumentOf = (value: unknown): string | undefined =>
  value !== null && typeof value === 'object' && typeof (value as { $?: unknown }).$ === 'string'
    ? (value as { $: string }).$
    : undefined

const property = (tool: ToolManifest, name: string): Schema | undefined =>
  (tool.input as Schema).properties?.[name]

const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.enum ?? schema.items?.enum ?? (schema.const === undefined ? undefined : [schema.const])

import type { TSchema } from 'typebox'
import type { Route } from '../../contract/route.ts'

/** Identifiers that carry the brand; everywhere inside they are spelled with `service`. */
const KEYS = [
  'is_service_managed', 'service_managed_auth_schemes', 'service_managed_auth', 'service_link_redirect_url', 'is_service_link_enabled_for_managed_auth', 'managed_auth_via_service',
]
/** Enum values that carry it. */
const VALUES = ['use_service_managed_auth', 'service']

/** A route as the wire sees it. `incoming` and `outgoing` are absent where nothing has to be renamed. */
export interface WireRoute {
  params: TSchema, query: TSchema, body: TSchema, reply: TSchema
  incoming?(request: { query: unknown, body: unknown }): void
  outgoing?(reply: unknown): unknown
}

export interface WireBrand {
  route(route: Route): WireRoute
  /** A schema as documents show it. */
  schema(schema: TSchema): TSchema
}

const plain: WireBrand = { route: ({ params, query, body, reply }) => ({ params, query, body, reply }), schema: (schema) => schema }

/** One word takes the place of `service` at the wire and nowhere else. Requests may use both spellings. The default costs nothing. */
export function wireBrand(brand: string): WireBrand {
  if (brand === 'service') return plain
  const spell = (neutral: string) => neutral.replaceAll('service', brand)
  const toWire = new Map([...KEYS, ...VALUES].map((neutral) => [neutral, spell(neutral)]))
  const toNeutral = new Map([...toWire].map(([neutral, wire]) => [wire, neutral]))
  return {
    schema: (schema) => renameSchema(schema, toWire) as TSchema,
    route(route) {
      const query = renamer(route.query, toNeutral, toWire)
      const body = renamer(route.body, toNeutral, toWire)
      const reply = renamer(route.reply, toWire)
      return {
        params: route.params, query: route.query, body: route.body, reply: reply ? renameSchema(route.reply, toWire) as TSchema : route.reply,
        ...(query || body ? { incoming(request) { query?.(request.query); body?.(request.body) } } : {}),
        ...(reply ? { outgoing(payload) { return reply(structuredClone(payload)) } } : {}),
      }
    },
  }
}

type Rename = (value: unknown) => unknown
type SchemaNode = { properties?: Record<string, SchemaNode>, items?: SchemaNode, enum?: unknown[], const?: unknown } & Partial<Record<'oneOf' | 'anyOf' | 'allOf', SchemaNode[]>>

/**
 * Renames what the schema declares, in place, and leaves free-form parts (arguments, credentials) alone.
 * @param declared maps the schema's spelling to the one expected in the value, when they differ (requests).
 */
function renamer(schema: SchemaNode, map: ReadonlyMap<string, string>, declared?: ReadonlyMap<string, string>): Rename | undefined {
  const members = Object.entries(schema.properties ?? {}).map(([key, node]) => {
    const from = declared?.get(key) ?? key
    return { from, to: map.get(from) ?? key, inner: renamer(node, map, declared) }
  }).filter(({ from, to, inner }) => from !== to || inner)
  const items = schema.items && renamer(schema.items, map, declared)
  const variants = [...schema.oneOf ?? [], ...schema.anyOf ?? [], ...schema.allOf ?? []].map((variant) => renamer(variant, map, declared)).filter((one) => one !== undefined)
  const values = [...schema.enum ?? [], schema.const].filter((value) => typeof value === 'string').some((value) => map.has(declared?.get(value) ?? value))
  if (!members.length && !items && !variants.length && !values) return undefined
  return (value) => {
    if (typeof value === 'string') return values || variants.length ? map.get(value) ?? value : value
    if (Array.isArray(value)) { if (items) value.forEach((item, i) => { value[i] = items(item) }) }
    else if (typeof value === 'object' && value !== null) renameMembers(value as Record<string, unknown>, members)
    for (const variant of variants) variant(value)
    return value
  }
}

function renameMembers(value: Record<string, unknown>, members: readonly { from: string, to: string, inner: Rename | undefined }[]): void {
  for (const { from, to, inner } of members) {
    // The neutral spelling was sent, or both were: what is neutral wins.
    const sent = Object.hasOwn(value, from) ? from : to
    if (!Object.hasOwn(value, sent)) continue
    const renamed = inner ? inner(value[sent]) : value[sent]
    if (sent !== to) delete value[sent]
    if (sent === to || !Object.hasOwn(value, to)) value[to] = renamed
  }
}

function renameSchema(schema: unknown, map: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => renameSchema(part, map))
  if (typeof schema === 'string') return map.get(schema) ?? schema
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).map(([key, part]) =>
    [map.get(key) ?? key, key === 'description' || key === 'type' || key === '$id' || key === 'pattern' ? part : renameSchema(part, map)]))
}

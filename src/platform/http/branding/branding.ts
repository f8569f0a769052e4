import type { TSchema } from '../../../contract/schema-type.ts'
import { BRANDED_NAMES, type BrandedName } from '../../../contract/branded-names.ts'
import type { Route } from '../../../contract/route.ts'
import { AS_IS, renamedSchema, createRenamer, type Spelling } from './rename-fields.ts'

/**
 * The schemas of a route as clients see them. `renameRequest` and `renameReply` are absent if nothing is
 * renamed.
 */
export interface WireRoute {
  params: TSchema
  query: TSchema
  body: TSchema
  reply: TSchema
  renameRequest?(request: { query: unknown; body: unknown }): void
  /** Never changes its argument: handlers may return objects that they keep. */
  renameReply?(reply: unknown): unknown
}

export interface Branding {
  route(route: Route): WireRoute
  /** Returns a schema with the names of the wire. */
  schema(schema: TSchema): TSchema
  /**
   * Returns the wire spelling of a name that is not a field of a schema, such as a header, an event type or a
   * slug.
   */
  toWire(name: BrandedName): string
  /** Returns the internal spelling of a name that a request may send in either spelling. */
  fromWire(name: string): string
  /** Spells names in messages about a request: a field, or a value of the field. */
  spelling: Spelling
}

const plain: Branding = {
  route: ({ params, query, body, reply }) => ({ params, query, body, reply }),
  schema: (schema) => schema,
  toWire: (name) => name,
  fromWire: (name) => name,
  spelling: AS_IS,
}

/**
 * Replaces the word `service` in names of the API, on the wire only. Requests may use both spellings. The
 * default word costs nothing.
 */
export function createBranding(brand: string): Branding {
  if (brand === 'service') return plain
  const spell = (neutral: string) =>
    neutral.replaceAll('service', brand).replaceAll('SERVICE', brand.toUpperCase())
  const keys = new Set<string>(BRANDED_NAMES.keys)
  const values = new Set<string>([
    ...BRANDED_NAMES.values,
    ...BRANDED_NAMES.events,
    ...BRANDED_NAMES.metaTools,
    ...BRANDED_NAMES.disabledReasons,
  ])
  const bare = new Set<string>(BRANDED_NAMES.bareValueOf)
  const spelling: Spelling = {
    key: (name) => (keys.has(name) ? spell(name) : name),
    value: (text, member) =>
      values.has(text) || (text === 'service' && bare.has(member)) ? spell(text) : text,
  }
  const neutral = new Map<string, string>(
    Object.entries(BRANDED_NAMES).flatMap(([list, names]) =>
      list === 'bareValueOf' ? [] : names.map((name) => [spell(name), name]),
    ),
  )
  return {
    schema: (schema) => renamedSchema(schema, spelling) as TSchema,
    toWire: spell,
    fromWire: (name) => neutral.get(name) ?? name,
    spelling,
    route({ params, query, body, reply }) {
      const readQuery = createRenamer(query, spelling, 'in')
      const readBody = createRenamer(body, spelling, 'in')
      const outgoing = createRenamer(reply, spelling, 'out')
      return {
        params,
        query,
        body,
        reply: renamedSchema(reply, spelling) as TSchema,
        ...(readQuery || readBody
          ? {
              renameRequest(request) {
                if (readQuery) request.query = readQuery(request.query)
                if (readBody) request.body = readBody(request.body)
              },
            }
          : {}),
        ...(outgoing ? { renameReply: outgoing } : {}),
      }
    },
  }
}

import type { TSchema } from 'typebox'
import { BRANDED_NAMES, type BrandedName } from '../../../contract/branded-names.ts'
import type { Route } from '../../../contract/route.ts'
import { AS_IS, renamedSchema, createRenamer, type Spelling } from './rename-fields.ts'

/** A route as the wire sees it. `incoming` and `outgoing` are absent where nothing has to be renamed. */
export interface WireRoute {
  params: TSchema
  query: TSchema
  body: TSchema
  reply: TSchema
  renameRequest?(request: { query: unknown; body: unknown }): void
  /** Never changes what it is given: handlers may hand out what they keep. */
  renameReply?(reply: unknown): unknown
}

export interface Branding {
  route(route: Route): WireRoute
  /** A schema as documents show it. */
  schema(schema: TSchema): TSchema
  /** A name of the list as the wire spells it: for what is no member of a declared shape, such as headers, events and slugs. */
  toWire(name: BrandedName): string
  /** The inside spelling of a name that a request may give in either. */
  fromWire(name: string): string
  /** Names in texts about a request: a member, or a value of the member. */
  spelling: Spelling
}

const plain: Branding = {
  route: ({ params, query, body, reply }) => ({ params, query, body, reply }),
  schema: (schema) => schema,
  toWire: (name) => name,
  fromWire: (name) => name,
  spelling: AS_IS,
}

/** One word takes the place of `service` at the wire and nowhere else. Requests may use both spellings. The default costs nothing. */
export function createBranding(brand: string): Branding {
  if (brand === 'service') return plain
  const spell = (neutral: string) =>
    neutral.replaceAll('service', brand).replaceAll('SERVICE', brand.toUpperCase())
  const keys = new Set<string>(BRANDED_NAMES.keys)
  const values = new Set<string>([
    ...BRANDED_NAMES.values,
    ...BRANDED_NAMES.events,
    ...BRANDED_NAMES.metaTools,
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

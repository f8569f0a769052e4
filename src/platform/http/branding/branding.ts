import type { TSchema } from 'typebox'
import type { Route } from '../../../contract/route.ts'
import { AS_IS, renamedSchema, renamer, type Spelling } from './rename-fields.ts'

/**
 * Every identifier that carries the brand, spelled as everything inside spells it. What is not in this list is never renamed:
 * SERVICE_ACCOUNT is a scheme, and a user may call an auth config `use_service_managed_auth`.
 */
export const BRANDED = {
  /** Members of bodies and replies, and keys of queries. */
  keys: [
    'is_service_managed',
    'service_managed_auth_schemes',
    'service_managed_auth',
    'service_link_redirect_url',
    'is_service_link_enabled_for_managed_auth',
    'managed_auth_via_service',
    'managed_auth_by_service',
    'include_service_helper_actions',
  ],
  /** Enum values, wherever a schema lists them. */
  values: ['use_service_managed_auth'],
  /** The bare word, as a value of these members only. */
  bareValueOf: ['managed_by'],
  /** Types of the events that webhooks carry. */
  events: [
    'service.trigger.message',
    'service.trigger.disabled',
    'service.connected_account.expired',
    'service.webhook.disabled',
    'service.approval.requested',
    'service.approval.decided',
    'service.session_hook.before_execute',
    'service.session_hook.after_execute',
  ],
  /** Headers of webhook deliveries. */
  headers: ['x-service-webhook-version', 'x-service-delivery-attempt'],
  /** Slugs of meta tools, on the REST API and as MCP tool names. */
  metaTools: [
    'SERVICE_SEARCH_TOOLS',
    'SERVICE_GET_TOOL_SCHEMAS',
    'SERVICE_MULTI_EXECUTE_TOOL',
    'SERVICE_MANAGE_CONNECTIONS',
    'SERVICE_WAIT_FOR_CONNECTIONS',
    'SERVICE_REMOTE_WORKBENCH',
    'SERVICE_REMOTE_BASH_TOOL',
    'SERVICE_UPSERT_RECIPE',
    'SERVICE_GET_RECIPE',
  ],
  /** Toolkit that the meta tools belong to. */
  metaToolkit: ['service'],
  /** Variables that clients read; for documents and hints. */
  variables: [
    'SERVICE_API_KEY',
    'SERVICE_USER_API_KEY',
    'SERVICE_ORG_API_KEY',
    'SERVICE_BASE_URL',
    'SERVICE_LOG_LEVEL',
    'SERVICE_LOG',
    'SERVICE_CUSTOM_HEADERS',
    'SERVICE_TOOLKIT_VERSION_',
    'SERVICE_WEBHOOK_SECRET',
    'SERVICE_ALLOW_INSECURE_HTTP',
  ],
} as const
export type BrandedName = (typeof BRANDED)[keyof Omit<typeof BRANDED, 'bareValueOf'>][number]

/** A route as the wire sees it. `incoming` and `outgoing` are absent where nothing has to be renamed. */
export interface WireRoute {
  params: TSchema
  query: TSchema
  body: TSchema
  reply: TSchema
  incoming?(request: { query: unknown; body: unknown }): void
  /** Never changes what it is given: handlers may hand out what they keep. */
  outgoing?(reply: unknown): unknown
}

export interface WireBrand {
  route(route: Route): WireRoute
  /** A schema as documents show it. */
  schema(schema: TSchema): TSchema
  /** A name of the list as the wire spells it: for what is no member of a declared shape, such as headers, events and slugs. */
  spell(name: BrandedName): string
  /** The inside spelling of a name that a request may give in either. */
  neutral(name: string): string
  /** Names in texts about a request: a member, or a value of the member. */
  hint: Spelling
}

const plain: WireBrand = {
  route: ({ params, query, body, reply }) => ({ params, query, body, reply }),
  schema: (schema) => schema,
  spell: (name) => name,
  neutral: (name) => name,
  hint: AS_IS,
}

/** One word takes the place of `service` at the wire and nowhere else. Requests may use both spellings. The default costs nothing. */
export function wireBrand(brand: string): WireBrand {
  if (brand === 'service') return plain
  const spell = (neutral: string) =>
    neutral.replaceAll('service', brand).replaceAll('SERVICE', brand.toUpperCase())
  const keys = new Set<string>(BRANDED.keys)
  const values = new Set<string>([...BRANDED.values, ...BRANDED.events, ...BRANDED.metaTools])
  const bare = new Set<string>(BRANDED.bareValueOf)
  const spelling: Spelling = {
    key: (name) => (keys.has(name) ? spell(name) : name),
    value: (text, member) =>
      values.has(text) || (text === 'service' && bare.has(member)) ? spell(text) : text,
  }
  const neutral = new Map<string, string>(
    Object.entries(BRANDED).flatMap(([list, names]) =>
      list === 'bareValueOf' ? [] : names.map((name) => [spell(name), name]),
    ),
  )
  return {
    schema: (schema) => renamedSchema(schema, spelling) as TSchema,
    spell,
    neutral: (name) => neutral.get(name) ?? name,
    hint: spelling,
    route({ params, query, body, reply }) {
      const readQuery = renamer(query, spelling, 'in')
      const readBody = renamer(body, spelling, 'in')
      const outgoing = renamer(reply, spelling, 'out')
      return {
        params,
        query,
        body,
        reply: renamedSchema(reply, spelling) as TSchema,
        ...(readQuery || readBody
          ? {
              incoming(request) {
                if (readQuery) request.query = readQuery(request.query)
                if (readBody) request.body = readBody(request.body)
              },
            }
          : {}),
        ...(outgoing ? { outgoing } : {}),
      }
    },
  }
}

import { type Static, type TObject, type TSchema, Type } from './schema-type.ts'
import type { AREAS, ORGANIZATION_AREAS } from './areas.ts'
import type { ErrorSlug } from './errors/index.ts'

export { AREAS, ORGANIZATION_AREAS } from './areas.ts'

/** Kind of caller that a route accepts. It decides which principal the handler receives. */
export type Audience = 'project' | 'organization' | 'public'

export type Area = keyof typeof AREAS
export type OrganizationArea = keyof typeof ORGANIZATION_AREAS
export interface Permission {
  /** An organization area for operations of the organization. */
  area: Area | OrganizationArea
  level: 'read' | 'write'
}

export type ApiVersion = 'v3' | 'v3.1'
export const API_VERSIONS: readonly ApiVersion[] = ['v3', 'v3.1']

/**
 * An example request. It is complete: a client can send it as it is, unless `needs` names what must exist first.
 * Ids in such an example only show the form.
 */
export interface Example {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  /** What must exist before the request succeeds, as a noun phrase: `a connected account`. */
  needs?: string
}

/**
 * One operation of the HTTP API. Validation, types, the OpenAPI document, the command line and the contract
 * tests are all derived from it.
 */
export interface Route<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  A extends Audience = Audience,
> {
  /** Stable dotted name, e.g. `authConfigs.create`. */
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
  /** Path below the version prefix, with `:name` for each parameter. */
  path: string
  /** Title of the operation, in the imperative. */
  summary: string
  /** Effect, result and limits, in two to four sentences. The OpenAPI document adds the permission. */
  description: string
  example: Example
  audience: A
  /** Permission that a restricted key needs. Operations without one accept only unrestricted keys. */
  permission?: Permission
  params: P
  query: Q
  body: B
  /** Descriptions of the headers that the operation reads, by their name. All are optional. */
  headers?: Readonly<Record<string, string>>
  status: number
  reply: R
  /** Second status of success, with the same body, and when it is returned. */
  otherStatus?: { readonly status: number; readonly when: string }
  /** Errors of this operation, in addition to SHARED_ERRORS. */
  errors: readonly ErrorSlug[]
  /** Next step for a body field that the operation does not declare and that resembles none of its fields. */
  unknownFieldHint?: string
  /** The body may also be an urlencoded form, as some clients send it. */
  acceptsForms?: true
  /** The handler forwards large values of the body, so that they need not be parsed where the schema has no rule. */
  forwardsBody?: true
  /** Date from which the operation is deprecated under a version, in the form of RFC 9745: `@<unix seconds>`. */
  deprecated?: Partial<Record<ApiVersion, string>>
  /** Clients must not repeat this call automatically: every response carries `x-should-retry: false`. */
  neverRetry?: true
  /**
   * The handler reads a connected account first, which is usually cached: what confirms that it has not changed starts
   * when the caller is known, so that the handler waits less.
   */
  readsAccount?: true
  /** Clients that accept text/event-stream receive a continuous stream in place of the reply. */
  streams?: true
  /**
   * Whether calls are in the audit log. Default: operations that are not a GET. False for executions and for reads
   * with POST. `secrets_of_v3`: v3 returns a secret in clear. `unmasked_secrets`: secrets are in clear if the project
   * does not mask them.
   */
  audit?: AuditRule
}
export type AuditRule = boolean | 'secrets_of_v3' | 'unmasked_secrets'

const Empty = Type.Object({})
type EmptyObject = typeof Empty

/** Declares a route. Parts that are left out have no fields. */
export function route<
  const A extends Audience,
  P extends TObject = EmptyObject,
  Q extends TObject = EmptyObject,
  B extends TSchema = EmptyObject,
  R extends TSchema = EmptyObject,
>(spec: {
  id: string
  method: Route['method']
  path: string
  summary: string
  description: string
  example?: Example
  audience: A
  permission?: Permission
  params?: P
  query?: Q
  body?: B
  headers?: Readonly<Record<string, string>>
  status?: number
  reply?: R
  errors?: readonly ErrorSlug[]
  unknownFieldHint?: string
  acceptsForms?: true
  forwardsBody?: true
  neverRetry?: true
  readsAccount?: true
  streams?: true
  audit?: AuditRule
  otherStatus?: { readonly status: number; readonly when: string }
  deprecated?: Partial<Record<ApiVersion, string>>
}): Route<P, Q, B, R, A> {
  return {
    params: Empty as unknown as P,
    query: Empty as unknown as Q,
    body: Empty as unknown as B,
    reply: Empty as unknown as R,
    status: 200,
    errors: [],
    example: {},
    ...spec,
  }
}

/** Request of a route, as a client sends it. */
export interface RequestOf<T extends Route> {
  params?: Static<T['params']>
  query?: Partial<Static<T['query']>>
  body?: Static<T['body']>
}
/** Response body of a route. */
export type ReplyOf<T extends Route> = Static<T['reply']>

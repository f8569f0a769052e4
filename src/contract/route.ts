import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { ErrorSlug } from './errors/index.ts'

/** Kind of caller that a route accepts. It decides which principal the handler receives. */
export type Audience = 'project' | 'organization' | 'public'

/** Permission areas of scoped project keys, and the levels of each. */
export const AREAS = {
  auth_configs: ['read', 'write'],
  connected_accounts: ['read', 'write'],
  tools: ['read'],
  tool_execution: ['write'],
  proxy_execute: ['write'],
  toolkits: ['read', 'write'],
  triggers: ['read', 'write'],
  webhooks: ['read', 'write'],
  observability: ['read'],
  sessions: ['read', 'write'],
  approvals: ['read', 'write'],
} as const
export type Area = keyof typeof AREAS
export interface Permission {
  area: Area
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
  /** Permission that a scoped key needs. Operations without one accept only unrestricted keys. */
  permission?: Permission
  params: P
  query: Q
  body: B
  status: number
  reply: R
  /** Second status of success, with the same body, and when it is returned. */
  otherStatus?: { readonly status: number; readonly when: string }
  /** Errors of this operation, in addition to SHARED_ERRORS. */
  errors: readonly ErrorSlug[]
  /** Part of the API, but not of this release: returns 501. */
  isPlanned?: true
  /** Date from which the operation is deprecated under a version, in the form of RFC 9745: `@<unix seconds>`. */
  deprecated?: Partial<Record<ApiVersion, string>>
  /** Clients must not repeat this call automatically: every response carries `x-should-retry: false`. */
  neverRetry?: true
  /** Clients that accept text/event-stream receive a continuous stream in place of the reply. */
  streams?: true
}

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
  status?: number
  reply?: R
  errors?: readonly ErrorSlug[]
  isPlanned?: true
  neverRetry?: true
  streams?: true
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

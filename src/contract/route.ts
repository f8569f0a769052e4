import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { ErrorSlug } from './errors.ts'

/** Who may call a route; decides which principal the handler receives. */
export type Audience = 'project' | 'organization' | 'public'

/** Areas and levels a scoped project key can be limited to. */
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
} as const
export type Area = keyof typeof AREAS
export interface Permission {
  area: Area
  level: 'read' | 'write'
}

export type ApiVersion = 'v3' | 'v3.1'
export const API_VERSIONS: readonly ApiVersion[] = ['v3', 'v3.1']

/** One operation of the HTTP API: the single source of validation, types, OpenAPI, the command line and the sweeps. */
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
  /** Below the version prefix, with `:name` places. */
  path: string
  summary: string
  audience: A
  /** What a scoped key needs; without it only unrestricted keys may call. */
  permission?: Permission
  params: P
  query: Q
  body: B
  status: number
  reply: R
  /** The other status of a success, with the same shape, and when it is answered: `status` is that of something new. */
  otherwise?: { readonly status: number; readonly when: string }
  /** Conditions beyond those every route shares. */
  errors: readonly ErrorSlug[]
  /** Declared by the API, not part of this release: answers 501. */
  unbuilt?: true
  /** Since when the operation is deprecated under a version, as RFC 9745 writes it: `@<unix seconds>`. */
  deprecated?: Partial<Record<ApiVersion, string>>
  /** Clients must not repeat this call by themselves: every answer carries `x-should-retry: false`. */
  neverRetry?: true
  /** Whoever accepts text/event-stream gets a stream that goes on, in place of the reply. */
  streams?: true
}

const Empty = Type.Object({})
type EmptyObject = typeof Empty

/** Declares a route; parts left out accept nothing in particular. */
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
  audience: A
  permission?: Permission
  params?: P
  query?: Q
  body?: B
  status?: number
  reply?: R
  errors?: readonly ErrorSlug[]
  unbuilt?: true
  neverRetry?: true
  streams?: true
  otherwise?: { readonly status: number; readonly when: string }
  deprecated?: Partial<Record<ApiVersion, string>>
}): Route<P, Q, B, R, A> {
  return {
    params: Empty as unknown as P,
    query: Empty as unknown as Q,
    body: Empty as unknown as B,
    reply: Empty as unknown as R,
    status: 200,
    errors: [],
    ...spec,
  }
}

/** What a client sends for a route. */
export interface RequestOf<T extends Route> {
  params?: Static<T['params']>
  query?: Partial<Static<T['query']>>
  body?: Static<T['body']>
}
/** What a client gets from a route. */
export type ReplyOf<T extends Route> = Static<T['reply']>

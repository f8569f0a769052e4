import type { Static } from '../../contract/schema-type.ts'
import type { ProjectSettings } from '../../contract/projects/call-settings.ts'
import type { ApiVersion, Audience, Permission, Route } from '../../contract/route.ts'
import type { Logger } from '../log.ts'
import type { KeyPermissions } from './key-permissions.ts'
import type { EventStreamReply } from './server/event-stream.ts'

/** The caller that the credential header authenticated. */
export interface Principals {
  project: {
    projectId: string
    organizationId: string
    keyId: string
    settings: ProjectSettings
    permissions: KeyPermissions
  }
  organization: { organizationId: string; keyId: string; permissions: KeyPermissions }
  public: Record<never, never>
}

/** What a handler receives: authenticated and validated. */
export type Call<T extends Route> = {
  params: Static<T['params']>
  query: Static<T['query']>
  body: Static<T['body']>
  apiVersion: ApiVersion
  requestId: string
  /** IP address of the caller. */
  ip: string
  log: Logger
  /**
   * Resolves true when the reports of all changes before the request have been handled, for the first read of a cached
   * account. Undefined for routes without `readsAccount`.
   */
  changesConfirmed: Promise<boolean> | undefined
  /** Aborts when the caller disconnects. */
  signal: AbortSignal
  /** Responds with the alternate status of the route. */
  useAlternateStatus(): void
  /** Returns a request header. Names are in lower case. */
  header(name: string): string | undefined
  /** Authenticates again, for responses that take long. @throws ApiError 401, 403 */
  reauthenticate(): Promise<void>
  /**
   * Checks that the key of the caller has a further permission, or is unrestricted if there is none to name.
   * @throws ApiError 403
   */
  authorize(permission: Permission | undefined): Promise<void>
} & Principals[T['audience']]

export type Handler<T extends Route> = (call: Call<T>) => Promise<Static<T['reply']> | EventStreamReply>

/** The parts of a request that are known before its body is read. */
export interface IncomingCall {
  /** Method of the HTTP request; absent where a key is checked without one. */
  method?: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** IP address of the peer. */
  ip: string
}

/** Authenticates a caller, synchronously if possible. @throws ApiError 401, 403 */
export type Authenticate = (
  audience: Audience,
  permission: Permission | undefined,
  incoming: IncomingCall,
  /** Id of the operation; undefined for a further check during a call. */
  operation?: string,
) => Principals[Audience] | Promise<Principals[Audience]>

/** Whose limits a call counts for. Without `projectId`, the caller is an organization. */
export interface RateLimitedCaller {
  organizationId: string
  projectId?: string | undefined
  /** Empty for a caller without a key. */
  keyId?: string | undefined
}

/** Counts a call, and returns the headers to send. @throws TooManyRequests */
export type Limit = (caller: RateLimitedCaller) => Readonly<Record<string, string>>

/** Replaces what a handler receives. Tests record with it which inputs are read. */
export type ObserveCall = (route: Route, call: Call<Route>) => Call<Route>

export interface RouteOptions<T extends Route> {
  /** Rejects a call before its body is read, when its caller is known and its turn has started. @throws ApiError */
  readonly checkBeforeBody?: (caller: Principals[T['audience']]) => void
}

export interface Api {
  on<T extends Route>(route: T, handler: Handler<T>, options?: RouteOptions<T>): void
}

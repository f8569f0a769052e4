import type { Static } from 'typebox'
import type { ProjectSettings } from '../../contract/projects/call-settings.ts'
import type { ApiVersion, Audience, Permission, Route } from '../../contract/route.ts'
import type { Logger } from '../log.ts'
import type { EventStreamReply } from './server/event-stream.ts'

/** Who calls, as the credential header proved it. */
export interface Principals {
  project: { projectId: string; organizationId: string; keyId: string; settings: ProjectSettings }
  organization: { organizationId: string; keyId: string }
  public: Record<never, never>
}

/** What a handler gets: everything checked, nothing else. */
export type Call<T extends Route> = {
  params: Static<T['params']>
  query: Static<T['query']>
  body: Static<T['body']>
  apiVersion: ApiVersion
  requestId: string
  log: Logger
  /** Aborts when the caller is gone. */
  signal: AbortSignal
  /** Answers with the other status that the route has. */
  useAlternateStatus(): void
  /** A request header, lower-case name. */
  header(name: string): string | undefined
  /** Judges the credential once more: for answers that take long. @throws ApiError 401, 403 */
  reauthenticate(): Promise<void>
} & Principals[T['audience']]

export type Handler<T extends Route> = (call: Call<T>) => Promise<Static<T['reply']> | EventStreamReply>

/** What is known of a request before its body is read. */
export interface IncomingCall {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Address of the peer. */
  ip: string
}

/** Proves who calls, or throws: 401 and 403 come from here. Answers at once where it can. */
export type Authenticate = (
  audience: Audience,
  permission: Permission | undefined,
  incoming: IncomingCall,
) => Principals[Audience] | Promise<Principals[Audience]>

/** Counts a call of an organization; answers the headers to send. Throws 429. */
export type Limit = (organizationId: string) => Readonly<Record<string, string>>

export interface Api {
  on<T extends Route>(route: T, handler: Handler<T>): void
}

import type { AuthSchemeName } from '../contract/schemes.ts'
import type { CompiledScheme } from '../catalog/index.ts'
import type { Egress, EgressProxy } from '../platform/egress/index.ts'
import type { ExchangeNote } from './exchange-note.ts'
import type { Values } from './values.ts'

export { lookupOf, lookupOfNothing, type Values } from './values.ts'

/** Everything that is known of one connection while it is made, used or renewed. */
export interface ConnectionContext {
  scheme: CompiledScheme
  /** The developer's part: client id and secret, scopes, extras. */
  credentials: Values
  /** Values shared by every connection of the auth config. */
  shared: Values
  /** The user's part: fields, tokens, captured values. */
  val: Values
  /** Where the provider sends the browser back to. */
  redirectUri: string
  proxy?: EgressProxy | undefined
}

/** What a scheme may reach for. */
export interface SchemeTools {
  egress: Egress
  /** Milliseconds since the epoch. */
  now(): number
  /** Told every exchange with the provider, without its secrets; must not throw and must not wait. */
  note?(exchange: ExchangeNote): void
  /** Stores members of `val` before the exchange goes on: what the provider would not give a second time. */
  keep?(part: Values): Promise<void>
}

/** Members to put into `val`, and when the token ends (ms since the epoch; null: unknown or never). */
export interface Grant {
  val: Values
  expiresAt: number | null
}

/** A walk of the browser that is about to begin; `secrets` come back to `finish`, `val` is stored with the account at once (a client that was registered, a request token). */
export interface Redirect {
  url: string
  state: string
  secrets: Values
  val?: Values
}

/** A request to an application before it leaves; a scheme that signs does so over exactly this. */
export interface OutgoingRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | Buffer | undefined
}

/** What the provider took back: names of `val` such as `access_token`, or `credential`. */
export interface Revoked {
  tokens: readonly string[]
}

/** How one authentication scheme begins, finishes and renews a connection. No toolkit is named in any of them. */
export interface AuthScheme {
  name: AuthSchemeName
  /** The user's browser has to go to the provider. */
  redirects: boolean
  /** @throws GrantRefused, ProviderTrouble */
  start?(setup: ConnectionContext, state: string, tools: SchemeTools): Promise<Redirect>
  /** @throws GrantRefused, ProviderTrouble */
  finish?(setup: ConnectionContext, secrets: Values, callback: Values, tools: SchemeTools): Promise<Grant>
  /** What is wrong with values that the user gave, by field; the text completes the name of the field. */
  mistakes?(val: Values, scheme: CompiledScheme): Readonly<Record<string, string>>
  /** Whether `renew` can make fresh credentials from what is stored. */
  renewable?(setup: ConnectionContext): boolean
  /** There is nothing to use yet: `renew` has to be called before the first request (a session, a minted token). */
  isEmpty?(setup: ConnectionContext): boolean
  /** @throws GrantRefused, ProviderTrouble */
  renew?(setup: ConnectionContext, tools: SchemeTools): Promise<Grant>
  /** Milliseconds before its end at which a token counts as ended. */
  marginMs?(setup: ConnectionContext): number
  /** How long what was traded for fresh credentials still works after it; 0 when that is not known. */
  reuseGraceMs?(setup: ConnectionContext): number
  /** Signs the final request: answers the headers and the address to send it with. */
  sign?(
    setup: ConnectionContext,
    request: OutgoingRequest,
    now: number,
  ): { url: string; headers: Record<string, string> }
  /** Whether `revoke` can end this grant at the provider. */
  revocable?(setup: ConnectionContext): boolean
  /** Ends the grant at the provider; what is ended already counts as revoked. @throws GrantRefused, ProviderTrouble */
  revoke?(setup: ConnectionContext, tools: SchemeTools): Promise<Revoked>
}

/** The provider refused for good: asking again with the same grant cannot help. `message` is fit for the user. */
export class GrantRejected extends Error {
  /** The provider's own error code, e.g. `invalid_grant`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'GrantRefused'
    this.code = code
  }
}

/** The provider did not answer as it should; the grant may still be good. `message` is fit for the user. */
export class ProviderTrouble extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ProviderTrouble'
  }
}

import type { AuthSchemeName } from '../contract/schemes.ts'
import type { CompiledScheme } from '../catalog/index.ts'
import type { Egress, EgressProxy } from '../platform/egress/index.ts'
import type { ProviderRequestLogEntry } from './provider-requests/log-entry.ts'
import type { Credentials } from './credentials/lookup.ts'

export { credentialLookup, emptyLookup, type Credentials } from './credentials/lookup.ts'

/** One connection while it is created, used or refreshed. */
export interface ConnectionContext {
  scheme: CompiledScheme
  /** Credentials of the auth config: client ID and secret, scopes, extra fields. */
  authConfigCredentials: Credentials
  /** Credentials shared by every connection of the auth config. */
  sharedCredentials: Credentials
  /** Credentials of the user (`val` in the API): fields, tokens, captured values. */
  credentials: Credentials
  /** Redirect URI: the provider sends the browser back to it. */
  redirectUri: string
  proxy?: EgressProxy | undefined
}

/**
 * Copies a connection with other values. Every part is read, so it is decrypted. A spread would lose the parts that are
 * accessors of a class.
 */
export const changeConnection = (
  connection: ConnectionContext,
  changes: Partial<ConnectionContext>,
): ConnectionContext => ({
  scheme: connection.scheme,
  authConfigCredentials: connection.authConfigCredentials,
  sharedCredentials: connection.sharedCredentials,
  credentials: connection.credentials,
  redirectUri: connection.redirectUri,
  proxy: connection.proxy,
  ...changes,
})

/** Dependencies of a scheme. */
export interface SchemeDeps {
  egress: Egress
  /** Milliseconds since the epoch. */
  now(): number
  /** Logs a request to the provider, without secrets; must neither throw nor block. */
  logRequest?(entry: ProviderRequestLogEntry): void
  /** Stores credentials that the provider would not issue a second time, before the next request is sent. */
  saveCredentials?(part: Credentials): Promise<void>
}

/** Credentials to store, and the expiry of the token (ms since the epoch; null: unknown or never). */
export interface Grant {
  credentials: Credentials
  expiresAt: number | null
}

/**
 * Start of an authorization flow. `secrets` are passed to `finish`; `credentials` are stored with the account
 * immediately (a registered client, a request token).
 */
export interface Redirect {
  url: string
  state: string
  secrets: Credentials
  credentials?: Credentials
}

/** A request to an application before it is sent; a signature covers exactly this. */
export interface OutgoingRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | Buffer | undefined
}

/** Revoked credentials: names such as `access_token`, or `credential`. */
export interface RevocationResult {
  tokens: readonly string[]
}

/** One authentication scheme. Differences between providers are in manifests, never here. */
export interface AuthScheme {
  name: AuthSchemeName
  /** Whether the browser of the user is redirected to the provider. */
  redirects: boolean
  /** @throws GrantRejected, ProviderUnavailable */
  start?(connection: ConnectionContext, state: string, deps: SchemeDeps): Promise<Redirect>
  /** @throws GrantRejected, ProviderUnavailable */
  finish?(
    connection: ConnectionContext,
    secrets: Credentials,
    callback: Credentials,
    deps: SchemeDeps,
  ): Promise<Grant>
  /**
   * Validates credentials that the user entered. Returns errors by field; each completes the name of the
   * field.
   */
  validateCredentials?(credentials: Credentials, scheme: CompiledScheme): Readonly<Record<string, string>>
  /** Whether `refresh` can obtain new credentials from the stored ones. */
  canRefresh?(connection: ConnectionContext): boolean
  /** Whether `refresh` is needed before the first request (a session, an issued token). */
  needsFirstToken?(connection: ConnectionContext): boolean
  /** @throws GrantRejected, ProviderUnavailable */
  refresh?(connection: ConnectionContext, deps: SchemeDeps): Promise<Grant>
  /** Milliseconds before its expiry at which a token counts as expired. */
  refreshMarginMs?(connection: ConnectionContext): number
  /** Milliseconds for which a used refresh token stays valid; 0 if unknown. */
  reuseGraceMs?(connection: ConnectionContext): number
  /** Signs the final request; returns the headers to set and the URL to use. */
  sign?(
    connection: ConnectionContext,
    request: OutgoingRequest,
    now: number,
  ): { url: string; headers: Record<string, string> }
  /** Whether `revoke` can revoke this grant at the provider. */
  canRevoke?(connection: ConnectionContext): boolean
  /**
   * Revokes the grant; one that is no longer valid counts as revoked.
   * @throws GrantRejected, ProviderUnavailable
   */
  revoke?(connection: ConnectionContext, deps: SchemeDeps): Promise<RevocationResult>
}

/** Final rejection: another attempt with the same grant cannot succeed. `message` may be shown to the user. */
export class GrantRejected extends Error {
  /** The provider's own error code, e.g. `invalid_grant`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'GrantRejected'
    this.code = code
  }
}

/**
 * No usable response from the provider; the grant may still be valid and a later attempt may succeed.
 * `message` may
 * be shown to the user.
 */
export class ProviderUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ProviderUnavailable'
  }
}

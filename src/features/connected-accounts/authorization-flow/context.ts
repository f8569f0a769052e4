import type { ConnectionContext, Credentials } from '../../../auth-schemes/index.ts'
import type { Toolkit } from '../../../catalog/index.ts'
import type { AuthConfigRow } from '../../auth-configs/index.ts'
import type { AccountDeps } from '../deps.ts'
import type { Identity, KnownIdentity } from '../identity/identity.ts'
import type { Browser } from '../pages/browser-cookie.ts'
import type { AccountRow } from '../store.ts'
import type { FlowFailure } from './failure.ts'
import type { AuthorizationFlowRow, FlowKind } from './flow-store.ts'
import type { PendingGrant } from './pending-connection.ts'

/** The request of a browser that returns from the provider. */
export interface CallbackRequest {
  /** Query parameters of the redirect URI. */
  readonly parameters: Credentials
  /** The browser by its cookie; undefined if it sent none, or if the provider's webhook is the request. */
  readonly browser: Browser | undefined
  /** The auth config at whose own redirect URI the browser arrived. */
  readonly authConfigId?: string | undefined
}

export interface HasState {
  readonly state: string
}
export interface HasFlow {
  readonly flow: AuthorizationFlowRow
}
/** The account that is being connected. */
export interface HasAccount {
  /** Dependencies in the project of the account. */
  readonly project: AccountDeps
  readonly projectId: string
  readonly account: AccountRow
  readonly kind: FlowKind
  /** Undefined if the auth config was deleted, or if the toolkit no longer offers its scheme. */
  readonly config?: AuthConfigRow | undefined
  readonly connection?: ConnectionContext | undefined
}
export interface HasBrowser {
  /** The browser that continues, with a new cookie if it had none. */
  readonly browser: Browser
  /** Hash of the browser that may choose on a page of this server. */
  readonly browserHash: Buffer
}
export interface HasAuthConfig {
  readonly config: AuthConfigRow
  readonly toolkit: Toolkit
}
export interface HasConnection extends HasAuthConfig {
  readonly connection: ConnectionContext
}
export interface HasGrant {
  readonly grant: PendingGrant
}

/** The context of the steps that complete a connection, in whichever way its credentials came. */
export interface ConnectContext extends HasAccount, HasGrant {
  readonly config: AuthConfigRow
  readonly toolkit: Toolkit
  readonly browserHash: Buffer
  /** The pending connection that this one continues. */
  readonly pendingId?: string
  /** The identity, if the credentials were tried with the request that returns it. */
  readonly identity?: Identity | undefined
}

export type RejectionReason =
  | 'state_missing'
  | 'state_unknown'
  | 'flow_expired'
  | 'wrong_browser'
  | 'wrong_redirect_uri'
  | 'no_flow_in_browser'
  | 'several_flows_in_browser'
  | 'form_token_missing'

/** How a request of a browser, or of a provider's webhook, ends. `pages/flow-pages.ts` renders it. */
export type FlowOutcome =
  /** Nothing was changed. */
  | { readonly kind: 'rejected'; readonly reason: RejectionReason }
  /** The account no longer waits for these credentials. */
  | { readonly kind: 'too_late' }
  /** The provider has not sent the code by webhook yet. */
  | { readonly kind: 'code_pending'; readonly subject: HasAccount; readonly flow: AuthorizationFlowRow }
  /** The user has to choose one of several resources on a page of this server. */
  | {
      readonly kind: 'choice_required'
      readonly subject: HasAccount
      readonly pendingId: string
      readonly browser?: Browser | undefined
    }
  /** The application has to confirm its user, at this URL. */
  | { readonly kind: 'confirmation_required'; readonly subject: HasAccount; readonly url: string }
  | {
      readonly kind: 'connected'
      readonly subject: HasAccount
      readonly identity: KnownIdentity | undefined
    }
  | { readonly kind: 'failed'; readonly subject: HasAccount; readonly failure: FlowFailure }

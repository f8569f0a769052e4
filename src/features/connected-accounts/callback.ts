import { authSchemes, GrantRefused, ProviderTrouble, type Setup, type Values } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { findAuthConfig } from '../auth-configs/index.ts'
import type { Browser } from './browser-cookie.ts'
import type { AccountDeps } from './deps.ts'
import { recorded } from './exchanges.ts'
import { secretsOf } from './flow.ts'
import { byState, claim, claimOfBrowser, type FlowRow, hashState, openInBrowser } from './flow-store.ts'
import { noteIdentity } from './identity.ts'
import { asReason, REASONS } from './lifecycle.ts'
import { openVal, setupOf, valContext } from './open.ts'
import { EXPIRED_LINK, message, NO_STATE, NOTHING_BEGUN, OTHER_BROWSER, type Outcome, SEVERAL_BEGUN, UNKNOWN_LINK } from './outcome.ts'
import { connectedWords } from './pages/identity-words.ts'
import { explain, NOT_AVAILABLE } from './provider-errors.ts'
import { withoutFailure } from './reopen.ts'
import { type AccountRow, find, move } from './store.ts'
import { keptBy, mayFinish, storeGrant } from './walk-end.ts'

/** The provider sent the browser back: the steps, in order. */
export async function finishFlow(deps: AccountDeps, callback: Values, browser: Browser | undefined): Promise<Outcome> {
  const state = walkOf(callback)
  if (state === undefined) return NO_STATE
  const flow = await claim(deps.db, hashState(state), browser?.hash)
  if (!flow) return refused(await byState(deps.db, hashState(state)))
  return finishClaimed(deps, flow, callback)
}

/** As `finishFlow`, for a provider that brings no state: the walk is the one that this browser began with the toolkit that the address names. */
export async function finishInBrowser(deps: AccountDeps, toolkit: string, callback: Values, browser: Browser | undefined): Promise<Outcome> {
  if (!browser || !deps.catalog.toolkit(toolkit)) return NOTHING_BEGUN
  const flow = await claimOfBrowser(deps.db, toolkit, browser.hash)
  if (flow) return finishClaimed(deps, flow, callback)
  return await openInBrowser(deps.db, toolkit, browser.hash) > 1 ? SEVERAL_BEGUN : NOTHING_BEGUN
}

async function finishClaimed(deps: AccountDeps, flow: FlowRow, callback: Values): Promise<Outcome> {
  const row = await find(deps.db, flow.project_id, flow.connected_account_id)
  if (!row || !mayFinish(flow, row)) return EXPIRED_LINK
  const config = await findAuthConfig(deps.db, flow.project_id, row.auth_config_id)
  const setup = config && setupOf(deps, config, () => ({ ...openVal(deps.sealer, row), ...keptBy(secretsOf(deps, flow)).val }))
  const failure = await exchange(deps, flow, row, setup, callback)
  return failure ? failed(deps, flow, row, setup, failure) : succeeded(deps, flow.project_id, row)
}

/** What tells one walk from others: the state, or the request token of OAuth 1 (RFC 5849, 2.2), which some providers call `denied` when the user refused. */
function walkOf(callback: Values): string | undefined {
  return ['state', 'oauth_token', 'denied'].map((name) => callback[name]).find((value): value is string => typeof value === 'string' && value !== '')
}

function refused(flow: FlowRow | undefined): Outcome {
  if (!flow) return UNKNOWN_LINK
  return flow.used_at || flow.late ? EXPIRED_LINK : OTHER_BROWSER
}

interface Failure { code: string, text: string }

/** Code against tokens; answers what went wrong, if anything did. */
async function exchange(deps: AccountDeps, flow: FlowRow, row: AccountRow, setup: Setup | undefined, callback: Values): Promise<Failure | undefined> {
  const finish = setup && authSchemes[setup.scheme.mode as AuthSchemeName]?.finish
  if (!setup || !finish) return { code: NOT_AVAILABLE, text: 'The auth config of this connection is gone.' }
  if (typeof callback['denied'] === 'string') return { code: 'access_denied', text: 'access_denied' }
  const secrets = secretsOf(deps, flow)
  try {
    const grant = await recorded(deps, { projectId: flow.project_id, accountId: row.id, kind: 'code', setup }, (tools) => finish(setup, secrets, callback, tools))
    const connected = await storeGrant(deps, flow, secrets, grant)
    return connected ? undefined : { code: 'expired', text: REASONS.setupTimeout }
  } catch (error) {
    if (error instanceof GrantRefused) return { code: error.code, text: error.message }
    if (error instanceof ProviderTrouble) return { code: 'token_exchange_failed', text: error.message }
    // What the walk was begun with is gone, such as the operator's credentials.
    if (error instanceof ApiError && error.status < 500) return { code: NOT_AVAILABLE, text: error.message }
    throw error
  }
}

async function failed(deps: AccountDeps, flow: FlowRow, row: AccountRow, setup: Setup | undefined, failure: Failure): Promise<Outcome> {
  const { code, text } = failure
  const val = { ...withoutFailure(openVal(deps.sealer, row)), error: code, error_description: text }
  await move(deps.db, flow.project_id, row.id, 'fail', { status_reason: asReason(`${REASONS.callbackFailed}: ${text}`), val: deps.sealer.seal(val, valContext(row.id)) })
  if (row.callback_url) return { kind: 'redirect', url: homeOf(row.callback_url, { status: 'failed', connected_account_id: row.id, error: code }) }
  const toolkit = toolkitOf(deps, row)
  const words = explain(failure, { app: toolkit.name, address: () => setup?.redirectUri ?? deps.callbackUrl })
  const detail = { label: code === NOT_AVAILABLE ? 'What is missing' : 'What the provider said', text }
  const stands = flow.kind === 'reconnect' && row.status === 'ACTIVE' ? ' The connection that was there works on as before.' : ''
  return message(200, { tone: 'bad', ...words, text: `${words.text}${stands}`, detail, toolkit, branding: await deps.branding(flow.project_id) })
}

async function succeeded(deps: AccountDeps, projectId: string, row: AccountRow): Promise<Outcome> {
  const known = await noteIdentity(deps, projectId, row.id)
  if (row.callback_url) return { kind: 'redirect', url: homeOf(row.callback_url, { status: 'success', connected_account_id: row.id }) }
  const toolkit = toolkitOf(deps, row)
  return message(200, { tone: 'good', title: `${toolkit.name} is connected`, text: connectedWords(known), toolkit, branding: await deps.branding(projectId) })
}

/** The application's own address, with how it ended; the address keeps its own query. */
export function homeOf(url: string, params: Record<string, string>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return target.href
}

export const toolkitOf = ({ catalog }: AccountDeps, row: Pick<AccountRow, 'toolkit_slug'>) => ({ slug: row.toolkit_slug, name: catalog.toolkit(row.toolkit_slug)?.name ?? row.toolkit_slug })

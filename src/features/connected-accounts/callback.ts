import { authSchemes, GrantRefused, ProviderTrouble, type Setup, type Values } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { findAuthConfig } from '../auth-configs/index.ts'
import type { Browser } from './browser-cookie.ts'
import type { AccountDeps } from './deps.ts'
import { recorded } from './exchanges.ts'
import { isWaiting } from './code-store.ts'
import { secretsOf } from './flow.ts'
import { byState, claim, claimOfBrowser, type FlowRow, hashState, openInBrowser } from './flow-store.ts'
import { noteIdentity, openIdentity } from './identity.ts'
import { asReason, REASONS } from './lifecycle.ts'
import { openVal, setupOf, valContext } from './open.ts'
import { EXPIRED_LINK, message, NO_STATE, NOTHING_BEGUN, OTHER_BROWSER, type Outcome, SEVERAL_BEGUN, UNKNOWN_LINK } from './outcome.ts'
import { connectedWords } from './pages/identity-words.ts'
import { explain, NOT_AVAILABLE } from './provider-errors.ts'
import { withoutFailure } from './reopen.ts'
import { type AccountRow, find, move } from './store.ts'
import { keptBy, mayFinish, storeGrant } from './walk-end.ts'
import { meet, webhookOf } from './webhook.ts'

/** How long a page waits before it asks again whether the provider has confirmed. */
const ASK_AGAIN_SECONDS = 3

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

/** The code of a walk whose browser is back came by a webhook. False when the account waits for it no longer. */
export async function finishByWebhook(deps: AccountDeps, stateHash: Buffer, callback: Values): Promise<boolean> {
  const flow = await byState(deps.db, stateHash)
  return flow !== undefined && !flow.late && await finishClaimed(deps, flow, callback, true) !== EXPIRED_LINK
}

/** `hasCode`: what the webhook of the provider brought stands in `callback` already. */
async function finishClaimed(deps: AccountDeps, flow: FlowRow, callback: Values, hasCode = false): Promise<Outcome> {
  const row = await find(deps.db, flow.project_id, flow.connected_account_id)
  if (!row || !mayFinish(flow, row)) return EXPIRED_LINK
  const config = await findAuthConfig(deps.db, flow.project_id, row.auth_config_id)
  const setup = config && setupOf(deps, config, () => ({ ...openVal(deps.sealer, row), ...keptBy(secretsOf(deps, flow)).val }))
  const met = setup && webhookOf(setup) && !hasCode && callback['error'] === undefined ? await meet(deps, flow, row.auth_config_id, setup, callback) : { kind: 'met' as const, callback }
  if (met.kind === 'waiting') return waiting(deps, flow, row)
  const failure = met.kind === 'refused' ? { code: 'token_exchange_failed', text: met.text } : await exchange(deps, flow, row, setup, met.callback)
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
  return failurePage(deps, flow, row, setup, failure)
}

async function failurePage(deps: AccountDeps, flow: FlowRow, row: AccountRow, setup: Setup | undefined, failure: Failure): Promise<Outcome> {
  const { code, text } = failure
  if (row.callback_url) return { kind: 'redirect', url: homeOf(row.callback_url, { status: 'failed', connected_account_id: row.id, error: code }) }
  const toolkit = toolkitOf(deps, row)
  const words = explain(failure, { app: toolkit.name, address: () => setup?.redirectUri ?? deps.callbackUrl })
  const detail = { label: code === NOT_AVAILABLE ? 'What is missing' : 'What the provider said', text }
  const stands = flow.kind === 'reconnect' && row.status === 'ACTIVE' ? ' The connection that was there works on as before.' : ''
  return message(200, { tone: 'bad', ...words, text: `${words.text}${stands}`, detail, toolkit, branding: await deps.branding(flow.project_id) })
}

async function succeeded(deps: AccountDeps, projectId: string, row: AccountRow): Promise<Outcome> {
  return successPage(deps, projectId, row, await noteIdentity(deps, projectId, row.id))
}

async function successPage(deps: AccountDeps, projectId: string, row: AccountRow, known: Parameters<typeof connectedWords>[0]): Promise<Outcome> {
  if (row.callback_url) return { kind: 'redirect', url: homeOf(row.callback_url, { status: 'success', connected_account_id: row.id }) }
  const toolkit = toolkitOf(deps, row)
  return message(200, { tone: 'good', title: `${toolkit.name} is connected`, text: connectedWords(known), toolkit, branding: await deps.branding(projectId) })
}

/** The browser is back before its code. The page asks again by itself, as long as the walk has time. */
async function waiting(deps: AccountDeps, flow: FlowRow, row: AccountRow): Promise<Outcome> {
  const toolkit = toolkitOf(deps, row)
  return message(200, {
    tone: 'plain', title: `Waiting for ${toolkit.name}`, text: `${toolkit.name} still has to confirm the connection, which takes a few seconds. You can also close this page: the connection is finished without it.`,
    toolkit, branding: await deps.branding(flow.project_id), onward: { url: `${deps.publicUrl}/api/v3/s/${flow.short_id}/end`, label: 'Look again', afterSeconds: ASK_AGAIN_SECONDS },
  })
}

/** How a walk whose code comes by a webhook has ended, for the browser that waits for it. */
export async function showEnd(deps: AccountDeps, flow: FlowRow | undefined, browser: Browser | undefined): Promise<Outcome> {
  const row = flow && await find(deps.db, flow.project_id, flow.connected_account_id)
  if (!flow?.used_at || !row) return UNKNOWN_LINK
  if (flow.browser_hash && !browser?.hash.equals(flow.browser_hash)) return OTHER_BROWSER
  const isOver = !await isWaiting(deps.db, flow.project_id, flow.state_hash)
  if (!isOver) return flow.late ? EXPIRED_LINK : waiting(deps, flow, row)
  if (row.status === 'ACTIVE') return successPage(deps, flow.project_id, row, openIdentity(deps.sealer, row))
  if (row.status !== 'FAILED') return waiting(deps, flow, row)
  const { error, error_description: text } = openVal(deps.sealer, row)
  return failurePage(deps, flow, row, undefined, { code: String(error), text: String(text) })
}

/** The application's own address, with how it ended; the address keeps its own query. */
export function homeOf(url: string, params: Record<string, string>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return target.href
}

export const toolkitOf = ({ catalog }: AccountDeps, row: Pick<AccountRow, 'toolkit_slug'>) => ({ slug: row.toolkit_slug, name: catalog.toolkit(row.toolkit_slug)?.name ?? row.toolkit_slug })

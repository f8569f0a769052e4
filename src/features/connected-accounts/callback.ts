import { authSchemes, GrantRefused, ProviderTrouble, type Values } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { findAuthConfig } from '../auth-configs/index.ts'
import { type AccountDeps, schemeTools } from './deps.ts'
import { flowContext } from './flow.ts'
import { byShortId, byState, claim, type FlowRow, hashState } from './flow-store.ts'
import { asReason, REASONS } from './lifecycle.ts'
import { openVal, setupOf, valContext } from './open.ts'
import { type AccountRow, find, move } from './store.ts'

const SHORT_ID = /^[A-Za-z0-9]{8}$/

/** How a walk ended; `page` is for browsers whose connection named no callback address. */
export type Outcome =
  | { kind: 'redirect', url: string }
  | { kind: 'page', status: number, title: string, text: string }

const page = (status: number, title: string, text: string): Outcome => ({ kind: 'page', status, title, text })
const EXPIRED_LINK = page(410, 'This link has expired', 'A connection has to be finished within ten minutes, and a link works once. Go back to the application and start again.')
const UNKNOWN_LINK = page(404, 'This link is not known', 'Check that the address is complete, or go back to the application and start again.')

/** The short address: sends the browser on to the provider. */
export async function openShortLink(deps: AccountDeps, shortId: string): Promise<Outcome> {
  const flow = SHORT_ID.test(shortId) ? await byShortId(deps.db, shortId) : undefined
  if (!flow) return UNKNOWN_LINK
  if (flow.used_at || flow.late || !await move(deps.db, flow.project_id, flow.connected_account_id, 'send')) return EXPIRED_LINK
  return { kind: 'redirect', url: String(secretsOf(deps, flow)['authorize_url']) }
}

/** The provider sent the browser back: the steps, in order. */
export async function finishFlow(deps: AccountDeps, callback: Values): Promise<Outcome> {
  const { state } = callback
  if (typeof state !== 'string' || !state) return page(400, 'Something is missing', 'The provider sent you back without a state, so this connection cannot be told from others. Go back to the application and start again.')
  const flow = await claim(deps.db, hashState(state))
  if (!flow) return await byState(deps.db, hashState(state)) ? EXPIRED_LINK : UNKNOWN_LINK
  const row = await find(deps.db, flow.project_id, flow.connected_account_id)
  if (!row || (row.status !== 'INITIALIZING' && row.status !== 'INITIATED')) return EXPIRED_LINK
  const failure = await exchange(deps, flow, row, callback)
  return failure ? failed(deps, flow, row, failure) : succeeded(deps, row)
}

interface Failure { code: string, text: string }

/** Code against tokens; answers what went wrong, if anything did. */
async function exchange(deps: AccountDeps, flow: FlowRow, row: AccountRow, callback: Values): Promise<Failure | undefined> {
  const config = await findAuthConfig(deps.db, flow.project_id, row.auth_config_id)
  const setup = config && setupOf(deps, config, () => openVal(deps.sealer, row))
  const scheme = setup && authSchemes[setup.scheme.mode as AuthSchemeName]
  if (!setup || !scheme?.finish) return { code: 'not_available', text: 'The auth config of this connection is gone.' }
  try {
    const grant = await scheme.finish(setup, secretsOf(deps, flow), callback, schemeTools(deps))
    const connected = await move(deps.db, flow.project_id, row.id, 'connect', {
      val: deps.sealer.seal({ ...withoutWalk(setup.val), ...grant.val }, valContext(row.id)), token_expires_at: grant.expiresAt === null ? null : new Date(grant.expiresAt),
    })
    return connected ? undefined : { code: 'expired', text: REASONS.setupTimeout }
  } catch (error) {
    if (error instanceof GrantRefused) return { code: error.code, text: error.message }
    if (error instanceof ProviderTrouble) return { code: 'token_exchange_failed', text: error.message }
    throw error
  }
}

async function failed(deps: AccountDeps, flow: FlowRow, row: AccountRow, { code, text }: Failure): Promise<Outcome> {
  const val = { ...withoutWalk(openVal(deps.sealer, row)), error: code, error_description: text }
  await move(deps.db, flow.project_id, row.id, 'fail', { status_reason: asReason(`${REASONS.callbackFailed}: ${text}`), val: deps.sealer.seal(val, valContext(row.id)) })
  if (row.callback_url) return { kind: 'redirect', url: withParams(row.callback_url, { status: 'failed', connected_account_id: row.id, error: code }) }
  return page(200, 'Not connected', `${nameOf(deps, row)} did not grant access: ${text}. Close this page and try again from the application.`)
}

function succeeded(deps: AccountDeps, row: AccountRow): Outcome {
  if (row.callback_url) return { kind: 'redirect', url: withParams(row.callback_url, { status: 'success', connected_account_id: row.id }) }
  return page(200, `${nameOf(deps, row)} is connected`, 'You can close this page and go back to the application.')
}

/** What belongs to the walk alone. */
const withoutWalk = ({ redirectUrl: _redirectUrl, ...val }: Values): Values => val

/** The address keeps its own query. */
function withParams(url: string, params: Record<string, string>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return target.href
}

const nameOf = ({ catalog }: AccountDeps, row: AccountRow) => catalog.toolkit(row.toolkit_slug)?.name ?? row.toolkit_slug
const secretsOf = ({ sealer }: AccountDeps, flow: FlowRow) => sealer.open<Values>(flow.secrets, flowContext(flow.state_hash))

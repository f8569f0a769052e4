import type { Browser } from './browser-cookie.ts'
import { connectOutcome } from './connect-outcome.ts'
import type { AccountDeps } from './deps.ts'
import { secretsOf } from './flow.ts'
import { bindBrowser, byShortId, type FlowRow } from './flow-store.ts'
import { EXPIRED_LINK, type Outcome, UNKNOWN_LINK } from './outcome.ts'
import { find } from './store.ts'
import { keptBy, mayFinish, sendOff } from './walk-end.ts'

const SHORT_ID = /^[A-Za-z0-9]{8}$/

/**
 * The short address: sends the browser on to the provider, and remembers which browser it was. `asPage`: who is to connect an account again is told first
 * which one and what for, on a page that leads on.
 */
export async function openShortLink(deps: AccountDeps, shortId: string, browser: Browser, asPage = false): Promise<Outcome> {
  const flow = SHORT_ID.test(shortId) ? await byShortId(deps.db, shortId) : undefined
  if (!flow) return UNKNOWN_LINK
  if (flow.used_at || flow.late) return EXPIRED_LINK
  if (asPage && flow.kind === 'reconnect') return show(deps, flow)
  if (!await bindBrowser(deps.db, flow.state_hash, browser.hash) || !await sendOff(deps, flow)) return EXPIRED_LINK
  return { kind: 'redirect', url: String(secretsOf(deps, flow)['authorize_url']) }
}

async function show(deps: AccountDeps, flow: FlowRow): Promise<Outcome> {
  const row = await find(deps.db, flow.project_id, flow.connected_account_id)
  if (!row || row.auth_config_status === 'DISABLED' || !mayFinish(flow, row)) return EXPIRED_LINK
  const { requested_scopes: scopes, requested_user_scopes: userScopes } = keptBy(secretsOf(deps, flow))
  return connectOutcome(deps, flow.project_id, row, { again: true, scopes: [...scopes, ...userScopes], leadsOn: true, action: { link: `${flow.short_id}?continue=1` } })
}

import { inProject } from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { type Browser, formToken } from './browser-cookie.ts'
import { connectOutcome } from './connect-outcome.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { secretsOf } from './flow.ts'
import { bindBrowser, byShortId, endOthers, type FlowRow } from './flow-store.ts'
import { toTheProvider } from './link-submit.ts'
import { EXPIRED_LINK, NO_COOKIE, type Outcome, UNKNOWN_LINK } from './outcome.ts'
import { find } from './store.ts'
import { keptBy, mayFinish, sendOff } from './walk-end.ts'
import { toolkitOf } from './walk-pages.ts'

const SHORT_ID = /^[A-Za-z0-9]{8}$/

/**
 * The short address: sends the browser on to the provider, and remembers which browser it was. `asPage`: who is to connect an account again is told first
 * which one and what for, on a page that leads on. Before a walk without a state that page always stands, and has to be confirmed.
 */
export async function openShortLink(
  shared: SharedAccountDeps,
  shortId: string,
  browser: Browser,
  asPage = false,
): Promise<Outcome> {
  const open = await openFlow(shared, shortId)
  if (!open.flow) return open.refused
  const { flow } = open
  const deps = await inProject<AccountDeps>(shared, flow.project_id)
  if (flow.browser_toolkit !== null)
    return show(deps, flow, { token: shortId, formToken: formToken(browser, shortId) })
  if (asPage && flow.kind === 'reconnect') return show(deps, flow, { link: `${shortId}?continue=1` })
  if (!(await bindBrowser(deps.db, flow.state_hash, browser.hash)) || !(await sendOff(deps, flow)))
    return EXPIRED_LINK
  return { kind: 'redirect', url: String(secretsOf(deps, flow)['authorize_url']) }
}

/**
 * The user pressed the button of the page that stands before a walk without a state. From here on what this toolkit sends this browser back with belongs to
 * this walk, so a visit that another page caused must not be enough: the form proves that its user saw who asks.
 */
export async function confirmWalk(
  shared: SharedAccountDeps,
  shortId: string,
  browser: Browser | undefined,
  form: Readonly<Record<string, string>>,
): Promise<Outcome> {
  if (!browser || !timingSafeEqualText(form['form_token'] ?? '', formToken(browser, shortId)))
    return NO_COOKIE
  const open = await openFlow(shared, shortId)
  if (!open.flow) return open.refused
  const { flow } = open
  const deps = await inProject<AccountDeps>(shared, flow.project_id)
  const bound =
    flow.browser_toolkit !== null &&
    (await deps.db.begin(async (tx) => {
      await endOthers(tx, flow, browser.hash)
      return bindBrowser(tx, flow.state_hash, browser.hash)
    }))
  const row =
    bound && (await sendOff(deps, flow))
      ? await find(deps.db, flow.project_id, flow.connected_account_id)
      : undefined
  return row
    ? toTheProvider(
        deps,
        flow.project_id,
        toolkitOf(deps, row),
        String(secretsOf(deps, flow)['authorize_url']),
      )
    : EXPIRED_LINK
}

/** The walk of a short address, open or not. */
export const flowOf = async (
  { db }: Pick<AccountDeps, 'db'>,
  shortId: string,
): Promise<FlowRow | undefined> => (SHORT_ID.test(shortId) ? byShortId(db, shortId) : undefined)

async function openFlow(
  deps: Pick<AccountDeps, 'db'>,
  shortId: string,
): Promise<{ flow: FlowRow } | { flow: undefined; refused: Outcome }> {
  const flow = await flowOf(deps, shortId)
  if (!flow) return { flow: undefined, refused: UNKNOWN_LINK }
  return flow.used_at || flow.late ? { flow: undefined, refused: EXPIRED_LINK } : { flow }
}

async function show(
  deps: AccountDeps,
  flow: FlowRow,
  action: Parameters<typeof connectOutcome>[3]['action'],
): Promise<Outcome> {
  const row = await find(deps.db, flow.project_id, flow.connected_account_id)
  if (!row || row.auth_config_status === 'DISABLED' || !mayFinish(flow, row)) return EXPIRED_LINK
  const again = flow.kind === 'reconnect'
  const { requested_scopes: scopes, requested_user_scopes: userScopes } = again
    ? keptBy(secretsOf(deps, flow))
    : row
  return connectOutcome(deps, flow.project_id, row, {
    again,
    scopes: [...scopes, ...userScopes],
    leadsOn: true,
    action,
  })
}

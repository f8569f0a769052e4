import { bindToProject } from '../../../catalog/index.ts'
import { timingSafeEqualText } from '../../../platform/crypto/index.ts'
import type { AccountDeps, SharedAccountDeps } from '../deps.ts'
import { type Browser, formToken } from '../pages/browser-cookie.ts'
import { connectPageOutcome } from '../pages/connect-page-outcome.ts'
import { providerPage } from '../pages/flow-pages.ts'
import { EXPIRED_LINK, MISSING_FORM_COOKIE, type PageOutcome, UNKNOWN_LINK } from '../pages/page-outcome.ts'
import type { ConnectPage } from '../pages/templates/connect-page.ts'
import { toolkitLabel } from '../pages/toolkit-label.ts'
import { canMove, moveAccount } from '../state-machine.ts'
import { type AccountRow, findAccount } from '../store.ts'
import { decryptFlowSecrets, pendingReconnectOf } from './flow-secrets.ts'
import {
  type AuthorizationFlowRow,
  bindFlowToBrowser,
  endOtherFlowsInBrowser,
  findFlowByShortId,
} from './flow-store.ts'
import { needsConsentPage } from './start.ts'

const SHORT_ID = /^[A-Za-z0-9]{8}$/

/**
 * Opens a short link: binds the flow to the browser and redirects it to the provider. With `asPage`, a user
 * who reconnects an account first sees a page that names the account. If the flow needs a confirmation, the form of
 * the page must be sent.
 */
export async function openShortLink(
  shared: SharedAccountDeps,
  shortId: string,
  browser: Browser,
  asPage = false,
): Promise<PageOutcome> {
  const open = await findOpenFlow(shared, shortId)
  if (!open.flow) return open.rejection
  const { flow } = open
  const deps = await bindToProject<AccountDeps>(shared, flow.project_id)
  const row = await findAccount(deps.db, flow.project_id, flow.connected_account_id)
  if (!row) return EXPIRED_LINK
  if (needsConfirmation(deps, flow, row))
    return showFlowPage(deps, flow, { token: shortId, formToken: formToken(browser, shortId) })
  if (asPage && flow.kind === 'reconnect') return showFlowPage(deps, flow, { link: `${shortId}?continue=1` })
  const isBound = await bindFlowToBrowser(deps.db, flow.state_hash, browser.hash)
  if (!isBound || !(await startRedirect(deps, flow))) return EXPIRED_LINK
  return { kind: 'redirect', url: authorizeUrlOf(deps, flow) }
}

/**
 * Confirms a flow. A visit that another site caused is not enough: the form proves that the user saw who asks for
 * access. If the provider returns no state, a callback for this toolkit in this browser belongs to this flow from now
 * on.
 */
export async function confirmFlow(
  shared: SharedAccountDeps,
  shortId: string,
  browser: Browser | undefined,
  form: Readonly<Record<string, string>>,
): Promise<PageOutcome> {
  if (!browser || !timingSafeEqualText(form['form_token'] ?? '', formToken(browser, shortId)))
    return MISSING_FORM_COOKIE
  const open = await findOpenFlow(shared, shortId)
  if (!open.flow) return open.rejection
  const { flow } = open
  const deps = await bindToProject<AccountDeps>(shared, flow.project_id)
  const isBound = await deps.db.begin(async (tx) => {
    if (flow.browser_toolkit !== null) await endOtherFlowsInBrowser(tx, flow, browser.hash)
    return bindFlowToBrowser(tx, flow.state_hash, browser.hash)
  })
  if (!isBound || !(await startRedirect(deps, flow))) return EXPIRED_LINK
  const row = await findAccount(deps.db, flow.project_id, flow.connected_account_id)
  if (!row) return EXPIRED_LINK
  return providerPage(deps, flow.project_id, toolkitLabel(deps, row), authorizeUrlOf(deps, flow))
}

/** Whether a user has to confirm on a page of this server before the browser is redirected to the provider. */
const needsConfirmation = (deps: AccountDeps, flow: AuthorizationFlowRow, row: AccountRow): boolean =>
  flow.browser_toolkit !== null || needsConsentPage(deps, row)

/** Finds the flow of a short link, also if it is used or expired. */
export const findFlow = async (
  { db }: Pick<AccountDeps, 'db'>,
  shortId: string,
): Promise<AuthorizationFlowRow | undefined> =>
  SHORT_ID.test(shortId) ? findFlowByShortId(db, shortId) : undefined

const authorizeUrlOf = ({ encryptor }: AccountDeps, flow: AuthorizationFlowRow): string =>
  String(decryptFlowSecrets(encryptor, flow)['authorize_url'])

async function findOpenFlow(
  deps: Pick<AccountDeps, 'db'>,
  shortId: string,
): Promise<{ flow: AuthorizationFlowRow } | { flow: undefined; rejection: PageOutcome }> {
  const flow = await findFlow(deps, shortId)
  if (!flow) return { flow: undefined, rejection: UNKNOWN_LINK }
  return flow.used_at || flow.is_expired ? { flow: undefined, rejection: EXPIRED_LINK } : { flow }
}

/**
 * Marks the account as INITIATED. An ACTIVE account that is being reconnected stays as it is. Returns false
 * if the account waits for no flow.
 */
async function startRedirect(deps: AccountDeps, flow: AuthorizationFlowRow): Promise<boolean> {
  const { project_id: projectId, connected_account_id: accountId, kind } = flow
  if (await deps.db.begin((tx) => moveAccount(deps, tx, projectId, accountId, 'redirect'))) return true
  return kind === 'reconnect' && (await findAccount(deps.db, projectId, accountId))?.status === 'ACTIVE'
}

async function showFlowPage(
  deps: AccountDeps,
  flow: AuthorizationFlowRow,
  action: ConnectPage['action'],
): Promise<PageOutcome> {
  const row = await findAccount(deps.db, flow.project_id, flow.connected_account_id)
  if (!row || row.auth_config_status === 'DISABLED' || !canMove(flow.kind, row.status)) return EXPIRED_LINK
  const isReconnect = flow.kind === 'reconnect'
  const { requested_scopes: scopes, requested_user_scopes: userScopes } = isReconnect
    ? pendingReconnectOf(deps.encryptor, flow)
    : row
  return connectPageOutcome(deps, flow.project_id, row, {
    isReconnect,
    scopes: [...scopes, ...userScopes],
    continuesAtProvider: true,
    action,
  })
}

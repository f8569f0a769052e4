import { bindToProject } from '../../../catalog/index.ts'
import { decryptCredentials } from '../credentials.ts'
import type { AccountDeps, SharedAccountDeps } from '../deps.ts'
import { decryptIdentity } from '../identity/identity.ts'
import type { Browser } from '../pages/browser-cookie.ts'
import { choicePageUrl, flowPage } from '../pages/flow-pages.ts'
import { EXPIRED_LINK, type PageOutcome, UNKNOWN_LINK, WRONG_BROWSER } from '../pages/page-outcome.ts'
import { findAccount } from '../store.ts'
import type { HasAccount } from './context.ts'
import type { AuthorizationFlowRow } from './flow-store.ts'
import { decryptPendingConnection } from './pending-connection.ts'
import { findNewestPendingConnection } from './pending-store.ts'
import { findFlow } from './short-link.ts'
import { isWaitingForCode } from './webhook-code-store.ts'

/** Shows the state of a flow whose code comes by webhook to the browser that waits for it. */
export async function showFlowStatus(
  deps: SharedAccountDeps,
  shortId: string,
  browser: Browser | undefined,
): Promise<PageOutcome> {
  const flow = await findFlow(deps, shortId)
  const account = flow && (await findAccount(deps.db, flow.project_id, flow.connected_account_id))
  if (!flow?.used_at || !account) return UNKNOWN_LINK
  if (flow.browser_hash && !browser?.hash.equals(flow.browser_hash)) return WRONG_BROWSER
  const projectId = flow.project_id
  const project = await bindToProject<AccountDeps>(deps, projectId)
  const subject: HasAccount = { project, projectId, account, kind: flow.kind }
  if (await isWaitingForCode(project.db, projectId, flow.state_hash)) {
    return flow.is_expired ? EXPIRED_LINK : flowPage({ kind: 'code_pending', subject, flow }, 'visit')
  }
  const pendingUrl = await findPendingUrl(subject, flow)
  if (pendingUrl !== undefined) return { kind: 'redirect', url: pendingUrl }
  return statusPage(subject, flow)
}

/**
 * Finds the URL at which the flow continues. Only for the browser that started the flow: anybody with the
 * link could confirm for another user.
 */
async function findPendingUrl(
  { project, projectId, account }: HasAccount,
  flow: AuthorizationFlowRow,
): Promise<string | undefined> {
  const row = flow.browser_hash
    ? await findNewestPendingConnection(project.db, projectId, account.id)
    : undefined
  return row && (decryptPendingConnection(project.encryptor, row).url ?? choicePageUrl(project, row.id))
}

function statusPage(subject: HasAccount, flow: AuthorizationFlowRow): Promise<PageOutcome> {
  const { project, account } = subject
  if (account.status === 'ACTIVE') {
    const identity = decryptIdentity(project.encryptor, account)
    return flowPage({ kind: 'connected', subject, identity }, 'visit')
  }
  if (account.status !== 'FAILED') return flowPage({ kind: 'code_pending', subject, flow }, 'visit')
  const { error, error_description: text } = decryptCredentials(project.encryptor, account)
  return flowPage({ kind: 'failed', subject, failure: { code: String(error), text: String(text) } }, 'visit')
}

import { runPostConnectSteps } from '../../../../engine/index.ts'
import { finish, type Finished } from '../../../../platform/pipeline.ts'
import { createConnectionContext, decryptCredentials } from '../../credentials.ts'
import type { Browser } from '../../pages/browser-cookie.ts'
import { logProviderRequests } from '../../provider-log/request-log.ts'
import type { ConnectContext, FlowOutcome, HasGrant } from '../context.ts'
import { type PendingGrant, storePendingConnection } from '../pending-connection.ts'

/**
 * Runs the `post_connect` requests of the toolkit, which look up values such as the site or the tenant. Ends
 * if the user has to choose one of several. @throws GrantRejected, ProviderUnavailable, ApiError, ToolFailure
 */
export async function lookUpResources(
  context: ConnectContext & { readonly browser?: Browser },
): Promise<HasGrant | Finished<FlowOutcome>> {
  const { grant, browserHash, browser } = context
  const found = await runPostConnect(context)
  const extended: PendingGrant = { ...grant, credentials: { ...grant.credentials, ...found.val } }
  if (found.kind === 'done') return { grant: extended }
  const pendingId = await storePendingConnection(context, 'choice', browserHash, {
    grant: { ...extended, step: found.step },
    what: found.what,
    choices: found.choices,
  })
  return finish<FlowOutcome>(
    pendingId === undefined
      ? { kind: 'too_late' }
      : { kind: 'choice_required', subject: context, pendingId, browser },
  )
}

async function runPostConnect({ project, projectId, account, config, toolkit, grant }: ConnectContext) {
  const connection = createConnectionContext(project, config, () =>
    grant.replacesAll
      ? grant.credentials
      : { ...decryptCredentials(project.encryptor, account), ...grant.credentials },
  )
  if (!connection?.scheme.manifest.post_connect) return { kind: 'done' as const, val: {} }
  const subject = { projectId, accountId: account.id, kind: 'post_connect' as const, connection }
  return logProviderRequests(project, subject, (tools) =>
    runPostConnectSteps(tools, toolkit, connection, grant.step),
  )
}

import type { FoundTool, RenderedRequest } from '../../catalog/index.ts'
import type { Connection, EngineDeps, Execution } from '../types.ts'
import { buildRequest } from './build-request.ts'
import { fresh } from './fresh.ts'
import { isRenewable, withRenewed } from './fresh-credentials.ts'
import { meaningOf, type ProviderAnswer, readAnswer } from './shape-result.ts'

/** An answer, and the connection it was got with: fresh credentials are for the next request of the same tool too. */
export interface Sent { answer: ProviderAnswer, connection: Connection }

/** Sends the request; refused credentials are renewed once and the request repeated. */
export async function send(deps: EngineDeps, execution: Execution, found: FoundTool, connection: Connection, rendered: RenderedRequest): Promise<Sent> {
  const answer = await exchange(deps, execution, found, connection, rendered)
  if (connection.kind !== 'account') return { answer, connection }
  if (meaningOf(found, answer) !== 'reauth' || !isRenewable(connection)) {
    await note(deps, execution, found, connection, answer)
    return { answer, connection }
  }
  const renewed = withRenewed(await deps.accounts.renew(execution.projectId, connection.account))
  // The token endpoint is in trouble: nothing is fresh, so a repetition would be refused again and prove nothing.
  if (renewed.account.version === connection.account.version) return { answer, connection }
  const second = await exchange(deps, execution, found, renewed, rendered)
  await note(deps, execution, found, renewed, second)
  return { answer: second, connection: renewed }
}

async function exchange(deps: EngineDeps, { signal }: Execution, found: FoundTool, connection: Connection, rendered: RenderedRequest): Promise<ProviderAnswer> {
  const request = buildRequest(found, rendered, connection, await fresh(connection, deps.clock.now()))
  return readAnswer(await deps.egress.send({ ...request, signal }))
}

/** Keeps count of refusals. A provider that is down or busy says nothing about the credentials. */
async function note(deps: EngineDeps, { projectId }: Execution, found: FoundTool, { account }: Extract<Connection, { kind: 'account' }>, answer: ProviderAnswer): Promise<void> {
  const meaning = meaningOf(found, answer)
  if (meaning === 'reauth') await deps.accounts.refused(projectId, account)
  else if (account.authFailures > 0 && meaning !== 'transient' && meaning !== 'rate_limit') await deps.accounts.accepted(projectId, account)
}

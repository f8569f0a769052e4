import type { FoundTool, RenderedRequest } from '../../catalog/index.ts'
import type { Connection, EngineDeps, Execution } from '../types.ts'
import { buildRequest } from './build-request.ts'
import { isRenewable, withRenewed } from './fresh-credentials.ts'
import { meaningOf, type ProviderAnswer, readAnswer } from './shape-result.ts'

/** Sends the request; refused credentials are renewed once and the request repeated. */
export async function send(deps: EngineDeps, execution: Execution, found: FoundTool, connection: Connection, rendered: RenderedRequest): Promise<ProviderAnswer> {
  const first = await exchange(deps, execution, found, connection, rendered)
  if (connection.kind !== 'account') return first
  if (!refused(found, first)) {
    if (connection.account.authFailures > 0) await deps.accounts.accepted(execution.projectId, connection.account)
    return first
  }
  if (!isRenewable(connection)) {
    await deps.accounts.refused(execution.projectId, connection.account)
    return first
  }
  const renewed = withRenewed(await deps.accounts.renew(execution.projectId, connection.account))
  const second = await exchange(deps, execution, found, renewed, rendered)
  if (refused(found, second)) await deps.accounts.refused(execution.projectId, connection.account)
  return second
}

async function exchange(deps: EngineDeps, { signal }: Execution, found: FoundTool, connection: Connection, rendered: RenderedRequest): Promise<ProviderAnswer> {
  return readAnswer(await deps.egress.send({ ...buildRequest(found, rendered, connection), signal }))
}

const refused = (found: FoundTool, answer: ProviderAnswer) => meaningOf(found, answer) === 'reauth'

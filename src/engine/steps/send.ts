import type { FoundTool, RenderedRequest } from '../../catalog/index.ts'
import type { Connection, EngineDeps, Execution } from '../types.ts'
import { buildRequest } from './build-request.ts'
import { fresh } from './fresh.ts'
import { isRenewable, isStale, withRenewed } from './fresh-credentials.ts'
import { meaningOf, type ProviderAnswer, readAnswer } from './shape-result.ts'

type AccountConnection = Extract<Connection, { kind: 'account' }>

/** An answer, and the connection it was got with: fresh credentials are for the next request of the same tool too. */
export interface Sent { answer: ProviderAnswer, connection: Connection }

/** Sends the request; refused credentials are renewed and the request repeated. */
export async function send(deps: EngineDeps, execution: Execution, found: FoundTool, connection: Connection, rendered: RenderedRequest): Promise<Sent> {
  const answer = await exchange(deps, execution, found, connection, rendered)
  if (connection.kind !== 'account') return { answer, connection }
  if (meaningOf(found, answer) !== 'reauth' || !isRenewable(connection)) {
    await note(deps, execution, found, connection, answer)
    return { answer, connection }
  }
  return repeat(deps, execution, found, connection, rendered, answer)
}

/** A token that lives for a second may end on its way: only then is it renewed and the request repeated once more. */
const RENEWALS_MAX = 6

async function repeat(deps: EngineDeps, execution: Execution, found: FoundTool, refused: AccountConnection, rendered: RenderedRequest, answer: ProviderAnswer): Promise<Sent> {
  let last: { answer: ProviderAnswer, connection: AccountConnection } = { answer, connection: refused }
  for (let renewals = 1; ; renewals++) {
    const renewed = withRenewed(await deps.accounts.renew(execution.projectId, last.connection.account))
    // The token endpoint is in trouble: nothing is fresh, so a repetition would be refused again and prove nothing.
    if (renewed.account.version === last.connection.account.version) return last
    last = { answer: await exchange(deps, execution, found, renewed, rendered), connection: renewed }
    if (meaningOf(found, last.answer) === 'reauth' && renewals < RENEWALS_MAX && isStale(renewed.account, deps.clock.now())) continue
    await note(deps, execution, found, renewed, last.answer)
    return last
  }
}

async function exchange(deps: EngineDeps, { signal }: Execution, found: FoundTool, connection: Connection, rendered: RenderedRequest): Promise<ProviderAnswer> {
  const request = buildRequest(found, rendered, connection, await fresh(connection, deps.clock.now()))
  return readAnswer(await deps.egress.send({ ...request, signal }))
}

/** Keeps count of refusals. A provider that is down or busy says nothing about the credentials. */
async function note(deps: EngineDeps, { projectId }: Execution, found: FoundTool, { account }: AccountConnection, answer: ProviderAnswer): Promise<void> {
  const meaning = meaningOf(found, answer)
  if (meaning === 'reauth') await deps.accounts.refused(projectId, account)
  else if (account.authFailures > 0 && meaning !== 'transient' && meaning !== 'rate_limit') await deps.accounts.accepted(projectId, account)
}

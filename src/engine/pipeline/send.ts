import type { FoundTool, RenderedRequest } from '../../catalog/index.ts'
import type { Connection, EngineDeps, Execution } from '../types.ts'
import type { EgressRequest } from '../../platform/egress/index.ts'
import { attempts } from './attempts.ts'
import { buildRequest } from './build-request.ts'
import { fresh } from './fresh.ts'
import { isRenewable, isStale, withRenewed } from './fresh-credentials.ts'
import { type Outgoing, outgoing } from './idempotency.ts'
import { meaningOf, type ProviderAnswer, readAnswer } from './shape-result.ts'

type AccountConnection = Extract<Connection, { kind: 'account' }>

/** An answer, and the connection it was got with: fresh credentials are for the next request of the same tool too. */
export interface Sent {
  answer: ProviderAnswer
  connection: Connection
}

/** How one request of several differs from what its tool says. */
export interface Manner {
  timeoutMs?: number
  take?: EgressRequest['take']
  /** Only makes ready: that it is answered does not prove that the credentials are good for the call. */
  prepares?: boolean
  /** How it is sent, beyond what it is; `sensitiveHeaders` come to those of the credentials. */
  way?: Pick<EgressRequest, 'bytesMax' | 'mayRedirect' | 'maxRedirects' | 'sensitiveHeaders'>
}

/** Sends the request; refused credentials are renewed and the request repeated. */
export async function send(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  connection: Connection,
  rendered: RenderedRequest,
  manner: Manner = {},
): Promise<Sent> {
  const out = outgoing(found, execution, rendered)
  const answer = await repeated(deps, execution, found, connection, out, manner)
  if (connection.kind !== 'account') return { answer, connection }
  if (meaningOf(found, answer) !== 'reauth' || !isRenewable(connection)) {
    await note(deps, execution, found, connection, answer, manner)
    return { answer, connection }
  }
  return repeat(deps, execution, found, connection, out, answer, manner)
}

/** A token that lives for a second may end on its way: only then is it renewed and the request repeated once more. */
const RENEWALS_MAX = 6

async function repeat(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  refused: AccountConnection,
  out: Outgoing,
  answer: ProviderAnswer,
  manner: Manner,
): Promise<Sent> {
  let last: { answer: ProviderAnswer; connection: AccountConnection } = { answer, connection: refused }
  for (let renewals = 1; ; renewals++) {
    const renewed = withRenewed(await deps.accounts.renew(execution.projectId, last.connection.account))
    // The token endpoint is in trouble: nothing is fresh, so a repetition would be refused again and prove nothing.
    if (renewed.account.version === last.connection.account.version) return last
    last = { answer: await repeated(deps, execution, found, renewed, out, manner), connection: renewed }
    if (
      meaningOf(found, last.answer) === 'reauth' &&
      renewals < RENEWALS_MAX &&
      isStale(renewed.account, deps.clock.now())
    )
      continue
    await note(deps, execution, found, renewed, last.answer, manner)
    return last
  }
}

const repeated = (
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  connection: Connection,
  { rendered, repeats }: Outgoing,
  manner: Manner,
): Promise<ProviderAnswer> =>
  attempts(deps, execution, found, connection, repeats, () =>
    prepared(deps, found, connection, rendered, manner),
  )

/** One request with the credentials as they are. Without a signal it is sent although the caller is gone. */
export async function exchange(
  deps: EngineDeps,
  signal: AbortSignal | undefined,
  found: FoundTool,
  connection: Connection,
  rendered: RenderedRequest,
  manner: Manner = {},
): Promise<ProviderAnswer> {
  return readAnswer(
    await deps.egress.send({
      ...(await prepared(deps, found, connection, rendered, manner)),
      ...(signal && { signal }),
    }),
  )
}

async function prepared(
  deps: EngineDeps,
  found: FoundTool,
  connection: Connection,
  rendered: RenderedRequest,
  { timeoutMs, take, way }: Manner,
): Promise<EgressRequest> {
  const request = buildRequest(found, rendered, connection, await fresh(connection, deps.clock.now()))
  const sensitiveHeaders = way?.sensitiveHeaders && [
    ...(request.sensitiveHeaders ?? []),
    ...way.sensitiveHeaders,
  ]
  return {
    ...request,
    bytesMax: found.tool.limits.responseBytes ?? deps.files.bytesMax,
    ...way,
    ...(sensitiveHeaders && { sensitiveHeaders }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(take && { take }),
  }
}

/** Keeps count of refusals. A provider that is down or busy says nothing about the credentials. */
async function note(
  deps: EngineDeps,
  { projectId }: Execution,
  found: FoundTool,
  { account }: AccountConnection,
  answer: ProviderAnswer,
  { prepares = false }: Manner,
): Promise<void> {
  const meaning = meaningOf(found, answer)
  if (meaning === 'reauth') await deps.accounts.refused(projectId, account)
  else if (!prepares && account.authFailures > 0 && meaning !== 'transient' && meaning !== 'rate_limit')
    await deps.accounts.accepted(projectId, account)
}

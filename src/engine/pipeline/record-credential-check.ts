import { UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { responseMeaning } from '../http/provider-response.ts'
import type { CallStart, HasConnection, HasOperation, HasRequest, HasResponse, StepDeps } from './context.ts'
import type { MayBeInconclusive } from './refresh-on-401.ts'

type Sent = CallStart & HasOperation & HasConnection & HasRequest & HasResponse & MayBeInconclusive

/** Counts rejections of valid credentials. A provider that is unavailable or busy says nothing about them. */
export function recordCredentialCheck(context: Sent, { accounts }: StepDeps): Unchanged | Promise<Unchanged> {
  const { call, operation, connection, response, isInconclusive, requestOptions } = context
  if (connection.kind !== 'account' || isInconclusive) return UNCHANGED
  const { account } = connection
  const meaning = responseMeaning(operation, response)
  if (meaning === 'reauth') return unchangedAfter(accounts.recordRejection(call.projectId, account))
  const isAccepted = meaning !== 'transient' && meaning !== 'rate_limit' && !requestOptions?.isPreparation
  if (!isAccepted || account.authFailures === 0) return UNCHANGED
  return unchangedAfter(accounts.clearRejections(call.projectId, account))
}

async function unchangedAfter(work: Promise<void>): Promise<Unchanged> {
  await work
  return UNCHANGED
}

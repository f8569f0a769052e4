import { STATUS_REASONS } from '../../state-machine.ts'
import type { FlowOutcome, HasAccount } from '../context.ts'
import { failConnection, toFlowFailure } from '../failure.ts'

/** Makes a failure of an error of the provider or of the configuration. Other errors are thrown. */
export function toFailedOutcome(context: HasAccount, _deps: object, error: unknown): FlowOutcome {
  const failure = toFlowFailure(error)
  if (!failure) throw error
  return { kind: 'failed', subject: context, failure }
}

/** Reports credentials that came too late as a failure, because the user has to start again. */
export const treatLateAsFailed = (context: HasAccount, _deps: object, outcome: FlowOutcome): FlowOutcome =>
  outcome.kind === 'too_late'
    ? { kind: 'failed', subject: context, failure: { code: 'expired', text: STATUS_REASONS.setupTimeout } }
    : outcome

/** Stores the failure with the account, unless the account works with older credentials. */
export async function markAccountFailed<Outcome extends { readonly kind: string }>(
  _context: HasAccount,
  _deps: object,
  outcome: Outcome | FlowOutcome,
): Promise<Outcome | FlowOutcome> {
  if (isFailed(outcome)) await failConnection(outcome.subject, outcome.failure)
  return outcome
}

const isFailed = (outcome: { readonly kind: string }): outcome is Extract<FlowOutcome, { kind: 'failed' }> =>
  outcome.kind === 'failed'

import { finish, type Finished } from '../../../../platform/pipeline.ts'
import type { CallbackRequest, FlowOutcome, HasState } from '../context.ts'

/**
 * Names of the parameter that identifies the flow: `state`, or the request token of OAuth 1 (RFC 5849,
 * section 2.2), which some providers name `denied` if the user declined.
 */
const STATE_PARAMETERS = ['state', 'oauth_token', 'denied']

export function readState({ parameters }: CallbackRequest): HasState | Finished<FlowOutcome> {
  const state = STATE_PARAMETERS.map((name) => parameters[name]).find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  return state === undefined ? finish({ kind: 'rejected', reason: 'state_missing' }) : { state }
}

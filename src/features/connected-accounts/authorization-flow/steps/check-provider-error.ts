import { finish, type Finished, UNCHANGED, type Unchanged } from '../../../../platform/pipeline.ts'
import type { CallbackRequest, FlowOutcome, HasAccount } from '../context.ts'

/**
 * Fails if an OAuth 1 provider reports with `denied` that the user declined. The errors of OAuth 2 (RFC 6749,
 * section 4.1.2.1) belong to the scheme, which reads them in `exchangeCode`.
 */
export function checkProviderError(context: CallbackRequest & HasAccount): Unchanged | Finished<FlowOutcome> {
  if (typeof context.parameters['denied'] !== 'string') return UNCHANGED
  const failure = { code: 'access_denied', text: 'access_denied' }
  return finish<FlowOutcome>({ kind: 'failed', subject: context, failure })
}

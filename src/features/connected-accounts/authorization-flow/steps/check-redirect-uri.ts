import { finish, type Finished, UNCHANGED, type Unchanged } from '../../../../platform/pipeline.ts'
import { hasOwnRedirectUri } from '../../../auth-configs/index.ts'
import type { CallbackRequest, FlowOutcome, HasAccount } from '../context.ts'

/**
 * Rejects a response at the redirect URI of another auth config: it may contain the code of another provider, which
 * must not be sent to this one (RFC 9700, section 4.4.2).
 */
export function checkRedirectUri({
  authConfigId,
  project,
  account,
  config,
}: CallbackRequest & HasAccount): Unchanged | Finished<FlowOutcome> {
  const toolkit = project.catalog.toolkit(account.toolkit_slug)
  // `checkAuthConfig` reports what was deleted during the flow.
  if (!config || !toolkit) return UNCHANGED
  const expected = hasOwnRedirectUri(toolkit, config) ? config.id : undefined
  return authConfigId === expected
    ? UNCHANGED
    : finish<FlowOutcome>({ kind: 'rejected', reason: 'wrong_redirect_uri' })
}

import { finish, type Finished } from '../../../../platform/pipeline.ts'
import { authSchemeOf } from '../../credentials.ts'
import { NOT_AVAILABLE } from '../../pages/wording/provider-errors.ts'
import type { FlowOutcome, HasAccount, HasConnection } from '../context.ts'

/** Fails if the auth config, its toolkit or its scheme was removed during the flow. */
export function checkAuthConfig(context: HasAccount): HasConnection | Finished<FlowOutcome> {
  const { project, account, config, connection } = context
  const toolkit = project.catalog.toolkit(account.toolkit_slug)
  if (config && toolkit && connection && authSchemeOf(connection)?.finish)
    return { config, toolkit, connection }
  const failure = { code: NOT_AVAILABLE, text: 'The auth config of this connection was deleted.' }
  return finish<FlowOutcome>({ kind: 'failed', subject: context, failure })
}

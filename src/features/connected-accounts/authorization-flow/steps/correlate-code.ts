import { finish, type Finished, UNCHANGED, type Unchanged } from '../../../../platform/pipeline.ts'
import type { CallbackRequest, FlowOutcome, HasAccount, HasConnection, HasFlow } from '../context.ts'
import { codeWebhookOf, correlateWebhookCode } from '../correlate-code.ts'

/**
 * Finds the code that the provider sends by webhook. Ends if it has not come yet; the webhook then completes
 * the flow. Adds the code to the parameters. Does nothing if the browser brings the code itself, or an error.
 */
export async function correlateCode(
  context: CallbackRequest & HasFlow & HasAccount & HasConnection,
): Promise<Pick<CallbackRequest, 'parameters'> | Unchanged | Finished<FlowOutcome>> {
  const { project, flow, account, connection, parameters } = context
  if (!codeWebhookOf(connection) || parameters['error'] !== undefined) return UNCHANGED
  const result = await correlateWebhookCode(project, flow, account.auth_config_id, connection, parameters)
  switch (result.kind) {
    case 'correlated':
      return { parameters: result.parameters }
    case 'pending':
      return finish<FlowOutcome>({ kind: 'code_pending', subject: context, flow })
    case 'rejected': {
      const failure = { code: 'token_exchange_failed', text: result.text }
      return finish<FlowOutcome>({ kind: 'failed', subject: context, failure })
    }
  }
}

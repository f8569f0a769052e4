import { GrantRejected, ProviderUnavailable } from '../../../../auth-schemes/index.ts'
import { ApiError } from '../../../../platform/http/api-error.ts'
import { type PageText, text, type TextKey } from '../language/index.ts'

/** Why a form did not connect the account: a sentence for the user, and what the provider or the server said. */
export interface FormFailure {
  form: PageText
  /** In the language of the provider, or in English. */
  detail: string
}

/** Returns the failure of a form; undefined for an error that is not the user's to solve. */
export function formFailure(error: unknown, app: string): FormFailure | undefined {
  const key = reasonOf(error)
  return key && { form: text(key, { app }), detail: (error as Error).message }
}

function reasonOf(error: unknown): TextKey | undefined {
  if (error instanceof GrantRejected) return 'connect.rejected'
  if (error instanceof ProviderUnavailable) return 'connect.no_response'
  if (!(error instanceof ApiError) || (error.status >= 500 && error.slug.startsWith('HTTP_')))
    return undefined
  const { cause } = error
  if (cause instanceof ProviderUnavailable) return 'connect.no_response'
  return cause instanceof GrantRejected ? 'connect.rejected' : 'connect.impossible'
}

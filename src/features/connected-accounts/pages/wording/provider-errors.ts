import { type PageText, text as pageText, type TextKey } from '../language/index.ts'

/** What a user, or the developer of the app, can do about an error of the provider. */
interface ProviderErrorText {
  title: TextKey
  /** Sentences one after the other. */
  text: readonly TextKey[]
  /** The page shows this value to copy. */
  shows?: 'redirect_uri'
}

const REDIRECT: ProviderErrorText = {
  title: 'provider.redirect',
  text: ['provider.redirect_text'],
  shows: 'redirect_uri',
}
const CLIENT: ProviderErrorText = { title: 'provider.client', text: ['provider.client_text'] }
const GRANT_TYPE: ProviderErrorText = { title: 'provider.no_access', text: ['provider.grant_type_text'] }
const SIGN_IN: ProviderErrorText = {
  title: 'provider.sign_in',
  text: ['provider.sign_in_text', 'start_again'],
}
const CODE_EXPIRED: ProviderErrorText = {
  title: 'provider.code_expired',
  text: ['provider.code_expired_text', 'start_again'],
}

/** Code of an error of this server: the configuration that the flow started with no longer exists. */
export const NOT_AVAILABLE = 'not_available'

/**
 * Codes of RFC 6749 (4.1.2.1, 5.2), OpenID Connect Core (3.1.2.6) and RFC 8707, and other spellings that
 * providers use.
 */
export const PROVIDER_ERRORS: Readonly<Record<string, ProviderErrorText>> = {
  access_denied: {
    title: 'provider.declined',
    text: ['provider.declined_text', 'provider.declined_retry'],
  },
  approval_pending: { title: 'provider.approval_pending', text: ['provider.approval_pending_text'] },
  consent_missing: { title: 'provider.consent_missing', text: ['provider.consent_missing_text'] },
  user_denied: { title: 'provider.declined', text: ['provider.declined_text', 'start_again'] },
  consent_required: {
    title: 'provider.consent_required',
    text: ['provider.consent_required_text', 'start_again'],
  },
  interaction_required: SIGN_IN,
  login_required: SIGN_IN,
  account_selection_required: {
    title: 'provider.choose_account',
    text: ['provider.choose_account_text', 'start_again'],
  },
  redirect_uri_mismatch: REDIRECT,
  invalid_redirect_uri: REDIRECT,
  redirect_mismatch: REDIRECT,
  bad_redirect_uri: REDIRECT,
  invalid_client: CLIENT,
  invalid_client_id: CLIENT,
  bad_client_id: CLIENT,
  incorrect_client_credentials: CLIENT,
  unauthorized_client: { title: 'provider.no_access', text: ['provider.unauthorized_text'] },
  invalid_scope: { title: 'provider.scope', text: ['provider.scope_text'] },
  invalid_target: { title: 'provider.target', text: ['provider.target_text'] },
  invalid_request: { title: 'provider.request', text: ['provider.request_text'] },
  unsupported_response_type: GRANT_TYPE,
  unsupported_grant_type: GRANT_TYPE,
  invalid_grant: CODE_EXPIRED,
  bad_verification_code: CODE_EXPIRED,
  server_error: { title: 'provider.failed', text: ['provider.wait_text', 'start_again'] },
  temporarily_unavailable: { title: 'provider.unavailable', text: ['provider.wait_text', 'start_again'] },
  [NOT_AVAILABLE]: { title: 'provider.not_available', text: ['provider.not_available_text'] },
  slow_down: { title: 'provider.unavailable', text: ['provider.too_many_text', 'start_again'] },
}

const OTHER_ERROR: ProviderErrorText = { title: 'provider.other', text: ['start_again'] }
const CODE = /[a-z][a-z_]{5,40}/g
const SEARCHED_CHARACTERS_MAX = 500

/** Returns the text for the code of an error, else for the first known code in its message. */
export function explainProviderError(
  { code, text }: { code: string; text: string },
  { app, redirectUri }: { app: string; redirectUri: () => string },
): { title: PageText; text: readonly PageText[]; copy?: string } {
  const known = [code, ...(text.slice(0, SEARCHED_CHARACTERS_MAX).match(CODE) ?? [])].find((word) =>
    Object.hasOwn(PROVIDER_ERRORS, word),
  )
  const explanation = known === undefined ? OTHER_ERROR : (PROVIDER_ERRORS[known] as ProviderErrorText)
  return {
    title: pageText(explanation.title, { app }),
    text: explanation.text.map((sentence) => pageText(sentence, { app })),
    ...(explanation.shows === 'redirect_uri' ? { copy: redirectUri() } : {}),
  }
}

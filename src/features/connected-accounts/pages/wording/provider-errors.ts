/**
 * What a user, or the developer of the app, can do about an error of the provider. `{app}` is the toolkit's
 * name.
 */
export interface ProviderErrorText {
  title: string
  text: string
  /** The page shows this value to copy. */
  shows?: 'redirect_uri'
}

const CONTACT = 'The person who set up this connection'
const REDIRECT: ProviderErrorText = {
  title: 'The redirect URI is not registered',
  text:
    `{app} does not accept the URL to which it has to send you back. ${CONTACT} has to open the settings of the app ` +
    'at {app} and add this redirect URI, exactly as written here:',
  shows: 'redirect_uri',
}
const CLIENT: ProviderErrorText = {
  title: '{app} does not accept the app behind this connection',
  text:
    `The client id or the client secret is wrong, or was replaced at {app}. ${CONTACT} has to enter the current ones ` +
    'in the auth config.',
}
const GRANT_TYPE: ProviderErrorText = {
  title: '{app} does not let this app request access',
  text:
    `The app is not registered at {app} for this way of signing in. ${CONTACT} has to change that in the settings of ` +
    'the app at {app}.',
}
const START_AGAIN = 'Go back to the application and start again.'
const SIGN_IN: ProviderErrorText = {
  title: '{app} needs you to sign in',
  text: `Sign in at {app} in this browser first. ${START_AGAIN}`,
}
const CODE_EXPIRED: ProviderErrorText = {
  title: 'The sign-in took too long',
  text: `{app} no longer accepts the code that it issued. ${START_AGAIN}`,
}

/** Code of an error of this server: the configuration that the flow started with no longer exists. */
export const NOT_AVAILABLE = 'not_available'

/**
 * Codes of RFC 6749 (4.1.2.1, 5.2), OpenID Connect Core (3.1.2.6) and RFC 8707, and other spellings that
 * providers use.
 */
export const PROVIDER_ERRORS: Readonly<Record<string, ProviderErrorText>> = {
  access_denied: {
    title: 'You did not give access',
    text:
      'Nothing was connected, because access was declined at {app}. If you declined by accident: go back to the ' +
      'application and start again, and allow access this time. If you allowed it, an administrator may have to ' +
      'approve the app first.',
  },
  approval_pending: {
    title: 'An administrator has to approve the installation',
    text:
      '{app} has notified the administrators of your organization. After one of them has approved it: go back to the ' +
      'application and start again.',
  },
  consent_missing: {
    title: 'No administrator allowed the access',
    text:
      'This connection needs the consent of an administrator of your organization at {app}. Ask one to open the link ' +
      'of the application, or: go back to the application and start again.',
  },
  user_denied: {
    title: 'You did not give access',
    text: `Nothing was connected, because access was declined at {app}. ${START_AGAIN}`,
  },
  consent_required: {
    title: '{app} needs your consent',
    text: `{app} did not ask for it this time. ${START_AGAIN}`,
  },
  interaction_required: SIGN_IN,
  login_required: SIGN_IN,
  account_selection_required: {
    title: '{app} needs you to choose an account',
    text: `Sign in at {app} with the account that you want to connect. ${START_AGAIN}`,
  },
  redirect_uri_mismatch: REDIRECT,
  invalid_redirect_uri: REDIRECT,
  redirect_mismatch: REDIRECT,
  bad_redirect_uri: REDIRECT,
  invalid_client: CLIENT,
  invalid_client_id: CLIENT,
  bad_client_id: CLIENT,
  incorrect_client_credentials: CLIENT,
  unauthorized_client: {
    title: '{app} does not let this app request access',
    text:
      'The app is registered at {app}, but not for this way of signing in, or it is not approved yet. ' +
      `${CONTACT} has to change that in the settings of the app at {app}.`,
  },
  invalid_scope: {
    title: '{app} does not recognize a requested permission',
    text:
      `One of the permissions (scopes) is misspelled, or is not enabled for the app. ${CONTACT} has to correct the ` +
      'scopes of the auth config, or enable them in the settings of the app at {app}.',
  },
  invalid_target: {
    title: '{app} does not recognize what this connection is for',
    text: `The resource of this connection does not exist at {app}. ${CONTACT} has to correct it.`,
  },
  invalid_request: {
    title: '{app} did not understand the request',
    text: `${CONTACT} has to compare the auth config with the settings of the app at {app}.`,
  },
  unsupported_response_type: GRANT_TYPE,
  unsupported_grant_type: GRANT_TYPE,
  invalid_grant: CODE_EXPIRED,
  bad_verification_code: CODE_EXPIRED,
  server_error: {
    title: '{app} has a problem',
    text: `This is not your fault. Wait a few minutes. ${START_AGAIN}`,
  },
  temporarily_unavailable: {
    title: '{app} is not available right now',
    text: `This is not your fault. Wait a few minutes. ${START_AGAIN}`,
  },
  [NOT_AVAILABLE]: {
    title: '{app} can no longer be connected',
    text:
      'While you were at {app}, a setting that this connection needs was removed here. Send the message below to the ' +
      'person who gave you the link. When the setting is back, start again.',
  },
  slow_down: {
    title: '{app} is not available right now',
    text: `It received too many requests. Wait a few minutes. ${START_AGAIN}`,
  },
}

const OTHER_ERROR: ProviderErrorText = { title: '{app} did not connect', text: START_AGAIN }
const CODE = /[a-z][a-z_]{5,40}/g
const SEARCHED_CHARACTERS_MAX = 500

/** Returns the text for the code of an error, else for the first known code in its message. */
export function explainProviderError(
  { code, text }: { code: string; text: string },
  { app, redirectUri }: { app: string; redirectUri: () => string },
): { title: string; text: string; copy?: string } {
  const known = [code, ...(text.slice(0, SEARCHED_CHARACTERS_MAX).match(CODE) ?? [])].find((word) =>
    Object.hasOwn(PROVIDER_ERRORS, word),
  )
  const explanation = known === undefined ? OTHER_ERROR : (PROVIDER_ERRORS[known] as ProviderErrorText)
  const fill = (template: string) => template.replaceAll('{app}', () => app)
  return {
    title: fill(explanation.title),
    text: fill(explanation.text),
    ...(explanation.shows === 'redirect_uri' ? { copy: redirectUri() } : {}),
  }
}

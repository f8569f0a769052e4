/** What a user or the developer can do about an error of the provider; `{app}` is the application's name. `shows` names what is to be copied: our redirect address. */
export interface ProviderErrorWords {
  title: string
  text: string
  shows?: 'address'
}

const REDIRECT: ProviderErrorWords = {
  title: 'The redirect address is not registered',
  text: '{app} does not know where to send you back to. Whoever set up this connection has to open the app’s settings at {app} and add this redirect address, exactly as written here:',
  shows: 'address',
}
const CLIENT: ProviderErrorWords = {
  title: '{app} does not accept the app behind this connection',
  text: 'The client id or the client secret is wrong, or was replaced at {app}. Whoever set up this connection has to enter the current ones in its auth config.',
}
const TRY_AGAIN = 'Go back to the application and start again.'

/** Not of a provider: what the walk was begun with is no longer on this server. */
export const NOT_AVAILABLE = 'not_available'

/** Codes of RFC 6749 (4.1.2.1, 5.2), OpenID Connect Core (3.1.2.6) and RFC 8707, and other spellings of them that are in use. */
export const PROVIDER_ERRORS: Readonly<Record<string, ProviderErrorWords>> = {
  access_denied: {
    title: 'You did not give access',
    text: `Nothing was connected, because access was declined at {app}. If that was a mistake: ${TRY_AGAIN.toLowerCase().replace(/\.$/, '')}, and allow it this time. If you did allow it, an administrator may have to approve the app first.`,
  },
  approval_pending: {
    title: 'An administrator has to approve the installation',
    text: `{app} has told the administrators of your organization. Once one of them has approved it: ${TRY_AGAIN.toLowerCase()}`,
  },
  consent_missing: {
    title: 'No administrator allowed the access',
    text: `This connection needs the consent of an administrator of your organization at {app}. Ask one to open the link of the application, or: ${TRY_AGAIN.toLowerCase()}`,
  },
  user_denied: {
    title: 'You did not give access',
    text: `Nothing was connected, because access was declined at {app}. ${TRY_AGAIN}`,
  },
  consent_required: {
    title: '{app} needs your consent',
    text: `{app} did not ask for it this time. ${TRY_AGAIN}`,
  },
  interaction_required: {
    title: '{app} needs you to sign in',
    text: `Sign in at {app} in this browser first. ${TRY_AGAIN}`,
  },
  login_required: {
    title: '{app} needs you to sign in',
    text: `Sign in at {app} in this browser first. ${TRY_AGAIN}`,
  },
  account_selection_required: {
    title: '{app} needs you to choose an account',
    text: `Sign in at {app} with the account that you want to connect. ${TRY_AGAIN}`,
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
    title: '{app} does not let this app ask for access',
    text: 'The app is registered at {app}, but not for this way of signing in, or it is not approved yet. Whoever set up this connection has to change that in the app’s settings at {app}.',
  },
  invalid_scope: {
    title: '{app} does not know what it was asked to allow',
    text: 'One of the permissions (scopes) is misspelled, or is not enabled for the app. Whoever set up this connection has to correct the scopes of its auth config, or enable them in the app’s settings at {app}.',
  },
  invalid_target: {
    title: '{app} does not know what it was asked to allow',
    text: 'The resource that this connection is for is not known at {app}. Whoever set up this connection has to correct it.',
  },
  invalid_request: {
    title: '{app} did not understand the request',
    text: 'Whoever set up this connection has to compare its auth config with the app’s settings at {app}.',
  },
  unsupported_response_type: {
    title: '{app} does not let this app ask for access',
    text: 'The app is not registered at {app} for this way of signing in. Whoever set up this connection has to change that in the app’s settings at {app}.',
  },
  unsupported_grant_type: {
    title: '{app} does not let this app ask for access',
    text: 'The app is not registered at {app} for this way of signing in. Whoever set up this connection has to change that in the app’s settings at {app}.',
  },
  invalid_grant: {
    title: 'The sign-in took too long',
    text: `{app} no longer accepts the code that it gave. ${TRY_AGAIN}`,
  },
  bad_verification_code: {
    title: 'The sign-in took too long',
    text: `{app} no longer accepts the code that it gave. ${TRY_AGAIN}`,
  },
  server_error: {
    title: '{app} has a problem',
    text: `That is not your fault. Wait a few minutes. ${TRY_AGAIN}`,
  },
  temporarily_unavailable: {
    title: '{app} is not available right now',
    text: `That is not your fault. Wait a few minutes. ${TRY_AGAIN}`,
  },
  [NOT_AVAILABLE]: {
    title: '{app} cannot be connected any more',
    text: 'While you were at {app}, the setting that this connection needs was taken away here. Tell whoever sent you here; what is missing stands below. Once it is back, start again.',
  },
  slow_down: {
    title: '{app} is not available right now',
    text: `It was asked too often. Wait a few minutes. ${TRY_AGAIN}`,
  },
}

const OTHER: ProviderErrorWords = { title: '{app} did not connect', text: TRY_AGAIN }
const CODE = /[a-z][a-z_]{5,40}/g

/** The words for an error: for its code, else for the first known code that its text names. */
export function explain(
  { code, text }: { code: string; text: string },
  { app, address }: { app: string; address: () => string },
): { title: string; text: string; copy?: string } {
  const known = [code, ...(text.slice(0, 500).match(CODE) ?? [])].find((word) =>
    Object.hasOwn(PROVIDER_ERRORS, word),
  )
  const words = known === undefined ? OTHER : (PROVIDER_ERRORS[known] as ProviderErrorWords)
  const fill = (template: string) => template.replaceAll('{app}', () => app)
  return {
    title: fill(words.title),
    text: fill(words.text),
    ...(words.shows === 'address' ? { copy: address() } : {}),
  }
}

import { signInTexts } from './sign-in/en.ts'

/**
 * Texts of the pages for end users. `{app}` is the toolkit, `{project}` the application that asks. The other languages
 * have the same keys and the same placeholders.
 */
export const en = {
  ...signInTexts,
  'error.title': 'Error: {title}',
  this_application: 'This application',
  'status.good': 'Connected',
  'status.bad': 'Not connected',
  support: 'Support',
  privacy: 'Privacy',
  request_id: 'Request id',
  continue_to: 'Continue to {app}',
  cancel: 'Cancel',
  start_again: 'Go back to the application and start again.',
  nothing_changed: 'Nothing was changed.',
  close_page: 'You can close this page and go back to the application.',

  'connect.title': 'Connect {app}',
  'connect.button': 'Connect',
  'reconnect.title': 'Reconnect {app}',
  'reconnect.button': 'Reconnect',
  'connect.asks': '{project} asks for access to your {app} account.',
  'reconnect.still_works':
    '{project} asks you to reconnect your {app} account. Until then, it keeps working.',
  'reconnect.stopped':
    '{project} can no longer use your {app} account. Reconnect it, and everything that uses it continues.',
  'connect.for_user': 'For the user {user} of {project}.',
  'connect.at_provider': 'You sign in at {app}; this page does not ask for your password.',
  'connect.stored': 'Your input is stored encrypted and never shown again.',
  'connect.permissions': '{project} will be able to',
  'connect.show_all': 'Show all {count} permissions',
  'connect.rejected': '{app} did not accept what you entered. Check it and try again.',
  'connect.no_response':
    '{app} gave no usable response. Check URLs that you entered, or try again in a minute.',
  'connect.impossible': 'This connection is not possible with what you entered.',
  'connect.details': 'Details',
  'connect.hint': 'Where do I find this at {app}?',
  'connect.nothing_yet': 'Nothing is connected yet',
  optional: '(optional)',
  choose_option: 'Choose…',
  'field.choose': 'Choose a value for {name}.',
  'field.enter': 'Enter a value for {name}.',
  'field.enum': 'Choose one of the values in the list for {name}.',
  'field.format': '{name} does not have the right format.',
  'field.example': 'Example: {example}',
  'field.copy': 'Copy it again, without anything before or after it.',
  'field.number': 'Enter a number.',

  'choose.title': 'Choose the {what}',
  'choose.lead': 'You have more than one at {app}. {project} will use the one that you choose.',
  'choose.missing': 'Choose an entry of the list.',

  'flow.waiting': 'Waiting for {app}',
  'flow.waiting_text':
    '{app} still has to confirm the connection, which takes a few seconds. You can also close this page: the ' +
    'connection is completed without it.',
  'flow.check_again': 'Check again',
  'flow.going_back': 'Taking you back to the application.',
  'flow.back': 'Back to the application',
  'flow.almost_done': 'Almost done',
  'flow.connected': '{app} is connected',
  'flow.not_connected': '{app} is not connected',
  'flow.connected_as': 'You are connected as {identity}.',
  'flow.connected_before': 'Before, it was {identity}.',
  'flow.keeps_working': 'The existing connection keeps working.',
  'flow.what_is_missing': 'What is missing',
  'flow.provider_message': 'Message of the provider',
  'flow.to_provider': 'Taking you to {app}',
  'flow.to_provider_text': 'Sign in there and allow access. {app} then sends you back.',

  'link.expired': 'This link has expired',
  'link.expired_text': 'A connection has to be finished within ten minutes, and a link works once.',
  'link.unknown': 'This link does not exist',
  'link.unknown_text': 'Check that the URL is complete, or go back to the application and start again.',
  'link.no_state': 'The response of the provider is incomplete',
  'link.no_state_text':
    'The provider sent you back without a state, so this connection cannot be identified.',
  'link.wrong_browser': 'You started in a different browser',
  'link.wrong_browser_text':
    'A connection has to be finished in the browser in which it was started, with cookies allowed. Nothing was ' +
    'changed. Go back to the application in this browser and start again.',
  'link.wrong_url': 'The response came to the wrong URL',
  'link.wrong_url_text':
    'The provider sent you back to a URL that belongs to another connection, so nothing was connected. If you did ' +
    'not expect this, someone may have tried to mix up two connections.',
  'link.none_started': 'No connection was started in this browser',
  'link.none_started_text':
    'An installation that was started elsewhere cannot be assigned to a user, so nothing was connected. Go to the ' +
    'application, start the connection there, and install from the page that it opens, within ten minutes and in ' +
    'this browser.',
  'link.several_started': 'Several connections were started in this browser',
  'link.several_started_text':
    'It is not clear which of them this installation belongs to, so nothing was connected. Wait ten minutes, or go ' +
    'back to the application and start again.',
  'link.no_cookie': 'This form was not opened in this browser',
  'link.no_cookie_text':
    'Allow cookies for this site, open the link again, and send the form from there. Nothing was changed.',

  'provider.declined': 'You did not give access',
  'provider.declined_text': 'Nothing was connected, because access was declined at {app}.',
  'provider.declined_retry':
    'If you declined by accident: go back to the application and start again, and allow access this time. If you ' +
    'allowed it, an administrator may have to approve the app first.',
  'provider.approval_pending': 'An administrator has to approve the installation',
  'provider.approval_pending_text':
    '{app} has notified the administrators of your organization. After one of them has approved it: go back to the ' +
    'application and start again.',
  'provider.consent_missing': 'No administrator allowed the access',
  'provider.consent_missing_text':
    'This connection needs the consent of an administrator of your organization at {app}. Ask one to open the link ' +
    'of the application, or: go back to the application and start again.',
  'provider.consent_required': '{app} needs your consent',
  'provider.consent_required_text': '{app} did not ask for it this time.',
  'provider.sign_in': '{app} needs you to sign in',
  'provider.sign_in_text': 'Sign in at {app} in this browser first.',
  'provider.choose_account': '{app} needs you to choose an account',
  'provider.choose_account_text': 'Sign in at {app} with the account that you want to connect.',
  'provider.redirect': 'The redirect URI is not registered',
  'provider.redirect_text':
    '{app} does not accept the URL to which it has to send you back. The person who set up this connection has to ' +
    'open the settings of the app at {app} and add this redirect URI, exactly as written here:',
  'provider.client': '{app} does not accept the app behind this connection',
  'provider.client_text':
    'The client id or the client secret is wrong, or was replaced at {app}. The person who set up this connection ' +
    'has to enter the current ones in the auth config.',
  'provider.no_access': '{app} does not let this app request access',
  'provider.grant_type_text':
    'The app is not registered at {app} for this way of signing in. The person who set up this connection has to ' +
    'change that in the settings of the app at {app}.',
  'provider.unauthorized_text':
    'The app is registered at {app}, but not for this way of signing in, or it is not approved yet. The person who ' +
    'set up this connection has to change that in the settings of the app at {app}.',
  'provider.scope': '{app} does not recognize a requested permission',
  'provider.scope_text':
    'One of the permissions (scopes) is misspelled, or is not enabled for the app. The person who set up this ' +
    'connection has to correct the scopes of the auth config, or enable them in the settings of the app at {app}.',
  'provider.target': '{app} does not recognize what this connection is for',
  'provider.target_text':
    'The resource of this connection does not exist at {app}. The person who set up this connection has to correct it.',
  'provider.request': '{app} did not understand the request',
  'provider.request_text':
    'The person who set up this connection has to compare the auth config with the settings of the app at {app}.',
  'provider.code_expired': 'The sign-in took too long',
  'provider.code_expired_text': '{app} no longer accepts the code that it issued.',
  'provider.failed': '{app} has a problem',
  'provider.wait_text': 'This is not your fault. Wait a few minutes.',
  'provider.unavailable': '{app} is not available right now',
  'provider.too_many_text': 'It received too many requests. Wait a few minutes.',
  'provider.not_available': '{app} can no longer be connected',
  'provider.not_available_text':
    'While you were at {app}, a setting that this connection needs was removed here. Send the message below to the ' +
    'person who gave you the link. When the setting is back, start again.',
  'provider.other': '{app} did not connect',

  'scope.openid': 'Know who you are',
  'scope.profile': 'See your name and picture',
  'scope.email': 'See your e-mail address',
  'scope.address': 'See your postal address',
  'scope.phone': 'See your telephone number',
  'scope.offline_access': 'Keep the access while you are away',
  'scope.other': 'Access to {name}',
  'tools.see': 'See data',
  'tools.change': 'Create and change data',
  'tools.delete': 'Delete data',
  'tools.more': '{names} and {count} more',

  'approval.title': 'Allow “{tool}” in {app}?',
  'approval.lead': '{project} asks before this runs. Nothing has been sent yet.',
  'approval.lead_user': '{project} asks before this runs for {user}. Nothing has been sent yet.',
  'approval.application': 'An application',
  'approval.tool': 'Tool',
  'approval.account': 'Account',
  'approval.reason': 'Reason',
  'approval.decide_before': 'Decide before',
  'approval.allow_once': 'Allow once',
  'approval.allow_session': 'Allow for this session',
  'approval.deny': 'Deny',
  'approval.read_first': 'You can allow the call when you have seen its last argument.',
  'approval.continue': 'Continue reading',
  'approval.once': 'Allow once allows exactly this call. If anything about it changes, you are asked again.',
  'approval.session':
    'Allow for this session also allows every later call of “{tool}”, with any values, until the session ends.',
  'approval.session_account':
    'Allow for this session also allows every later call of “{tool}” with this account, with any values, until the ' +
    'session ends.',
  'approval.soon': 'in less than a minute',
  'approval.sources': 'Before this call, the agent read content that other people wrote',
  'approval.sources_text':
    'Such content can contain instructions to the agent. Check that this call is what you want.',
  'approval.more': 'More',
  'approval.more_sources': '{count} more sources',
  'approval.arguments': 'Arguments',
  'approval.none': 'none',
  'approval.more_arguments': 'More arguments',
  'approval.hidden_arguments': 'This page does not show {count} more arguments.',
  'approval.hidden_characters': 'This page does not show {count} more characters.',
  'approval.read_all': 'Read them with “patchbay approvals read” before you decide.',
  'content.mail': 'E-mail',
  'content.chat': 'Chat messages',
  'content.web': 'Web pages',
  'content.issues': 'Issues, tickets or code',
  'content.files': 'Files and documents',
  'content.social': 'Social media',
  'content.calendar': 'Calendar entries',
  'content.forms': 'Forms and feedback',
  'content.records': 'Records of an application',
  'content.stored': 'Notes or recipes of an earlier session',
  'approval.expired': 'This request has expired',
  'approval.expired_text':
    'Nothing was sent. If you still need the call, start it again. Then you are asked again.',
  'approval.decided': 'This request is already decided',
  'approval.was_denied': 'The call was denied. You can close this page.',
  'approval.was_allowed': 'The call was allowed. You can close this page.',
  'approval.denied': 'Denied',
  'approval.denied_text': 'The call is not sent. You can close this page.',
  'approval.allowed': 'Allowed',
  'approval.allowed_text': 'Go back and start the call again. It now runs exactly as this page showed it.',
} as const

export type TextKey = keyof typeof en
export type Texts = Readonly<Record<TextKey, string>>

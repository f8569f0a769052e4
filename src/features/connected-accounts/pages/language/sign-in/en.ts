/** Texts of sign-in: the choice of a way, programs that sign in (MCP), and failures of pages. Included in `../en.ts`. */
export const signInTexts = {
  'signin.title': 'Sign in for {resource}',
  'signin.asks': '{program} asks to use {resource} of {project}.',
  'signin.asks_for': '{program} asks to use {resource} of {project} for the user {user}.',
  'signin.program': 'A program that calls itself {name}',
  'signin.program_of': '{name} of {host}',
  'signin.unnamed': 'unnamed',
  'signin.have_link': 'If {project} gave you a sign-in link, open it in this browser now.',
  'signin.or_key': 'Or sign in with a key of the project',
  'signin.user': 'User',
  'signin.user_text': 'The user whose accounts the program will use.',
  'signin.key': 'Key',
  'signin.key_text': 'An API key of {project} with the sessions:write permission. It is not stored.',
  'signin.button': 'Sign in',
  'signin.with_provider': 'Sign in with {provider}',
  'signin.provider_unreachable':
    '{provider} cannot be reached now. Try again in a minute, or sign in another way.',
  'signin.provider_failed': 'The sign-in at {provider} did not succeed. Try again, or sign in another way.',
  'signin.provider_no_user':
    '{provider} did not say which user you are, so you cannot sign in with it. Contact {project}.',
  'signin.as': 'Sign in as {user}',
  'signin.user_error': 'Enter a user id of at most {max} characters.',
  'signin.key_error':
    'Invalid API key of {project}, or the key lacks sessions:write or tool_execution:write.',
  'signin.other_user': 'You are signed in as {user}, but the URL in the program is for {other}.',
  'signin.link_lead':
    '{project} gave you this link to sign in as {user}, so that you can let programs use {resource} for ' +
    'you.',
  'signin.link_foot': 'This browser stays signed in for an hour. Continue only if this is you.',
  'signin.done': 'You are signed in',
  'signin.done_text':
    'This browser is signed in as {user} for an hour. Connect your program now. It opens a page here on ' +
    'which you allow access.',
  'signin.nothing': 'There is nothing to sign in for',
  'signin.nothing_text':
    'The URL in the program is not the URL of an MCP server or session, or it was deleted. Check the URL ' +
    'in the program, then connect again.',
  'signin.too_many': 'Too many open sign-ins',
  'signin.too_many_text':
    'Too many sign-ins were started from this network and not finished. Wait 15 minutes, then connect ' +
    'again.',
  'signin.ended': 'This sign-in has ended',
  'signin.ended_text':
    'It is already finished, or was open for more than 15 minutes. Connect again in the program.',
  'signin.link_ended_text':
    'A sign-in link works once, for ten minutes. Request a new link from the application that gave you ' +
    'this one.',

  'consent.title': 'Allow access to {resource}',
  'consent.asks': '{program} asks to use {resource} of {project} as you.',
  'consent.able': 'It will be able to',
  'consent.run': 'run the tools of {resource} for the user {user}',
  'consent.use': 'use the accounts that {user} connected for them',
  'consent.allow': 'Allow as {user}',
  'consent.result':
    'The result is sent to {destination}. Allow access only if you started this there yourself.',
  'consent.signed_in': 'You are signed in as {user}; {other}.',
  'consent.other': 'sign in as another user',

  'program.local': 'a program on this computer',
  'program.scheme': 'the program on this computer that opens {scheme} links',

  'request.invalid': 'The program sent an invalid request',
  'request.invalid_text': 'The developer of the program must fix this.',
  'request.return': 'Return to {destination}',
  'request.wrong_url': 'The program sent a redirect URI that it did not register',
  'request.wrong_url_text':
    'Nothing is sent to that URI. Remove the connection in the program and add it again. If that does not ' +
    'help, contact the developer of the program.',
  'request.too_many': 'Too many programs were looked up',
  'request.unregistered': 'This program is not registered',
  'request.unregistered_text': 'Remove the connection in the program and add it again.',

  'failure.missing': 'This page does not exist',
  'failure.missing_text': 'Check the URL. The API reference lists what this server can do.',
  'failure.reference': 'Open the API reference',
  'failure.url': 'This URL is not valid',
  'failure.url_text':
    'A part of it is missing or was changed. Copy it again from where you found it, or go back to the ' +
    'application and start again.',
  'failure.form_size': 'The form is too large',
  'failure.form_size_text':
    'A form can have at most 64 kB. Go back one page, look for a field with the wrong text in it, and ' +
    'send the form again.',
  'failure.form_only': 'Only a form can be sent here',
  'failure.form_only_text': 'Open the link that you received in a browser, and send the form from there.',
  'failure.unavailable': 'The server is not available right now',
  'failure.unavailable_text': 'Wait a minute.',
  'failure.not_possible': 'This server cannot connect this account',
  'failure.not_possible_text': 'The application that sent you here has to use another way to sign in.',
  'failure.server': 'Something went wrong on this server',
  'failure.server_text': 'This is not your fault.',
  'failure.server_again':
    'If it happens again, send the request id below to the administrator of this server.',
  'failure.request': 'The request failed',

  'field.stored': '{name} cannot be stored: it is too long or has invalid characters. Copy it again.',

  'method.title': 'How do you want to sign in?',
  'method.provider': 'Sign in at {app}',
  'method.api_key': 'Enter an API key',
  'method.token': 'Enter an access token',
  'method.password': 'Enter a user name and a password',
  'method.service_account': 'Use a service account',
  'method.other': 'Enter other credentials',
} as const

export type SignInTexts = Readonly<Record<keyof typeof signInTexts, string>>

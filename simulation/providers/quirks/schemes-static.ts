import { basicOf, bearerOf } from '../credentials.ts'
import type { Incoming } from '../http.ts'
import type { Behaviour } from '../behaviour.ts'
import { asked, field, type Quirk } from '../quirk.ts'

/** A provider that takes every credential of this form until it is taken back. */
const takes = (
  credential: (request: Incoming) => string | undefined,
  form: RegExp,
  also: (request: Incoming) => boolean = () => true,
): Behaviour => ({
  refresh: null,
  me: {
    credential,
    accepts: ({ request }) =>
      form.test(credential(request) ?? '') && also(request)
        ? undefined
        : `The credentials are missing, or not of the form ${form.source}.`,
  },
})
const validate = { path: '/api/me' }

/** Schemes whose credentials are used just as they were given. */
export const STATIC: readonly Quirk[] = [
  {
    number: 0,
    name: 'key',
    title: 'API_KEY: a key in a header',
    auth: () => ({ scheme: 'API_KEY', apply: { headers: { 'x-api-key': '{generic_api_key}' } }, validate }),
    ignoring: [{ path: 'auth.apply', value: { headers: { authorization: '{generic_api_key}' } } }],
    connectionInput: () => ({ val: { generic_api_key: 'key-0001' } }),
    server: takes(({ headers }) => headers['x-api-key'], /^key-/),
  },
  {
    number: 0,
    name: 'basic',
    title: 'BASIC: user name and password (RFC 7617)',
    auth: () => ({ scheme: 'BASIC', validate }),
    ignoring: [{ path: 'auth.apply', value: { basic: { username: '{password}', password: '{username}' } } }],
    connectionInput: () => ({ val: { username: 'ada', password: 'pass-word-1' } }),
    server: takes(
      (request) => basicOf(request)?.password,
      /^pass-/,
      (request) => basicOf(request)?.username === 'ada',
    ),
  },
  {
    number: 0,
    name: 'bearer',
    title: 'BEARER_TOKEN: a token that a person brings along (RFC 6750)',
    auth: () => ({ scheme: 'BEARER_TOKEN', validate }),
    ignoring: [{ path: 'auth.apply', value: { headers: { 'x-token': '{token}' } } }],
    connectionInput: () => ({ val: { token: 'token-0001' } }),
    server: takes(bearerOf, /^token-/),
  },
  {
    number: 0,
    name: 'billcom',
    title: 'BILLCOM_AUTH: a session and the key of the developer',
    revokes: true,
    auth: () => ({
      scheme: 'BILLCOM_AUTH',
      apply: { headers: { sessionId: '{sessionId}', devKey: '{devKey}' } },
      validate,
      revoke: {
        url: '/logout',
        method: 'POST',
        body: 'json',
        params: { sessionId: '{sessionId}', devKey: '{devKey}' },
      },
    }),
    ignoring: ['auth.apply.headers.sessionId', 'auth.apply.headers.devKey', 'auth.revoke'],
    connectionInput: () => ({ val: { sessionId: 'session-0001', devKey: 'dev-0001' } }),
    server: {
      ...takes(
        ({ headers }) => headers['sessionid'],
        /^session-/,
        ({ headers }) => headers['devkey']?.startsWith('dev-') === true,
      ),
      routes: {
        'POST /logout': ({ params, provider }) =>
          provider.revoked(() => provider.keys.end(params['sessionId'] ?? '')),
      },
    },
  },
  {
    number: 0,
    name: 'calcom',
    title: 'CALCOM_AUTH: a key that the toolkit asks for',
    auth: () => ({
      scheme: 'CALCOM_AUTH',
      ...asked(field('cal_api_key', { secret: true })),
      apply: { headers: { authorization: 'Bearer {cal_api_key}' } },
      validate,
    }),
    ignoring: ['auth.apply'],
    connectionInput: () => ({ val: { cal_api_key: 'cal-0001' } }),
    server: takes(bearerOf, /^cal-/),
  },
  {
    number: 0,
    name: 'open',
    title: 'NO_AUTH: anybody may ask',
    auth: () => ({ scheme: 'NO_AUTH' }),
    ignoring: [],
    server: { refresh: null, me: { accepts: () => undefined } },
  },
]

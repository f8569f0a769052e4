import { basicOf } from '../credentials.ts'
import { bodyOf } from '../demands.ts'
import { ProviderError } from '../http.ts'
import type { Behaviour } from '../behaviour.ts'
import { asked, field, oauth2, type Quirk } from '../quirk.ts'
import { KEY, account, keyed } from './key-account.ts'

/** Keys and passwords in other places of a request, and sessions. */
export const KEYS: readonly Quirk[] = [
  {
    number: 74,
    name: 'key-query',
    title: 'The key is in the query',
    auth: () => ({ scheme: 'API_KEY', apply: { query: { apikey: '{generic_api_key}' } } }),
    ignoring: ['auth.apply.query'],
    connectionInput: account({ generic_api_key: KEY }),
    server: keyed(({ query }) => query.get('apikey') === KEY, 'apikey is missing in the query.'),
  },
  {
    number: 74,
    name: 'key-body',
    title: 'The key is in the body',
    auth: () => ({ scheme: 'API_KEY', apply: { body: { api_key: '{generic_api_key}' } } }),
    ignoring: [{ path: 'auth.apply.body', value: { other: '{generic_api_key}' } }],
    connectionInput: account({ generic_api_key: KEY }),
    server: keyed((request) => bodyOf(request)['api_key'] === KEY, 'api_key is missing in the body.'),
  },
  {
    number: 74,
    name: 'two-keys',
    title: 'Two keys go together',
    auth: () => ({
      scheme: 'API_KEY',
      apply: { query: { key: '{generic_api_key}' }, headers: { 'x-site-key': '{site_key}' } },
      ...asked(field('site_key', { secret: true })),
    }),
    ignoring: ['auth.apply.query', 'auth.apply.headers'],
    connectionInput: account({ generic_api_key: KEY, site_key: 'site-1' }),
    server: keyed(
      ({ query, headers }) => query.get('key') === KEY && headers['x-site-key'] === 'site-1',
      'One of two keys is missing.',
    ),
  },
  {
    number: 75,
    name: 'email-token',
    title: 'Basic with a composed user name',
    auth: () => ({
      scheme: 'API_KEY',
      apply: { basic: { username: '{email}/token', password: '{generic_api_key}' } },
      ...asked(field('email')),
    }),
    ignoring: [{ path: 'auth.apply.basic.username', value: '{email}' }],
    connectionInput: account({ generic_api_key: KEY, email: 'ada@simulator.example' }),
    server: keyed((request) => {
      const basic = basicOf(request)
      return basic?.username === 'ada@simulator.example/token' && basic.password === KEY
    }, 'The user name must be <email>/token.'),
  },
  {
    number: 75,
    name: 'company-key',
    title: 'Basic with company and key in the user name',
    auth: () => ({
      scheme: 'BASIC',
      apply: { basic: { username: '{company}+{username}', password: '{password}' } },
      ...asked(field('company')),
    }),
    ignoring: ['auth.apply'],
    connectionInput: account({ company: 'acme', username: 'public', password: 'private' }),
    server: keyed((request) => {
      const basic = basicOf(request)
      return basic?.username === 'acme+public' && basic.password === 'private'
    }, 'The user name must be <company>+<key>.'),
  },
  {
    number: 75,
    name: 'company-session',
    title: 'Basic with a session as password',
    auth: () => ({
      scheme: 'BASIC',
      ...asked(field('company')),
      apply: { basic: { username: '{company}', password: '{session_token}' } },
      sign_in: {
        path: '/session',
        body: 'json',
        params: { user: '{username}', secret: '{password}' },
        token: 'value.token',
        expires_in: 'value.seconds',
      },
    }),
    ignoring: [
      'auth.apply',
      'auth.sign_in.body',
      { path: 'auth.sign_in.token', value: 'token' },
      'auth.sign_in.expires_in',
    ],
    connectionInput: account({ company: '0', username: 'ada', password: 'secret word' }),
    server: sessions('user', 'secret', (token, { lifetimes }) => ({
      json: { value: { token, seconds: lifetimes.tokenSeconds } },
    })),
    renews: true,
  },
  {
    number: 56,
    name: 'cookie-session',
    title: 'Signing in answers the session in a cookie',
    auth: () => ({
      scheme: 'BASIC',
      apply: { headers: { cookie: 'B1SESSION={session_token}' } },
      sign_in: {
        path: '/session',
        body: 'json',
        params: { user: '{username}', secret: '{password}' },
        token_from_cookie: 'B1SESSION',
        lifetime_seconds: 3600,
      },
    }),
    ignoring: [{ path: 'auth.sign_in.token_from_cookie', value: 'ROUTEID' }],
    connectionInput: account({ username: 'ada', password: 'secret word' }),
    renews: true,
    server: {
      ...sessions('user', 'secret', (token) => ({
        json: { version: 1 },
        headers: { 'set-cookie': ['ROUTEID=.node1; Path=/', `B1SESSION=${token}; HttpOnly; Path=/`] },
      })),
      me: {
        accepts: ({ request, provider }) => {
          provider.families.live(/^B1SESSION=(\S+)$/.exec(request.headers['cookie'] ?? '')?.[1])
          return undefined
        },
      },
    },
  },
  {
    number: 78,
    name: 'version-header',
    title: 'A header with the version is mandatory',
    auth: () => ({ scheme: 'BEARER_TOKEN' }),
    toolkit: () => ({ request: { headers: { 'Notion-Version': '2022-06-28' } } }),
    ignoring: ['toolkit.request'],
    connectionInput: account({ token: KEY }),
    server: keyed(
      ({ headers }) =>
        headers['notion-version'] === '2022-06-28' && headers['authorization'] === `Bearer ${KEY}`,
      'Notion-Version is missing.',
    ),
  },
  {
    number: 78,
    name: 'tenant-header',
    title: 'A header names the tenant, which is looked up after connecting',
    auth: (url) =>
      oauth2(url, {
        apply: { headers: { authorization: 'Bearer {access_token}', 'Xero-Tenant-Id': '{tenant_id}' } },
        post_connect: [
          {
            request: { method: 'GET', path: '/connections' },
            items: '$',
            value: 'tenantId',
            label: 'tenantName',
            select: 'only',
            save: { tenant_id: 'tenantId' },
          },
        ],
      }),
    ignoring: [{ path: 'auth.post_connect.0.save.tenant_id', value: 'id' }],
    server: {
      routes: {
        'GET /connections': ({ request, provider }) => {
          provider.families.live(/^Bearer (\S+)$/.exec(request.headers['authorization'] ?? '')?.[1])
          return { json: [{ id: 'c-1', tenantId: 'tenant-9', tenantName: 'Acme' }] }
        },
      },
      me: {
        check: ({ request }) =>
          request.headers['xero-tenant-id'] === 'tenant-9' ? undefined : 'Xero-Tenant-Id is missing.',
      },
    },
  },
]

/** A sign-in for `ada` with the password `secret word`; what it answers opens the API as the password of Basic. */
function sessions(
  user: string,
  secret: string,
  reply: (
    token: string,
    provider: { lifetimes: { tokenSeconds: number } },
  ) => ReturnType<NonNullable<Behaviour['routes']>[string]>,
): Behaviour {
  return {
    refresh: null,
    routes: {
      'POST /session': ({ request, params, provider }) => {
        if (!request.headers['content-type']?.startsWith('application/json'))
          throw new ProviderError('invalid_request', 'The body must be JSON.')
        if (params[user] !== 'ada' || params[secret] !== 'secret word')
          throw new ProviderError('invalid_credentials', 'User name or password is wrong.', 401)
        return reply(provider.families.access(provider.families.found()).token, provider)
      },
    },
    me: {
      accepts: ({ request, provider }) => {
        const basic = basicOf(request)
        provider.families.live(basic?.password)
        return basic?.username === '0' ? undefined : 'The user name must be the company.'
      },
    },
  }
}

import { oauth2, type Quirk } from '../quirk.ts'

const wants = (name: string, value: string | true) => ({ authorize: { required: { [name]: value } } })

/** Scopes, offline access and audiences that providers expect in other parameters. */
export const AUTHORIZE_SCOPES: readonly Quirk[] = [
  {
    number: 1,
    name: 'scope-comma',
    title: 'Scopes are joined by a comma',
    auth: (url) => oauth2(url, { authorize: { scope_separator: ',' } }),
    ignoring: ['auth.authorize.scope_separator'],
    server: wants('scope', 'read,write'),
  },
  {
    number: 2,
    name: 'scope-plus',
    title: 'Scopes are joined by a literal plus sign',
    auth: (url) => oauth2(url, { authorize: { scope_separator: '+', raw: ['scope'] } }),
    ignoring: ['auth.authorize.scope_separator', 'auth.authorize.raw'],
    server: {
      authorize: {
        check: ({ request }) =>
          request.rawUrl.includes('scope=read+write')
            ? undefined
            : 'scope must be read+write, the plus sign as it is.',
      },
    },
  },
  {
    number: 3,
    name: 'user-scope',
    title: 'Scopes of the user and of the bot are two parameters',
    auth: (url) =>
      oauth2(url, {
        authorize: { user_scope_param: 'user_scope' },
        scopes: { default: ['bot'], user_default: ['chat'] },
        refresh: null,
        token: { secondary: { access_token: 'authed_user.access_token', scope: 'authed_user.scope' } },
        apply: { headers: { authorization: 'Bearer {user_access_token}' } },
      }),
    ignoring: ['auth.authorize.user_scope_param', 'auth.scopes.user_default'],
    server: {
      authorize: { required: { scope: 'bot' } },
      refresh: null,
      token: {
        reply: ({ tokens, family, provider }) => {
          const grant = [...provider.grants.values()].find((one) => one.family === family)
          return {
            json: {
              ...tokens,
              access_token: 'xoxb-bot',
              authed_user:
                grant?.params['user_scope'] === 'chat'
                  ? { access_token: tokens['access_token'], scope: 'chat' }
                  : {},
            },
          }
        },
      },
    },
  },
  {
    number: 4,
    name: 'offline-scope',
    title: 'A refresh token is asked for by a scope',
    auth: (url) => oauth2(url, { offline: { scope: 'offline_access' } }),
    ignoring: ['auth.offline'],
    server: { offline: ({ scope = '' }) => scope.split(' ').includes('offline_access') },
  },
  {
    number: 5,
    name: 'offline-param',
    title: 'A refresh token is asked for by a parameter',
    auth: (url) => oauth2(url, { offline: { params: { access_type: 'offline' } } }),
    ignoring: ['auth.offline'],
    server: { offline: (params) => params['access_type'] === 'offline' },
  },
  {
    number: 6,
    name: 'offline-again',
    title: 'A refresh token comes only with a consent that is forced again',
    auth: (url) => oauth2(url, { offline: { params: { access_type: 'offline', prompt: 'consent' } } }),
    ignoring: ['auth.offline.params.prompt'],
    server: { offline: (params) => params['access_type'] === 'offline' && params['prompt'] === 'consent' },
  },
  {
    number: 7,
    name: 'audience',
    title: 'An audience is required',
    auth: (url) => oauth2(url, { authorize: { params: { audience: 'api.simulator.example' } } }),
    ignoring: ['auth.authorize.params'],
    server: wants('audience', 'api.simulator.example'),
  },
  {
    number: 8,
    name: 'resource',
    title: 'A resource is named on authorize, token and refresh (RFC 8707)',
    auth: (url) => oauth2(url, { resource: `${url}/api` }),
    ignoring: ['auth.resource'],
    server: {
      authorize: {
        check: ({ params, provider }) =>
          params['resource'] === `${provider.url}/api` ? undefined : 'resource is missing.',
      },
      token: {
        check: ({ params, provider }) =>
          params['resource'] === `${provider.url}/api` ? undefined : 'resource is missing.',
      },
      refresh: {
        check: ({ params, provider }) =>
          params['resource'] === `${provider.url}/api` ? undefined : 'resource is missing.',
      },
    },
  },
]

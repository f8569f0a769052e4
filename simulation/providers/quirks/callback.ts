import { createHmac } from 'node:crypto'
import { CLIENT } from '../provider.ts'
import { oauth2, type Quirk } from '../quirk.ts'
import { tenantServer } from './tenant-server.ts'

/** Parameters with which providers redirect the browser back. */
export const CALLBACKS: readonly Quirk[] = [
  {
    number: 29,
    name: 'code-name',
    title: 'The code has another name',
    auth: (url) => oauth2(url, { callback: { code_param: 'spapi_oauth_code' } }),
    ignoring: ['auth.callback'],
    server: { authorize: { callback: ({ code = '', state = '' }) => ({ spapi_oauth_code: code, state }) } },
  },
  {
    number: 30,
    name: 'tenant',
    title: 'No code comes back: a tenant id proves the consent, then the client asks for itself',
    auth: (url) =>
      oauth2(url, {
        pkce: 'off',
        callback: { code_param: 'tenant', capture: { tenant: 'tenant' } },
        refresh: { with: 'client' },
        token: {
          grant_type: 'client_credentials',
          omit: ['code', 'redirect_uri'],
          params: { tenant: '{tenant}' },
        },
      }),
    renews: true,
    ignoring: ['auth.callback.code_param', 'auth.token.grant_type', 'auth.token.omit', 'auth.token.params'],
    server: tenantServer('/authorize', []),
  },
  {
    number: 31,
    name: 'webhook-code',
    title: 'The code arrives by a webhook',
    auth: (url) =>
      oauth2(url, {
        pkce: 'off',
        callback: {
          source: 'webhook',
          code_param: 'code',
          webhook: {
            code: 'data.installation.code',
            match: 'data.installation.uuid',
            match_param: 'installationId',
            signature: {
              header: 'x-hook-signature',
              algorithm: 'sha256',
              encoding: 'hex',
              key: '{client_secret}',
            },
          },
        },
      }),
    ignoring: [
      'auth.callback.source',
      { path: 'auth.callback.webhook.code', value: 'data.installation.uuid' },
      { path: 'auth.callback.webhook.match', value: 'data.installation.code' },
      { path: 'auth.callback.webhook.match_param', value: 'state' },
      { path: 'auth.callback.webhook.signature.algorithm', value: 'sha512' },
      { path: 'auth.callback.webhook.signature.encoding', value: 'base64' },
      { path: 'auth.callback.webhook.signature.header', value: 'x-signature' },
    ],
    server: {
      authorize: {
        pkce: 'rejected',
        callback: ({ code = '', state = '' }, { provider }) => {
          const body = JSON.stringify({ data: { installation: { uuid: 'inst-1', code } } })
          provider.memory.set('webhook', {
            body,
            headers: {
              'content-type': 'application/json',
              'x-hook-signature': createHmac('sha256', CLIENT.secret).update(body).digest('hex'),
            },
          })
          return { installationId: 'inst-1', state }
        },
      },
    },
  },
  {
    number: 32,
    name: 'realm',
    title: 'Only the redirect names the tenant',
    auth: (url) =>
      oauth2(url, {
        callback: { capture: { realm_id: 'realmId' } },
        apply: { headers: { authorization: 'Bearer {access_token}', 'x-realm': '{realm_id}' } },
      }),
    ignoring: [{ path: 'auth.callback.capture.realm_id', value: 'state' }],
    server: {
      authorize: { callback: (answer) => ({ ...answer, realmId: '9130' }) },
      me: {
        check: ({ request }) => (request.headers['x-realm'] === '9130' ? undefined : 'x-realm is missing.'),
      },
    },
  },
  {
    number: 33,
    name: 'data-centre',
    title: 'The redirect names the data centre',
    auth: (url) =>
      oauth2(url, {
        token: { url: '{accounts_server}/token' },
        callback: {
          capture: {
            accounts_server: { param: 'accounts-server', pattern: `^${url.replace(/[.]/g, '\\.')}/(us|eu)$` },
          },
        },
      }),
    ignoring: [
      { path: 'auth.callback.capture.accounts_server.param', value: 'state' },
      {
        path: 'auth.callback.capture.accounts_server.pattern',
        value: '^https://accounts\\.other\\.example$',
      },
    ],
    server: {
      authorize: {
        callback: (answer, { provider }) => ({
          ...answer,
          location: 'eu',
          'accounts-server': `${provider.url}/eu`,
        }),
      },
      token: { path: '/eu/token' },
    },
  },
]

import { asked, configured, field, oauth2, type Quirk } from '../quirk.ts'
import { redirect } from '../credentials.ts'
import { halfHash, idToken, OTHER_KEYS, OWN_KEYS } from '../id-token.ts'

const wants = (name: string, value: string | true) => ({ authorize: { required: { [name]: value } } })

/** What providers want otherwise when the browser is sent to them. */
export const AUTHORIZE: readonly Quirk[] = [
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
  {
    number: 9,
    name: 'client-key',
    title: 'The client id has another name',
    auth: (url) =>
      oauth2(url, {
        authorize: { rename: { client_id: 'client_key' } },
        token: { rename: { client_id: 'client_key' } },
      }),
    ignoring: ['auth.authorize.rename', 'auth.token.rename'],
    server: {
      authorize: { names: { client_id: 'client_key' } },
      token: { names: { client_id: 'client_key' } },
    },
  },
  {
    number: 10,
    name: 'camel-case',
    title: 'Parameters are written in camel case',
    auth: (url) =>
      oauth2(url, {
        authorize: {
          rename: { response_type: 'responseType', client_id: 'clientId', redirect_uri: 'redirectUri' },
        },
      }),
    ignoring: [
      'auth.authorize.rename.response_type',
      'auth.authorize.rename.client_id',
      'auth.authorize.rename.redirect_uri',
    ],
    server: {
      authorize: {
        names: { response_type: 'responseType', client_id: 'clientId', redirect_uri: 'redirectUri' },
      },
    },
  },
  {
    number: 11,
    name: 'redirect-url',
    title: 'The redirect URI has another name',
    auth: (url) => oauth2(url, { authorize: { rename: { redirect_uri: 'redirect_url' } } }),
    ignoring: ['auth.authorize.rename'],
    server: { authorize: { names: { redirect_uri: 'redirect_url' } } },
  },
  {
    number: 12,
    name: 'custom-field',
    title: 'The state has another name',
    auth: (url) => oauth2(url, { authorize: { rename: { state: 'customField' } } }),
    ignoring: ['auth.authorize.rename'],
    server: { authorize: { names: { state: 'customField' } } },
  },
  {
    number: 13,
    name: 'no-response-type',
    title: 'response_type must be absent',
    auth: (url) => oauth2(url, { authorize: { omit: ['response_type'] } }),
    ignoring: ['auth.authorize.omit'],
    server: { authorize: { absent: ['response_type'] } },
  },
  {
    number: 14,
    name: 'hybrid',
    title: 'A hybrid response type with a nonce',
    auth: (url) =>
      oauth2(url, {
        authorize: { response_type: 'code id_token', nonce: true },
        id_token: { issuer: url, jwks_url: `${url}/jwks` },
      }),
    ignoring: [
      'auth.authorize.response_type',
      'auth.authorize.nonce',
      { path: 'auth.id_token.issuer', value: 'https://other.example' },
      { path: 'auth.id_token.jwks_url', valueAt: (url) => `${url}/other-keys` },
    ],
    server: {
      authorize: {
        responseType: 'code id_token',
        required: { nonce: true },
        callback: (answer, { grant, provider }) => ({
          ...answer,
          id_token: idToken(provider, grant.params['nonce'], { c_hash: halfHash(grant.code) }),
        }),
      },
      token: {
        reply: ({ tokens, provider, params, refreshing }) => ({
          json: {
            ...tokens,
            ...(refreshing
              ? {}
              : { id_token: idToken(provider, provider.grants.get(params['code'] ?? '')?.params['nonce']) }),
          },
        }),
      },
      routes: { 'GET /jwks': () => ({ json: OWN_KEYS }), 'GET /other-keys': () => ({ json: OTHER_KEYS }) },
    },
  },
  {
    number: 15,
    name: 'no-empty',
    title: 'An empty parameter is rejected',
    auth: (url) => oauth2(url, { authorize: { omit_empty: true }, scopes: { default: [] } }),
    ignoring: [{ path: 'auth.authorize.omit_empty', value: false }],
    server: {
      authorize: {
        check: ({ params }) => {
          const empty = Object.keys(params).find((name) => params[name] === '')
          return empty && `${empty} must not be empty.`
        },
      },
    },
  },
  {
    number: 16,
    name: 'fragment',
    title: 'The consent URL is in the fragment of a page',
    auth: (url) => oauth2(url, { authorize: { url: `${url}/app`, fragment: true } }),
    ignoring: ['auth.authorize.fragment'],
    server: {
      routes: {
        'GET /app': ({ request, provider }) => ({
          headers: { 'content-type': 'text/html' },
          text: appPage(`${provider.url}/authorize`, request.url.search),
        }),
      },
    },
  },
  {
    number: 17,
    name: 'raw',
    title: 'Nothing in the address may be percent-encoded',
    auth: (url) => oauth2(url, { authorize: { raw: ['*'] }, scopes: { default: ['items:read'] } }),
    ignoring: ['auth.authorize.raw'],
    server: {
      authorize: {
        check: ({ request }) =>
          request.rawUrl.includes('scope=items:read') && /redirect_uri=https?:\/\//.test(request.rawUrl)
            ? undefined
            : 'The address is encoded.',
      },
    },
  },
  {
    number: 18,
    name: 'regions',
    title: 'Each region has a host of its own',
    auth: (url) =>
      oauth2(url, {
        authorize: { url: '{accounts_host}/authorize' },
        token: { url: '{accounts_host}/token' },
        variants: [
          {
            by: 'region',
            default: 'us',
            values: { us: { accounts_host: `${url}/us` }, eu: { accounts_host: `${url}/eu` } },
          },
        ],
      }),
    ignoring: [{ path: 'auth.variants.0.values.eu.accounts_host', valueAt: (url) => `${url}/us` }],
    connectionInput: () => ({ val: { region: 'eu' } }),
    server: { authorize: { path: '/eu/authorize' }, token: { path: '/eu/token' } },
  },
  {
    number: 19,
    name: 'default-host',
    title: 'A host that may be overridden',
    auth: (url) =>
      oauth2(url, {
        authorize: { url: `{login_host||'${url}/login'}/authorize` },
        ...asked(field('login_host', { required: false })),
      }),
    ignoring: [{ path: 'auth.authorize.url', valueAt: (url) => `${url}/login/authorize` }],
    connectionInput: (url) => ({ val: { login_host: `${url}/custom` } }),
    server: { authorize: { path: '/custom/authorize' } },
  },
  {
    number: 19,
    name: 'default-host-unset',
    title: 'A host that may be overridden and is not',
    auth: (url) =>
      oauth2(url, {
        authorize: { url: `{login_host||'${url}/login'}/authorize` },
        ...asked(field('login_host', { required: false })),
      }),
    ignoring: [{ path: 'auth.authorize.url', value: '{login_host?}/authorize' }],
    server: { authorize: { path: '/login/authorize' } },
  },
  {
    number: 20,
    name: 'sandbox',
    title: 'The sandbox is another host',
    auth: (url) =>
      oauth2(url, {
        authorize: { url: '{login_url}/authorize' },
        token: { url: '{login_url}/token' },
        base_url: '{api_url}',
        variants: [
          {
            by: 'environment',
            default: 'production',
            values: {
              production: { login_url: url, api_url: url },
              sandbox: { login_url: `${url}/sandbox`, api_url: `${url}/sandbox` },
            },
          },
        ],
      }),
    ignoring: [{ path: 'auth.variants.0.values.sandbox.api_url', valueAt: (url) => url }],
    connectionInput: () => ({ val: { environment: 'sandbox' } }),
    server: {
      authorize: { path: '/sandbox/authorize' },
      token: { path: '/sandbox/token' },
      me: { path: '/sandbox/api/me' },
    },
  },
  {
    number: 20,
    name: 'sandbox-client',
    title: 'The sandbox knows other clients, so the developer chooses it',
    auth: (url) =>
      oauth2(url, {
        authorize: { url: '{login_url}/authorize' },
        token: { url: '{login_url}/token' },
        ...configured(field('environment')),
        variants: [
          {
            by: 'environment',
            default: 'production',
            values: { production: { login_url: url }, sandbox: { login_url: `${url}/sandbox` } },
          },
        ],
      }),
    // What the user brings counts for nothing where the developer chooses.
    ignoring: [{ path: 'auth.fields', value: {} }],
    connectionInput: () => ({
      credentials: { environment: 'sandbox', client_id: 'sandbox-client', client_secret: 'sandbox-secret' },
      val: { environment: 'production', login_url: 'http://127.0.0.1:1' },
    }),
    server: {
      authorize: {
        path: '/sandbox/authorize',
        check: ({ provider: { clients } }) => {
          clients.clear()
          clients.set('sandbox-client', 'sandbox-secret')
        },
      },
      token: { path: '/sandbox/token' },
    },
  },
  {
    number: 21,
    name: 'no-pkce',
    title: 'PKCE is rejected',
    auth: (url) => oauth2(url, { pkce: 'off' }),
    ignoring: ['auth.pkce'],
    server: { authorize: { pkce: 'rejected' } },
  },
  {
    number: 22,
    name: 'plain-pkce',
    title: 'Only plain PKCE is understood',
    auth: (url) => oauth2(url, { pkce: 'plain' }),
    ignoring: ['auth.pkce'],
    server: { authorize: { pkce: 'plain' } },
  },
  {
    number: 22,
    name: 's256-pkce',
    title: 'PKCE with S256 is required',
    auth: (url) => oauth2(url, { pkce: 'S256' }),
    ignoring: [
      { path: 'auth.pkce', value: 'off' },
      { path: 'auth.pkce', value: 'plain' },
    ],
    server: { authorize: { pkce: 'S256' } },
  },
  {
    number: 23,
    name: 'public-client',
    title: 'A public client without a secret',
    auth: (url) => oauth2(url, { client_auth: 'none' }),
    ignoring: ['auth.client_auth'],
    server: { token: { client: 'none' } },
  },
  {
    number: 24,
    name: 'credentials-in-url',
    title: 'User name and password are in the consent URL',
    auth: (url) =>
      oauth2(url, {
        authorize: { params: { username: '{username}', password: '{password}', action: 'Login' } },
        ...asked(field('username'), field('password', { secret: true })),
      }),
    ignoring: ['auth.authorize.params'],
    connectionInput: () => ({ val: { username: 'ada', password: 'p&ss word' } }),
    server: { authorize: { required: { username: 'ada', password: 'p&ss word', action: 'Login' } } },
  },
  {
    number: 25,
    name: 'subscription-key',
    title: "The vendor's subscription key is in the consent URL",
    auth: (url) =>
      oauth2(url, {
        authorize: { params: { 'subscription-key': '{subscription_key}' } },
        ...configured(field('subscription_key', { secret: true })),
      }),
    ignoring: ['auth.authorize.params'],
    connectionInput: () => ({ credentials: { subscription_key: 'sub-key-1' } }),
    server: wants('subscription-key', 'sub-key-1'),
  },
  {
    number: 26,
    name: 'install',
    title: 'The application is installed rather than authorized',
    auth: (url) =>
      oauth2(url, {
        pkce: 'off',
        authorize: { url: `${url}/installations/new`, flow: 'install' },
        callback: { capture: { installation_id: 'installation_id' } },
      }),
    ignoring: ['auth.authorize.flow'],
    server: {
      authorize: {
        path: '/installations/new',
        pkce: 'rejected',
        absent: ['response_type', 'client_id', 'redirect_uri', 'scope'],
        callback: (answer) => ({ ...answer, installation_id: '77', setup_action: 'install' }),
      },
    },
  },
  {
    number: 27,
    name: 'inbound-install',
    title: 'The vendor starts the flow and brings no state',
    auth: (url) =>
      oauth2(url, {
        pkce: 'off',
        authorize: { url: `${url}/marketplace`, flow: 'inbound_install' },
        callback: { state_from: 'cookie' },
      }),
    ignoring: ['auth.authorize.flow', 'auth.callback.state_from'],
    server: {
      authorize: {
        path: '/marketplace',
        pkce: 'rejected',
        absent: ['response_type', 'client_id', 'redirect_uri', 'scope', 'state'],
        callback: ({ code = '' }) => ({ code }),
      },
    },
  },
  {
    number: 28,
    name: 'admin-consent',
    title: 'An administrator consents instead of the user',
    auth: (url) =>
      oauth2(url, {
        pkce: 'off',
        authorize: { url: `${url}/adminconsent`, flow: 'admin_consent' },
        callback: { code_param: 'tenant', capture: { tenant: { param: 'tenant', pattern: '^[\\w-]+$' } } },
        refresh: { with: 'client' },
        token: {
          url: `${url}/token`,
          grant_type: 'client_credentials',
          omit: ['code', 'redirect_uri'],
          params: { tenant: '{tenant}' },
        },
      }),
    ignoring: ['auth.authorize.flow'],
    renews: true,
    server: tenantServer('/adminconsent', ['response_type', 'scope']),
  },
]

/** A provider whose consent yields the id of a tenant; the client then requests tokens without the user. */
export function tenantServer(path: string, absent: readonly string[]): Quirk['server'] {
  return {
    refresh: null,
    authorize: { path, absent, pkce: 'rejected' },
    routes: {
      [`GET ${path}`]: ({ request, provider }) => {
        const wrong = absent.find((name) => request.query.has(name))
        if (wrong)
          return {
            status: 400,
            json: { error: 'invalid_request', error_description: `${wrong} must not be sent.` },
          }
        return redirect(request.query.get('redirect_uri') ?? provider.redirectUri(), {
          admin_consent: 'True',
          tenant: 'tenant-9',
          state: request.query.get('state') ?? '',
        })
      },
      'POST /token': ({ params, provider }) => {
        const fits =
          params['grant_type'] === 'client_credentials' &&
          params['tenant'] === 'tenant-9' &&
          params['code'] === undefined &&
          params['redirect_uri'] === undefined &&
          provider.clients.get(params['client_id'] ?? '') === params['client_secret']
        return fits
          ? { json: provider.issue(provider.families.found(), false) }
          : { status: 400, json: { error: 'invalid_request' } }
      },
    },
  }
}

/** A page that reads its parameters from the fragment, which no server ever sees. */
const appPage = (
  next: string,
  search: string,
) => `<!doctype html><title>Connect</title><main data-next="${next}" data-rejected="${search ? 'query' : ''}">Connecting…</main>
<script>const { next } = document.querySelector('main').dataset; location.replace(next + '?' + location.hash.split('?')[1])</script>`

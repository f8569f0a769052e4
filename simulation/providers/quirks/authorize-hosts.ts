import { configured, asked, field, oauth2, type Quirk } from '../quirk.ts'

/** Providers with one host per region, edition or environment. */
export const AUTHORIZE_HOSTS: readonly Quirk[] = [
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
]

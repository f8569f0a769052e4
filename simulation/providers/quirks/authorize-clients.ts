import { configured, asked, field, oauth2, type Quirk } from '../quirk.ts'
import { tenantServer } from './tenant-server.ts'

const wants = (name: string, value: string | true) => ({ authorize: { required: { [name]: value } } })

/** PKCE, public clients, keys of the client, and installations. */
export const AUTHORIZE_CLIENTS: readonly Quirk[] = [
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

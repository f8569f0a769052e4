import { oauth2, type Quirk } from '../quirk.ts'
import { halfHash, idToken, OTHER_KEYS, OWN_KEYS } from '../id-token.ts'

/** Parameters of the authorization URL with other names, forms or places. */
export const AUTHORIZE_PARAMETERS: readonly Quirk[] = [
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
]

/** A page that reads its parameters from the fragment, which no server ever sees. */
const appPage = (next: string, search: string) => `<!doctype html>
<title>Connect</title>
<main data-next="${next}" data-rejected="${search ? 'query' : ''}">Connecting…</main>
<script>
  const { next } = document.querySelector('main').dataset
  location.replace(next + '?' + location.hash.split('?')[1])
</script>`

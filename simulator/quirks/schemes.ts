import { Refusal } from '../http.ts'
import { CLIENT } from '../provider.ts'
import { oauth2, type Quirk } from '../quirk.ts'

const isResource = ({ params, provider }: { params: Record<string, string>, provider: { url: string } }) => params['resource'] === provider.url ? undefined : 'resource is missing.'

/** Whole schemes rather than peculiarities. */
export const SCHEMES: readonly Quirk[] = [
  {
    number: 0, name: 'revocable', title: 'Access is ended at the provider (RFC 7009)', revokes: true,
    auth: (url) => oauth2(url, { revoke: { url: `${url}/revoke` } }), ignoring: ['auth.revoke'], server: {},
  },
  {
    number: 0, name: 'registers', title: 'Clients find the server and register themselves (RFC 9728, 8414, 7591)',
    auth: () => ({ scheme: 'DCR_OAUTH' }), ignoring: [{ path: 'auth.issuer', valueAt: (url) => `${url}/elsewhere` }],
    given: () => ({ credentials: { client_id: '', client_secret: '' } }),
    server: { authorize: { check: isResource }, token: { check: isResource }, refresh: { check: isResource, rotates: true } },
  },
  {
    number: 0, name: 'machine', title: 'A machine signs in with client credentials (RFC 6749 4.4)', renews: true,
    auth: (url) => ({ scheme: 'S2S_OAUTH2', token: { url: `${url}/token`, params: { audience: 'api' } } }), ignoring: ['auth.token.params'],
    given: () => ({ val: { client_id: CLIENT.id, client_secret: CLIENT.secret } }),
    server: {
      refresh: null,
      routes: { 'POST /token': ({ params, provider }) => {
        if (params['client_id'] !== CLIENT.id || params['client_secret'] !== CLIENT.secret) throw new Refusal('invalid_client', 'The client is not known.', 401)
        if (params['grant_type'] !== 'client_credentials' || params['audience'] !== 'api') throw new Refusal('invalid_request', 'The grant or the audience is missing.')
        return { json: provider.issue(provider.families.found(), false) }
      } },
    },
  },
]

import type { Quirk } from '../quirk.ts'
import { redirect } from '../credentials.ts'

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

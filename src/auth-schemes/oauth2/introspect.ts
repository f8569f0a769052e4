import { compileTemplate, type IntrospectManifest, renderAddress } from '../../catalog/index.ts'
import { clientAssertion, clientAuthentication } from '../client-auth.ts'
import { momentOf } from '../lifetime.ts'
import { isObject } from '../../platform/json-object.ts'
import { built, encodeBody, request } from '../provider-request.ts'
import { lookupOf, ProviderTrouble, type SchemeTools, type ConnectionContext } from '../scheme.ts'
import { manifestOf } from './index.ts'

/** Asks when the access token ends (RFC 7662 §2); a null end: it is active, and nobody says how long. @throws ProviderTrouble */
export async function introspectedEnd(
  setup: ConnectionContext,
  { url, client_auth: own }: IntrospectManifest,
  tools: SchemeTools,
): Promise<'inactive' | { end: number | null }> {
  const { client_auth: usual, token } = manifestOf(setup)
  const lookup = lookupOf(setup, { redirect_uri: setup.redirectUri })
  // The audience stays the token endpoint: it is what servers know themselves by (RFC 7523 §3).
  const audience = built(() => ({
    method: 'POST',
    url: renderAddress(compileTemplate(token.url), lookup),
  })).url
  const assertion = await clientAssertion(setup, own ?? usual, audience, tools.now())
  const reply = await request(
    tools,
    setup.proxy,
    built(() => {
      const { params, headers } = clientAuthentication(setup, own ?? usual, assertion)
      const renamed = Object.fromEntries(
        Object.entries(params).map(([name, value]) => [token.rename?.[name] ?? name, value]),
      )
      const body = encodeBody('form', {
        token: String(setup.val['access_token']),
        token_type_hint: 'access_token',
        ...renamed,
      })
      return {
        method: 'POST',
        url: renderAddress(compileTemplate(url), lookup),
        headers: { ...body.headers, ...headers },
        body: body.body,
      }
    }),
  )
  if (reply.status !== 200 || !isObject(reply.body) || typeof reply.body['active'] !== 'boolean')
    throw new ProviderTrouble(
      `The introspection endpoint answered with status ${reply.status} and no word about the token.`,
    )
  return reply.body['active'] ? { end: endIn(reply.body['exp'], tools.now()) } : 'inactive'
}

/** An end that has passed would have the token renewed at every call. @throws ProviderTrouble */
function endIn(exp: unknown, now: number): number | null {
  if (exp === undefined || exp === null) return null
  const end = typeof exp === 'number' || typeof exp === 'string' ? momentOf(Number(exp) * 1_000) : null
  if (end === null || end <= now)
    throw new ProviderTrouble('The introspection endpoint tells an end that cannot be that of a live token.')
  return end
}

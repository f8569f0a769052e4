import { bearerOf } from './credentials.ts'
import type { Check } from './demands.ts'
import { type Answer, type Incoming, ProviderError } from './http.ts'
import { fingerprint } from './known-keys.ts'
import type { Provider } from './provider.ts'

/** The user of the account, at every provider. */
const ME = { id: 'u-1', login: 'ada', email: 'ada@simulator.example', name: 'Ada' }

/** The reply of the API of a provider: whose account the credentials of the request open. @throws ProviderError */
export function apiReply(provider: Provider, request: Incoming): Answer {
  const { me } = provider.behaviour
  try {
    return { json: me?.accepts ? replyToKey(provider, request, me.accepts) : replyToToken(provider, request) }
  } catch (error) {
    if (error instanceof ProviderError && me?.errorReply) return me.errorReply(error)
    throw error
  }
}

function replyToKey(
  provider: Provider,
  request: Incoming,
  accepts: Check<{ request: Incoming; provider: Provider }>,
): unknown {
  const why = accepts({ request, provider })
  if (why) throw new ProviderError('unauthorized', why, 401)
  const credential = provider.behaviour.me?.credential?.(request)
  if (credential === undefined) return ME
  if (!provider.keys.takes(credential))
    throw new ProviderError('unauthorized', 'The credentials were revoked.', 401)
  return { ...ME, credential: fingerprint(credential) }
}

function replyToToken(provider: Provider, request: Incoming): unknown {
  const { me } = provider.behaviour
  const token = provider.families.live(me?.token ? me.token(request, provider) : bearerOf(request))
  const why = me?.check?.({ request, token, provider })
  if (why) throw new ProviderError('invalid_request', why, 403)
  return {
    ...ME,
    grant: token.family.id,
    scope: token.family.scope,
    ...(token.family.about['credential'] === undefined
      ? {}
      : { credential: token.family.about['credential'] }),
  }
}

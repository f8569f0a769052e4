import type { Audience } from '../../../contract/route.ts'
import { maskKey } from '../../../platform/crypto/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { IncomingCall } from '../../../platform/http/call.ts'
import type { KeyHolder } from './store.ts'

/** Credential headers and their names in the OpenAPI document. */
export const HEADERS = {
  'x-api-key': 'ApiKeyAuth',
  'x-org-api-key': 'OrgApiKeyAuth',
  'x-user-api-key': 'UserApiKeyAuth',
} as const
export type Header = keyof typeof HEADERS
export const HEADER_OF_AUDIENCE: Record<Exclude<Audience, 'public'>, Header> = {
  project: 'x-api-key',
  organization: 'x-org-api-key',
}

/** Kinds of key by prefix; this server issues only the first two. */
const KINDS = [
  ['ak_', 'project'],
  ['oak_', 'organization'],
  ['uak_', 'user'],
  ['ck_', 'consumer'],
] as const

/** Returns the only header of a request that has a credential. @throws ApiError 401 */
export function credentialHeader({ headers }: IncomingCall): Header {
  const sent = (Object.keys(HEADERS) as Header[]).filter((name) => headers[name] !== undefined)
  if (sent.length === 1) return sent[0] as Header
  const hint = headers['authorization'] ? ' The header authorization has no key ("Bearer ak_…").' : ''
  if (!sent.length) throw new ApiError('HTTP_Unauthorized', `No credential header was sent.${hint}`)
  throw new ApiError(
    'HTTP_Unauthorized',
    `Send one credential header, not several: ${sent.map((name) => `${HEADERS[name]} via ${name}`).join(', ')}.`,
  )
}

/** Error for a key in the header of another kind of key. */
export const wrongHeader = (header: Header, expected: Header): ApiError =>
  new ApiError(
    'APIKey_InvalidAPIKey',
    `This operation needs an API key in the header ${expected}, not in ${header}.` +
      (header === 'x-user-api-key' ? ' This server issues no user keys.' : ''),
  )

/**
 * Error for a rejected key. A key of another kind is not shown, because it may be valid elsewhere; any other key is
 * shown masked, so that it can be found in a configuration.
 */
export function rejectKey(
  key: string,
  keyHolder: KeyHolder | undefined,
  audience: 'project' | 'organization',
): ApiError {
  const kind = keyHolder?.kind ?? KINDS.find(([prefix]) => key.startsWith(prefix))?.[1] ?? audience
  return new ApiError(
    'APIKey_InvalidAPIKey',
    kind === audience
      ? `Invalid API key: ${maskKey(key)}`
      : `The header ${HEADER_OF_AUDIENCE[audience]} needs the key of ` +
          `${audience === 'project' ? 'a project' : 'an organization'}; ` +
          `the key sent is ${kind === 'organization' ? 'an' : 'a'} ${kind} key.`,
  )
}

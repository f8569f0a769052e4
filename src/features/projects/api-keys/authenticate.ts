import { LRUCache } from 'lru-cache'
import type { Audience, Permission } from '../../../contract/route.ts'
import { hashKey, maskKey } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Authenticate, IncomingCall, Principals } from '../../../platform/http/call.ts'
import { isAllowed } from './allowed-ips.ts'
import { holder, type KeyHolder } from './store.ts'
import { settingsOf } from '../project-config.ts'

/** Credential headers and the names they have in the API description. */
const HEADERS = {
  'x-api-key': 'ApiKeyAuth',
  'x-org-api-key': 'OrgApiKeyAuth',
  'x-user-api-key': 'UserApiKeyAuth',
} as const
type Header = keyof typeof HEADERS
const WANTED: Record<Exclude<Audience, 'public'>, Header> = {
  project: 'x-api-key',
  organization: 'x-org-api-key',
}

/** Kinds of key by how they begin; the server itself gives out the first two. */
const KINDS = [
  ['ak_', 'project'],
  ['oak_', 'organization'],
  ['uak_', 'user'],
  ['ck_', 'consumer'],
] as const

const CACHE_MAX = 10_000
/** Longer than any key of ours: not worth a look-up. */
const KEY_MAX = 256
/** Changes are announced by the database at once; this bound holds when an announcement is lost. */
const CACHE_TTL_MS = 10_000

export interface PrincipalDeps {
  db: Db
  /** False while announcements of changes cannot be heard: then nothing is remembered. */
  mayRemember(): boolean
}

/** Who calls. Keys are found by hash; only keys that exist are remembered, and only for seconds. */
export function principals({ db, mayRemember }: PrincipalDeps): {
  authenticate: Authenticate
  forget(): void
} {
  const known = new LRUCache<string, Known>({ max: CACHE_MAX, ttl: CACHE_TTL_MS })
  let generation = 0

  async function lookUp(key: string): Promise<Known | undefined> {
    const asked = generation
    const found = await holder(db, hashKey(key))
    const held = found && { holder: found, principal: principalOf(found) }
    if (held && asked === generation && mayRemember()) known.set(key, held)
    return held
  }

  return {
    /** Called when keys or projects changed anywhere. */
    forget() {
      generation++
      known.clear()
    },
    authenticate(audience, permission, incoming) {
      if (audience === 'public') return {}
      const header = credentialHeader(incoming)
      const wanted = WANTED[audience]
      const key = incoming.headers[header]
      if (header !== wanted || typeof key !== 'string')
        throw new ApiError(
          'APIKey_InvalidAPIKey',
          `This operation takes a key in ${wanted}, not in ${header}.`,
        )
      const remembered = mayRemember() ? known.get(key) : undefined
      if (remembered) return admitted(remembered, { audience, permission, key, incoming })
      const asked = key.length <= KEY_MAX ? lookUp(key) : Promise.resolve(undefined)
      return asked.then((held) => admitted(held, { audience, permission, key, incoming }))
    },
  }
}

interface Known {
  holder: KeyHolder
  principal: Principals['project'] | Principals['organization']
}

function admitted(
  held: Known | undefined,
  {
    audience,
    permission,
    key,
    incoming,
  }: {
    audience: 'project' | 'organization'
    permission: Permission | undefined
    key: string
    incoming: IncomingCall
  },
): Known['principal'] {
  if (!held || held.holder.kind !== audience) throw refusal(key, held?.holder, audience)
  const { allowed_ips: allowed, permissions } = held.holder
  if (allowed.length && !isAllowed(incoming.ip, allowed))
    throw new ApiError('APIKey_IpNotAllowed', 'The key may not be used from this address.')
  if (permissions) checkPermission(permissions, permission)
  return held.principal
}

/** A key of the wrong kind is told so without a word of it, for it may well work elsewhere; any other is shown masked, to be found in a configuration. */
function refusal(key: string, found: KeyHolder | undefined, audience: 'project' | 'organization'): ApiError {
  const kind = found?.kind ?? KINDS.find(([prefix]) => key.startsWith(prefix))?.[1] ?? audience
  return new ApiError(
    'APIKey_InvalidAPIKey',
    kind === audience
      ? `Invalid API key: ${maskKey(key)}`
      : `${WANTED[audience]} takes the key of ${audience === 'project' ? 'a project' : 'an organization'}; the key sent is ${kind === 'organization' ? 'an' : 'a'} ${kind} key.`,
  )
}

function credentialHeader({ headers }: IncomingCall): Header {
  const sent = (Object.keys(HEADERS) as Header[]).filter((name) => headers[name] !== undefined)
  if (sent.length === 1) return sent[0] as Header
  if (!sent.length) throw new ApiError('HTTP_Unauthorized', 'No credential header was sent.')
  throw new ApiError(
    'HTTP_Unauthorized',
    `Send one credential header, not several: ${sent.map((name) => `${HEADERS[name]} via ${name}`).join(', ')}.`,
  )
}

function checkPermission(
  permissions: NonNullable<KeyHolder['permissions']>,
  permission: Permission | undefined,
): void {
  if (!permission)
    throw new ApiError(
      'APIKey_InsufficientPermissions',
      'This operation requires a project key without restrictions.',
    )
  if (!permits(permissions, permission)) {
    throw new ApiError(
      'APIKey_InsufficientPermissions',
      `This operation requires "${permission.area}" ${permission.level} access, which the key does not have.`,
    )
  }
}

const permits = (permissions: NonNullable<KeyHolder['permissions']>, { area, level }: Permission): boolean =>
  Boolean(permissions[area]?.includes(level))

const principalOf = ({
  id,
  kind,
  organization_id: organizationId,
  project_id: projectId,
  config,
}: KeyHolder): Known['principal'] =>
  kind === 'project'
    ? { projectId: projectId as string, organizationId, keyId: id, settings: settingsOf(config ?? {}) }
    : { organizationId, keyId: id }

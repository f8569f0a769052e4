import { LRUCache } from 'lru-cache'
import ipaddr from 'ipaddr.js'
import type { Audience, Permission } from '../../contract/route.ts'
import { hashKey } from '../../platform/crypto/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Authenticate, IncomingCall, Principals } from '../../platform/http/call.ts'
import { holder, type KeyHolder } from './key-store.ts'
import { settingsOf } from './project-config.ts'

/** Credential headers and the names they have in the API description. */
const HEADERS = { 'x-api-key': 'ApiKeyAuth', 'x-org-api-key': 'OrgApiKeyAuth', 'x-user-api-key': 'UserApiKeyAuth' } as const
type Header = keyof typeof HEADERS
const WANTED: Record<Exclude<Audience, 'public'>, Header> = { project: 'x-api-key', organization: 'x-org-api-key' }

const CACHE_MAX = 10_000
/** Changes are announced by the database at once; this bound holds when an announcement is lost. */
const CACHE_TTL_MS = 10_000

export interface PrincipalDeps {
  db: Db
  /** False while announcements of changes cannot be heard: then nothing is remembered. */
  mayRemember(): boolean
}

/** Who calls. Keys are found by hash; only keys that exist are remembered, and only for seconds. */
export function principals({ db, mayRemember }: PrincipalDeps): { authenticate: Authenticate, forget(): void } {
  const known = new LRUCache<string, KeyHolder>({ max: CACHE_MAX, ttl: CACHE_TTL_MS })
  let generation = 0

  async function holderOf(key: string): Promise<KeyHolder | undefined> {
    const remembered = mayRemember() ? known.get(key) : undefined
    if (remembered) return remembered
    const asked = generation
    const found = await holder(db, hashKey(key))
    if (found && asked === generation && mayRemember()) known.set(key, found)
    return found
  }

  return {
    /** Called when keys or projects changed anywhere. */
    forget() { generation++; known.clear() },
    async authenticate(audience, permission, incoming) {
      if (audience === 'public') return {}
      const header = credentialHeader(incoming)
      const wanted = WANTED[audience]
      const key = incoming.headers[header]
      if (header !== wanted || typeof key !== 'string') throw new ApiError('APIKey_InvalidAPIKey', `This operation takes a key in ${wanted}, not in ${header}.`)
      const found = key.length <= 256 ? await holderOf(key) : undefined
      if (!found || found.kind !== audience) throw new ApiError('APIKey_InvalidAPIKey', `The key in ${wanted} is not valid${found ? ' here: it is a key of another kind' : ''}.`)
      checkAddress(found, incoming.ip)
      return audience === 'project' ? projectPrincipal(found, permission) : { organizationId: found.organization_id, keyId: found.id }
    },
  }
}

function credentialHeader({ headers }: IncomingCall): Header {
  const sent = (Object.keys(HEADERS) as Header[]).filter((name) => headers[name] !== undefined)
  if (sent.length === 1) return sent[0] as Header
  if (!sent.length) throw new ApiError('HTTP_Unauthorized', 'No credential header was sent.')
  throw new ApiError('HTTP_Unauthorized', `Send one credential header, not several: ${sent.map((name) => `${HEADERS[name]} via ${name}`).join(', ')}.`)
}

function projectPrincipal(found: KeyHolder, permission: Permission | undefined): Principals['project'] {
  if (found.permissions) {
    if (!permission) throw new ApiError('APIKey_InsufficientPermissions', 'This operation requires a project key without restrictions.')
    if (!found.permissions[permission.area]?.includes(permission.level)) {
      throw new ApiError('APIKey_InsufficientPermissions', `This operation requires "${permission.area}" ${permission.level} access, which the key does not have.`)
    }
  }
  return { projectId: found.project_id as string, organizationId: found.organization_id, keyId: found.id, settings: settingsOf(found.config ?? {}) }
}

function checkAddress({ allowed_ips: allowed }: KeyHolder, ip: string): void {
  if (!allowed.length) return
  const address = ipaddr.process(ip)
  const inside = allowed.some((entry) => {
    const [range, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : [ipaddr.process(entry), undefined] as const
    if (range.kind() !== address.kind()) return false
    return bits === undefined ? range.toNormalizedString() === address.toNormalizedString() : address.match([range, bits] as never)
  })
  if (!inside) throw new ApiError('APIKey_IpNotAllowed', 'The key may not be used from this address.')
}

/** Whether text is an address or a CIDR range. */
export function isAddressOrRange(text: string): boolean {
  try { return Boolean(text.includes('/') ? ipaddr.parseCIDR(text) : ipaddr.parse(text)) } catch { return false }
}

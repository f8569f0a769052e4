import { createCache } from '../../../platform/cache.ts'
import type { Permission } from '../../../contract/route.ts'
import { hashKey } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { Clock } from '../../../platform/clock.ts'
import { ApiError, type CallerIdentity } from '../../../platform/http/api-error.ts'
import type { Authenticate, IncomingCall, Principals } from '../../../platform/http/call.ts'
import { hasPermission, type KeyPermissions } from '../../../platform/http/key-permissions.ts'
import {
  credentialHeader,
  type Header,
  HEADER_OF_AUDIENCE,
  HEADERS,
  rejectKey,
  wrongHeader,
} from './credential-header.ts'
import { createFailedKeyLimit } from './failed-key-limit.ts'
import { createKeyUses } from './last-use.ts'
import { isExpired } from './service.ts'
import { isIpAllowed } from './allowed-ips.ts'
import { findKeyHolder, type KeyHolder } from './store.ts'
import { projectSettings } from '../project-config.ts'

/** A key as a bearer token (RFC 6750). Other tokens belong to a proxy in front of the server. */
const BEARER_KEY = /^Bearer ((?:o|u)?ak_\S+)$/i

const CACHE_MAX = 10_000
const UNKNOWN_TTL_MS = 5_000
/** Longer texts are not keys of this server and are not looked up. */
const KEY_MAX = 256
/** Upper limit for a lost notification; normally the database announces changes immediately. */
const CACHE_TTL_MS = 10_000

export interface AuthenticatorDeps {
  db: Db
  clock: Clock
  /** False while notifications of changes cannot be received: then nothing is cached. */
  mayCache(): boolean
  /** Receives failures to store when keys were last used. */
  onError(error: unknown): void
}

/**
 * Authenticates callers by API key. Keys are found by hash. Existing keys are cached for seconds, and so are unknown
 * ones; an IP address that sends many different unknown keys is limited, so that keys cannot be guessed at the cost
 * of the database.
 */
export function createAuthenticator({ db, clock, mayCache, onError }: AuthenticatorDeps): {
  authenticate: Authenticate
  forget(): void
  /** Stores when keys were last used, and stops. */
  close(): Promise<void>
} {
  const cache = createCache<string, CachedCaller>({ max: CACHE_MAX, ttl: CACHE_TTL_MS })
  const unknownKeys = createCache<string, true>({ max: CACHE_MAX, ttl: UNKNOWN_TTL_MS })
  const failures = createFailedKeyLimit(clock)
  const uses = createKeyUses(db, clock, onError)
  let generation = 0

  async function lookUp(key: string, ip: string): Promise<CachedCaller | undefined> {
    failures.check(key, ip)
    const startedIn = generation
    const keyHolder = await findKeyHolder(db, hashKey(key))
    const caller = keyHolder && { holder: keyHolder, principal: principalOf(keyHolder) }
    failures.record(key, ip, caller !== undefined)
    if (startedIn !== generation || !mayCache()) return caller
    if (caller) cache.set(key, caller)
    else unknownKeys.set(key, true)
    return caller
  }

  const admit = (caller: CachedCaller | undefined, call: AuthorizedCall): CachedCaller['principal'] => {
    try {
      const principal = authorize(caller, call, clock.now())
      uses.record(principal.keyId)
      return principal
    } catch (error) {
      if (caller && error instanceof ApiError) error.caller = identityOf(caller.holder)
      throw error
    }
  }

  return {
    close: uses.close,
    /** Clears the caches after a change of keys or projects in any process. */
    forget() {
      generation++
      cache.clear()
      unknownKeys.clear()
    },
    authenticate(audience, permission, incoming) {
      if (audience === 'public') return {}
      const key = readKey(audience, incoming)
      const cached = mayCache() ? cache.get(key) : undefined
      if (cached) return admit(cached, { audience, permission, key, incoming })
      const isUnknown = key.length > KEY_MAX || (mayCache() && unknownKeys.has(key))
      const lookup = isUnknown ? Promise.resolve(undefined) : lookUp(key, incoming.ip)
      return lookup.then((caller) => admit(caller, { audience, permission, key, incoming }))
    },
  }
}

/** Returns the key of a request: the header of the audience, or the same key as a bearer token. */
function readKey(audience: 'project' | 'organization', incoming: IncomingCall): string {
  const expectedHeader = HEADER_OF_AUDIENCE[audience]
  const { authorization } = incoming.headers
  const hasKeyHeader = (Object.keys(HEADERS) as Header[]).some((name) => incoming.headers[name] !== undefined)
  const bearer = !hasKeyHeader && typeof authorization === 'string' && BEARER_KEY.exec(authorization)?.[1]
  if (bearer) return bearer
  const header = credentialHeader(incoming)
  const key = incoming.headers[header]
  if (header !== expectedHeader || typeof key !== 'string') throw wrongHeader(header, expectedHeader)
  return key
}

interface CachedCaller {
  holder: KeyHolder
  principal: Principals['project'] | Principals['organization']
}

interface AuthorizedCall {
  audience: 'project' | 'organization'
  permission: Permission | undefined
  key: string
  incoming: IncomingCall
}

function authorize(
  caller: CachedCaller | undefined,
  { audience, permission, key, incoming }: AuthorizedCall,
  now: number,
): CachedCaller['principal'] {
  if (!caller || caller.holder.kind !== audience) throw rejectKey(key, caller?.holder, audience)
  assertNotExpired(caller.holder, now)
  assertKeyAllows(caller.holder, permission, incoming.ip)
  return caller.principal
}

/** @throws ApiError 401 if the key has expired */
export function assertNotExpired(holder: KeyHolder, now: number): void {
  if (isExpired(holder, now))
    throw new ApiError(
      'APIKey_InvalidAPIKey',
      `The API key ${holder.id} expired at ${holder.expires_at?.toISOString()}. Create a new key.`,
    )
}

/**
 * Checks that a key may be used from an IP address, for an operation with this permission.
 * @throws ApiError 403
 */
export function assertKeyAllows(
  { allowed_ips: allowed, permissions }: KeyHolder,
  permission: Permission | undefined,
  ip: string,
): void {
  if (allowed.length && !isIpAllowed(ip, allowed))
    throw new ApiError('APIKey_IpNotAllowed', 'The key cannot be used from this IP address.')
  if (permissions) checkPermission(permissions, permission)
}

function checkPermission(permissions: NonNullable<KeyPermissions>, permission: Permission | undefined): void {
  if (!permission)
    throw new ApiError(
      'APIKey_InsufficientPermissions',
      'This operation requires a key without restrictions.',
    )
  if (!hasPermission(permissions, permission)) {
    throw new ApiError(
      'APIKey_InsufficientPermissions',
      `The API key lacks the permission ${permission.area}:${permission.level}, which this operation requires.`,
    )
  }
}

const identityOf = ({
  id,
  organization_id: organizationId,
  project_id: projectId,
}: KeyHolder): CallerIdentity => ({
  organizationId,
  projectId: projectId ?? undefined,
  keyId: id,
})

/** Returns the principal that a key stands for. */
export const principalOf = ({
  id,
  kind,
  organization_id: organizationId,
  project_id: projectId,
  config,
  permissions,
}: KeyHolder): CachedCaller['principal'] =>
  kind === 'project'
    ? {
        projectId: projectId as string,
        organizationId,
        keyId: id,
        settings: projectSettings(config ?? {}),
        permissions,
      }
    : { organizationId, keyId: id, permissions }

import type { KeyDraft, KeyRotation } from '../../../contract/projects/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import { isIpOrRange } from './allowed-ips.ts'
import { createApiKey } from './keys.ts'
import * as store from './store.ts'

export interface KeyDeps {
  db: Pool
  clock: Clock
  encryptor: Encryptor
}

const OVERLAP_SECONDS_DEFAULT = 86_400

interface NewKey {
  key: string
  row: store.ApiKeyRow
}

const notFound = ({ projectId }: store.KeyOwner, id: string) =>
  new ApiError('APIKey_NotFound', `No key ${id} in this ${projectId === null ? 'organization' : 'project'}.`)

/** Creates a key of a project or of the organization. @throws ApiError 400 */
export async function createKey(
  { db, clock, encryptor }: KeyDeps,
  owner: store.KeyOwner,
  { name, permissions, allowed_ips: allowedIps, expires_at: expiresAt }: KeyDraft,
): Promise<NewKey> {
  const invalid = (allowedIps ?? []).findIndex((entry) => !isIpOrRange(entry))
  if (invalid >= 0)
    throw badRequest(`Error in payload.allowed_ips.${invalid}: must be an IP address or a CIDR range`)
  return insertKey(db, encryptor, owner, {
    name,
    permissions: permissions as Record<string, string[]> | undefined,
    allowedIps,
    expiresAt: expiresAt === undefined ? null : futureTime(clock, expiresAt),
  })
}

async function insertKey(
  db: Db,
  encryptor: Encryptor,
  { organizationId, projectId }: store.KeyOwner,
  draft: Omit<Parameters<typeof createApiKey>[2], 'organizationId' | 'projectId'>,
): Promise<NewKey> {
  const { id, key } = await createApiKey(db, encryptor, {
    ...draft,
    organizationId,
    ...(projectId !== null && { projectId }),
  })
  return { key, row: (await store.findKey(db, id)) as store.ApiKeyRow }
}

function futureTime(clock: Clock, text: string): Date {
  const time = new Date(text)
  if (!(time.getTime() > clock.now())) throw badRequest('Error in payload.expires_at: must be in the future')
  return time
}

/**
 * Replaces a key by one with the same name, permissions and IP addresses. Both are valid for the overlap.
 * @throws ApiError 400, 404, 409
 */
export const rotateKey = (
  { db, clock, encryptor }: KeyDeps,
  owner: store.KeyOwner,
  id: string,
  { overlap_seconds: overlap = OVERLAP_SECONDS_DEFAULT, expires_at: expiresAt }: KeyRotation,
): Promise<NewKey> =>
  db.begin(async (tx) => {
    const now = clock.now()
    const earlier = await store.lockKey(tx, owner, id)
    if (!earlier || isExpired(earlier, now)) throw notFound(owner, id)
    if (earlier.replaced_by !== null)
      throw new ApiError('APIKey_AlreadyReplaced', `The key ${id} was replaced by ${earlier.replaced_by}.`)
    const created = await insertKey(tx, encryptor, owner, {
      name: earlier.name,
      permissions: earlier.permissions ?? undefined,
      allowedIps: earlier.allowed_ips,
      expiresAt: expiresAt === undefined ? sameLifetime(earlier, now) : futureTime(clock, expiresAt),
    })
    const end = Math.min(now + overlap * 1_000, earlier.expires_at?.getTime() ?? Infinity)
    await store.replaceKey(tx, owner, {
      id,
      newId: created.row.id,
      expiresAt: overlap === 0 ? null : new Date(end),
    })
    return created
  })

const sameLifetime = ({ expires_at: end, created_at: start }: store.ApiKeyRow, now: number): Date | null =>
  end && new Date(now + end.getTime() - start.getTime())

/** Revokes a key. @throws ApiError 404 */
export async function revokeKey({ db }: KeyDeps, owner: store.KeyOwner, id: string): Promise<void> {
  if (!(await store.deleteKey(db, owner, id))) throw notFound(owner, id)
}

/** Revokes a key of the organization, unless no one could manage it afterwards. @throws ApiError 404, 409 */
export const revokeOrganizationKey = (
  { db }: KeyDeps,
  owner: store.KeyOwner & { projectId: null },
  id: string,
): Promise<void> =>
  db.begin(async (tx) => {
    await store.lockOrganization(tx, owner.organizationId)
    const key = await store.lockKey(tx, owner, id)
    if (!key) throw notFound(owner, id)
    const isPermanent = key.permissions === null && key.expires_at === null
    if (isPermanent && !(await store.hasOtherPermanentKey(tx, owner.organizationId, id)))
      throw new ApiError(
        'APIKey_LastOrganizationKey',
        `The key ${id} is the last key of the organization without restrictions.`,
      )
    await store.deleteKey(tx, owner, id)
  })

export const isExpired = ({ expires_at: end }: Pick<store.ApiKeyRow, 'expires_at'>, now: number): boolean =>
  end !== null && end.getTime() <= now

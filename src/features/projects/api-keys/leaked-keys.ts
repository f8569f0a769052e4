import type { Clock } from '../../../platform/clock.ts'
import { hashKey } from '../../../platform/crypto/index.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import type { Logger } from '../../../platform/log.ts'
import { recordAction } from '../../audit-log/index.ts'
import { isExpired } from './service.ts'
import * as store from './store.ts'

export interface LeakedKeyDeps {
  db: Pool
  clock: Clock
  log: Logger
  /** Called after a key was revoked: this process forgets the keys that it has cached. */
  keysChanged(): void
}

/** The action of the audit log for a published key that was revoked. Alert rules count it. */
export const LEAK_REVOKED = 'apiKeys.leakRevoked'

const REVOKED = 'an API key was published and has been revoked'
const LAST_KEY =
  'the last API key of the organization was published. Create another with `patchbay org-keys create`, then ' +
  'delete this one.'

/** A key that someone found where it should not be. */
export interface LeakReport {
  token: string
  /** Where the key was found. */
  url: string | undefined
  /** Kind of the place, such as `commit`. */
  source: string | undefined
}

/**
 * Revokes a key that was published. The caller has the key, which proves that it is not secret any more, so no other
 * proof is needed. The last key of an organization without restrictions stays: nobody could manage it afterwards.
 * Returns whether the text is a valid key of this server.
 */
export async function revokeLeakedKey(
  { db, clock, log, keysChanged }: LeakedKeyDeps,
  { token, url, source }: LeakReport,
  sourceIp: string,
): Promise<boolean> {
  const outcome = await db.begin(async (tx) => {
    const key = await store.findKeyHolder(tx, hashKey(token))
    if (!key || isExpired(key, clock.now())) return undefined
    const isRevoked = await revokeUnlessLast(tx, key)
    const { id, organization_id: organizationId, project_id: projectId } = key
    await recordAction(tx, {
      owner: projectId === null ? { organizationId } : { projectId },
      actor: { type: 'system', id: null },
      action: isRevoked ? LEAK_REVOKED : 'apiKeys.leakReported',
      object: { type: 'api_key', id },
      after: { found_at: url ?? null, source: source ?? null },
      sourceIp,
    })
    return { id, projectId, isRevoked }
  })
  if (!outcome) return false
  const { id, projectId, isRevoked } = outcome
  if (isRevoked) log.warn({ key_id: id, project_id: projectId, found_at: url, source }, REVOKED)
  else log.error({ key_id: id, found_at: url, source }, LAST_KEY)
  keysChanged()
  return true
}

/** Returns false if the key is the last one with which the organization can be managed. */
async function revokeUnlessLast(tx: Db, key: store.KeyHolder): Promise<boolean> {
  const owner = { organizationId: key.organization_id, projectId: key.project_id }
  const isPermanent = key.permissions === null && key.expires_at === null
  if (key.kind === 'organization' && isPermanent) {
    await store.lockOrganization(tx, key.organization_id)
    if (!(await store.hasOtherPermanentKey(tx, key.organization_id, key.id))) return false
  }
  return (await store.deleteKey(tx, owner, key.id)) > 0
}

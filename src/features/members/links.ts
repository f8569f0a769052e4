import { createHash } from 'node:crypto'
import type { Db } from '../../platform/db/sql.ts'
import { randomText } from '../../platform/ids.ts'
import * as store from './store.ts'

/** 43 letters and digits have 256 bits. */
const TOKEN_CHARACTERS = 43
const SETUP_MS = 30 * 60_000
const INVITE_MS = 7 * 86_400_000

export const linkHash = (token: string): Buffer => createHash('sha256').update(token).digest()

interface LinkOptions {
  organizationId: string
  /** Null for a link that creates an owner. */
  memberId: string | null
  publicUrl: string
  now: number
}

/**
 * Creates a one-time link to the console. The token is in the fragment, which browsers send to no server: it is in no
 * log and in no `Referer`.
 */
export async function createLink(
  db: Db,
  { organizationId, memberId, publicUrl, now }: LinkOptions,
): Promise<{ url: string; expiresAt: Date }> {
  const token = randomText(TOKEN_CHARACTERS)
  const expiresAt = new Date(now + (memberId === null ? SETUP_MS : INVITE_MS))
  await store.insertLink(db, {
    token_hash: linkHash(token),
    organization_id: organizationId,
    member_id: memberId,
    expires_at: expiresAt,
  })
  return { url: `${publicUrl}/console/setup#t=${token}`, expiresAt }
}

import type { Credentials } from '../../../auth-schemes/index.ts'
import type { PostConnectChoice } from '../../../engine/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { decryptCredentials, encryptCredentials } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { withoutFlowFields } from '../reconnect/reopen-account.ts'
import { copyCredentialsForRevocation } from '../revocation/revocation-jobs.ts'
import { canMove, moveAccount, SETUP_EXPIRES_AT } from '../state-machine.ts'
import { type AccountRow, findAccountForUpdate } from '../store.ts'
import type { ConnectContext } from './context.ts'
import type { FlowKind } from './flow-store.ts'
import * as pendingStore from './pending-store.ts'

/** New credentials that are not stored in their account yet. */
export interface PendingGrant {
  kind: FlowKind
  /**
   * The credentials replace all that the account has (a form). Otherwise they are merged into it (a grant):
   * the account keeps what the provider left out.
   */
  replacesAll: boolean
  credentials: Credentials
  /** Milliseconds since the epoch; null: unknown or never. */
  expiresAt: number | null
  scopes: { requested_scopes: string[]; requested_user_scopes: string[] } | null
  /** Index of the next step of `post_connect`. */
  step: number
  /** The provider redirected the browser, so the application may have to confirm its user. */
  isFromProvider: boolean
}

/** A grant that waits for a choice of the user or a confirmation of the application. */
export interface PendingConnection {
  grant: PendingGrant
  what: string
  choices: readonly PostConnectChoice[]
  /** URL at which the application confirms, for a browser that returned before its code came by webhook. */
  url?: string
}

const encryptionContext = (id: string) => `pending_connections:${id}:encrypted_payload`

export const decryptPendingConnection = (
  encryptor: Encryptor,
  { id, encrypted_payload: payload }: Pick<pendingStore.PendingConnectionRow, 'id' | 'encrypted_payload'>,
): PendingConnection => encryptor.decrypt<PendingConnection>(payload, encryptionContext(id))

/**
 * Stores a pending connection and gives the account ten more minutes. Returns its id, or undefined if the
 * account no longer waits for credentials. An ACTIVE account keeps working meanwhile.
 */
export async function storePendingConnection(
  { project, projectId, account, pendingId }: ConnectContext,
  waitsFor: pendingStore.WaitsFor,
  keyHash: Buffer,
  pending: PendingConnection,
): Promise<string | undefined> {
  const id = newId('cw')
  const encryptor = await project.encryptor.ofProject(projectId)
  return project.db.begin(async (tx) => {
    if (!(await usePending(tx, projectId, pendingId))) return undefined
    const current = await findAccountForUpdate(tx, projectId, account.id)
    if (!current || !canMove(pending.grant.kind, current.status)) return undefined
    await moveAccount(project, tx, projectId, account.id, 'redirect', { setup_expires_at: SETUP_EXPIRES_AT })
    await pendingStore.insertPendingConnection(tx, {
      id,
      project_id: projectId,
      connected_account_id: account.id,
      waits_for: waitsFor,
      key_hash: keyHash,
      encrypted_payload: encryptor.encrypt(pending, encryptionContext(id)),
    })
    return id
  })
}

/**
 * Uses up the pending connection that is being continued, if there is one. Returns false if it was used
 * before.
 */
export const usePending = async (
  tx: Db,
  projectId: string,
  pendingId: string | undefined,
): Promise<boolean> => pendingId === undefined || pendingStore.usePendingConnection(tx, projectId, pendingId)

/**
 * Stores new credentials. A grant is merged with the credentials that the row has now, not at the start of
 * the flow: a token refresh may have stored others since, and what the provider leaves out (a refresh token
 * that it issues once) is kept. Returns false if the account no longer waits for credentials.
 */
export async function storeGrant(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  { id, auth_config_id: configId }: Pick<AccountRow, 'id' | 'auth_config_id'>,
  { kind, replacesAll, credentials, expiresAt, scopes }: PendingGrant,
): Promise<boolean> {
  const row = await findAccountForUpdate(tx, projectId, id)
  // The user may have chosen another way to sign in since the flow started.
  if (!row || row.auth_config_id !== configId || !canMove(kind, row.status)) return false
  await copyCredentialsForRevocation(deps, tx, projectId, row)
  const { revoked_at: _revokedAt, ...older } = withoutFlowFields(decryptCredentials(deps.encryptor, row))
  const stored = replacesAll ? credentials : { ...older, ...credentials }
  return moveAccount(deps, tx, projectId, id, kind, {
    credentials: encryptCredentials(await deps.encryptor.ofProject(projectId), id, stored),
    token_expires_at: expiresAt === null ? null : new Date(expiresAt),
    ...(scopes && kind === 'reconnect' ? scopes : {}),
  })
}

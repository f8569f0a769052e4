import type { Credentials } from '../../../auth-schemes/index.ts'
import type { Encryptor, ProjectEncryptor } from '../../../platform/crypto/index.ts'
import type { AuthorizationFlowRow } from './flow-store.ts'

const encryptionContext = (stateHash: Buffer) => `authorization_flows:${stateHash.toString('hex')}:secrets`

type EncryptedSecrets = Pick<AuthorizationFlowRow, 'secrets' | 'state_hash'>

export const encryptFlowSecrets = (
  encryptor: ProjectEncryptor,
  stateHash: Buffer,
  secrets: Credentials,
): Buffer => encryptor.encrypt(secrets, encryptionContext(stateHash))

/**
 * Decrypts what only this server knows about the flow, such as the PKCE verifier and the authorization URL.
 */
export const decryptFlowSecrets = (encryptor: Encryptor, flow: EncryptedSecrets): Credentials =>
  encryptor.decrypt<Credentials>(flow.secrets, encryptionContext(flow.state_hash))

/** What a flow on an existing account stores with its secrets until it has new credentials. */
export interface PendingReconnect {
  credentials: Credentials
  requested_scopes: string[]
  requested_user_scopes: string[]
}

const NOTHING_PENDING: PendingReconnect = { credentials: {}, requested_scopes: [], requested_user_scopes: [] }

/**
 * The changes that a flow on an existing account applies at its end. A first flow has stored all with the
 * account.
 */
export const pendingReconnectOf = (encryptor: Encryptor, flow: EncryptedSecrets): PendingReconnect =>
  (decryptFlowSecrets(encryptor, flow)['reconnect'] as PendingReconnect | undefined) ?? NOTHING_PENDING

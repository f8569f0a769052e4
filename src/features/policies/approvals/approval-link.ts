import { type Encryptor, EncryptionError } from '../../../platform/crypto/index.ts'

/** A longer token was not issued by this server. */
const TOKEN_CHARACTERS_MAX = 256
const CONTEXT = 'approval link'
/** `p`: project id. `a`: approval id. */
interface ApprovalToken {
  p: string
  a: string
}

/**
 * Returns the URL of the approval page. The token in it grants the permission to decide: it is encrypted with the key
 * ring, and valid while the approval is pending.
 */
export const approvalUrl = (
  encryptor: Encryptor,
  publicUrl: string,
  projectId: string,
  id: string,
): string => {
  const token = encryptor.encryptWithRing({ p: projectId, a: id } satisfies ApprovalToken, CONTEXT)
  return `${publicUrl}/approve/${token.toString('base64url')}`
}

/** Returns undefined for a token that this server did not issue. */
export function readApprovalToken(
  encryptor: Encryptor,
  token: string,
): { projectId: string; id: string } | undefined {
  if (token.length > TOKEN_CHARACTERS_MAX) return undefined
  try {
    const { p, a } = encryptor.decrypt<ApprovalToken>(Buffer.from(token, 'base64url'), CONTEXT)
    return { projectId: p, id: a }
  } catch (error) {
    if (error instanceof EncryptionError) return undefined
    throw error
  }
}

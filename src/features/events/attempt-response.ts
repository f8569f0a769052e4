import type { Encryptor, ProjectEncryptor } from '../../platform/crypto/index.ts'

/** The columns of an attempt that have its response. Earlier attempts have it in clear. */
export interface StoredResponse {
  response: string | null
  response_id: string | null
  encrypted_response: Buffer | null
}

const encryptionContext = (attemptId: string) => `webhook_attempts:${attemptId}:response`

/** Encrypts the response of an attempt for its row. An empty one is not encrypted. */
export function encryptResponse(
  encryptor: ProjectEncryptor,
  attempt: { id: string; number: number; response: string | null },
): StoredResponse {
  const { response } = attempt
  if (!response) return { response, response_id: null, encrypted_response: null }
  const id = `${attempt.id}.${attempt.number}`
  return {
    response: null,
    response_id: id,
    encrypted_response: encryptor.encrypt(response, encryptionContext(id)),
  }
}

/** Returns the response of an attempt as text; null for none. */
export const decryptResponse = (
  encryptor: Encryptor,
  { response, response_id: id, encrypted_response: encrypted }: StoredResponse,
): string | null =>
  id === null || encrypted === null ? response : encryptor.decrypt<string>(encrypted, encryptionContext(id))

import type { Encryptor } from '../../platform/crypto/index.ts'

/** The places to which encrypted values of an execution are bound. */
export const payloadContext = (id: string): string => `tool_executions:${id}:payload`
export const errorContext = (id: string): string => `tool_executions:${id}:error`

/** The columns that have the error of an execution: of those before it was encrypted, `error` has it in clear. */
export interface StoredError {
  id: string
  error: string | null
  encrypted_error: Buffer | null
}

/** Returns the error of a row as text. */
export const readError = (
  encryptor: Pick<Encryptor, 'decrypt'>,
  { id, error, encrypted_error: encrypted }: StoredError,
): string | null => (encrypted ? encryptor.decrypt<string>(encrypted, errorContext(id)) : error)

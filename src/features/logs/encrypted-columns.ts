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

/** Replaces the encrypted error of a row by its text. */
export function withError<T extends StoredError>(
  encryptor: Pick<Encryptor, 'decrypt'>,
  { encrypted_error: encrypted, ...row }: T,
): Omit<T, 'encrypted_error'> {
  return encrypted ? { ...row, error: encryptor.decrypt<string>(encrypted, errorContext(row.id)) } : row
}

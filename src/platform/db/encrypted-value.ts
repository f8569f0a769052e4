import { EncryptionError, type Encryptor } from '../crypto/index.ts'
import type { Db, Sql } from './sql.ts'

/** What a pool needs to store and to read encrypted values. */
export type ValueEncryption = Pick<
  Encryptor,
  'ofProject' | 'hasherOf' | 'encryptWithRing' | 'decrypt' | 'loadKeys'
>

/**
 * A value of a statement that is stored encrypted. The pool encrypts it with the data key of its project before it
 * sends the statement, so that a store function needs no encryptor, and cannot forget the project.
 */
export class EncryptedValue {
  readonly projectId: string | null
  readonly context: string
  readonly plain: unknown

  /**
   * `context` names where the value is stored: `table:id:part`. It can be decrypted only with the same context.
   * @param projectId null for values of an organization, which the key ring encrypts
   */
  constructor(projectId: string | null, context: string, plain: unknown) {
    this.projectId = projectId
    this.context = context
    this.plain = plain
  }
}

/** A text that is stored as its hash with a key of its project, `keyed:` in front, because SQL compares it. */
export class KeyedHash {
  readonly projectId: string
  readonly text: string

  /** `place` keeps equal texts of different columns apart. */
  constructor(projectId: string, place: string, text: string) {
    this.projectId = projectId
    this.text = `${place}:${text}`
  }
}

/** Returns what a statement stores for a text. @throws EncryptionError if its project was erased */
export const hashText = async (
  encryption: Pick<Encryptor, 'hasherOf'>,
  { projectId, text }: KeyedHash,
): Promise<string> => `keyed:${(await encryption.hasherOf(projectId))(text).toString('hex')}`

/** An array of encrypted values, for `unnest`. */
export class EncryptedArray {
  readonly values: readonly (EncryptedValue | null)[]

  constructor(values: readonly (EncryptedValue | null)[]) {
    this.values = values
  }
}

/** A statement that the driver can send. */
export type SentStatement = Pick<Sql, 'text' | 'values'>

/** Encrypts the values of a statement that need it. @throws EncryptionError if their project was erased */
export function encryptValues(
  query: Sql,
  encryption: ValueEncryption | undefined,
): SentStatement | Promise<SentStatement> {
  return query.values.some(isEncrypted) ? encryptAll(query, encryption) : query
}

const isEncrypted = (value: unknown): boolean =>
  value instanceof EncryptedValue || value instanceof EncryptedArray || value instanceof KeyedHash

async function encryptAll(
  { text, values }: Sql,
  encryption: ValueEncryption | undefined,
): Promise<SentStatement> {
  if (!encryption) throw new EncryptionError('This connection has no keys to encrypt values with.')
  const encrypt = async ({ projectId, plain, context }: EncryptedValue) =>
    projectId === null
      ? encryption.encryptWithRing(plain, context)
      : (await encryption.ofProject(projectId)).encrypt(plain, context)
  const sent: unknown[] = []
  for (const value of values) {
    if (value instanceof EncryptedValue) sent.push(await encrypt(value))
    else if (value instanceof KeyedHash) sent.push(await hashText(encryption, value))
    else if (value instanceof EncryptedArray) {
      const bytes: (Buffer | null)[] = []
      for (const one of value.values) bytes.push(one && (await encrypt(one)))
      sent.push(bytes)
    } else sent.push(value)
  }
  return { text, values: sent as Sql['values'] }
}

/** An encrypted column: its values are bound to the table, the row and the part of the row. */
export interface ColumnEncryption<T> {
  /** Returns the value for a statement that stores it; null is stored as null. */
  encrypt(projectId: string | null, id: string, value: T | null): EncryptedValue | null
  /**
   * Returns the value of a row: `encrypted`, or `clear` for rows from before the column was encrypted.
   * @throws EncryptionError if the key is missing or the value was changed
   */
  read(db: Pick<Db, 'decrypt'>, id: string, encrypted: Uint8Array | null, clear: T | null): T | null
}

export function columnEncryption<T>(table: string, part: string): ColumnEncryption<T> {
  const context = (id: string) => `${table}:${id}:${part}`
  return {
    encrypt: (projectId, id, value) =>
      value === null ? null : new EncryptedValue(projectId, context(id), value),
    read: (db, id, encrypted, clear) => (encrypted ? db.decrypt<T>(encrypted, context(id)) : clear),
  }
}

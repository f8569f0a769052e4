import type { KeyType } from '../../../platform/db/exported-rows.ts'
import { badRequest } from '../../../platform/http/api-error.ts'
import { EMPTY_CHAIN } from '../../../platform/line-chain.ts'

/** Where the next page of an export starts, and what the pages before it had. */
export interface ExportPosition {
  /** Index of the table. */
  table: number
  /** Key of the last row of this table; undefined before its first row. */
  after: readonly string[] | undefined
  /** Number of rows of each table so far. */
  counts: number[]
  /** Digest of all lines so far. */
  digest: string
}

export const firstPosition = (tables: number): ExportPosition => ({
  table: 0,
  after: undefined,
  counts: Array.from({ length: tables }, () => 0),
  digest: EMPTY_CHAIN,
})

const PREFIX = 'project'

/** Returns the position as a cursor. It is not signed: who changes it makes a wrong export of the own project. */
export const formatPosition = ({ table, after, counts, digest }: ExportPosition): string =>
  Buffer.from(
    [PREFIX, table, counts.join(','), digest, (after ?? []).map(encodeURIComponent).join('&')].join(':'),
  ).toString('base64url')

/** `keys`: types of the key columns of each table. @throws ApiError 400 */
export function parsePosition(cursor: string, keys: readonly (readonly KeyType[])[]): ExportPosition {
  const [, table = '', numbers = '', digest = '', key = ''] =
    /^project:(\d{1,3}):([\d,]{1,2000}):([0-9a-f]{64}):([^:]*)$/.exec(
      Buffer.from(cursor, 'base64url').toString(),
    ) ?? []
  const types = keys[Number(table)]
  const counts = numbers.split(',').map(Number)
  const after = key === '' ? undefined : key.split('&').map(decodePart)
  const isKey =
    !after || (after.length === types?.length && after.every((part, at) => isValue(part, types[at])))
  if (
    digest === '' ||
    !types ||
    counts.length !== keys.length ||
    !counts.every(Number.isSafeInteger) ||
    !isKey
  )
    throw badRequest('Error in body.cursor: is not a cursor of this API')
  return { table: Number(table), after, counts, digest }
}

/** NUL is no value of the database, so it stands for a part that cannot be decoded. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '\0'
  }
}

const isValue = (part: string, type: KeyType | undefined): boolean =>
  type === 'bigint' ? /^\d{1,18}$/.test(part) : !part.includes('\0')

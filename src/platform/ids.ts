import { createHash, randomBytes, randomUUID } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
// 248 is the largest multiple of 62 below 256. Larger bytes are skipped, so that all letters are equally
// likely.
const UNBIASED_BELOW = 248
const POOL_BYTES = 4096

let pool = Buffer.alloc(0)
let used = 0

function nextByte(): number {
  if (used >= pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  return pool[used++] as number
}

/** Returns random letters and digits. 12 of them have 71 bits. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = nextByte()
    if (byte < UNBIASED_BELOW) text += ALPHABET[byte % 62]
  }
  return text
}

export type IdPrefix =
  | 'ac'
  | 'alr'
  | 'apr'
  | 'aud'
  | 'bud'
  | 'ca'
  | 'cs'
  | 'cw'
  | 'dec'
  | 'dk'
  | 'evt'
  | 'file'
  | 'inc'
  | 'key'
  | 'mbr'
  | 'mcg'
  | 'mem'
  | 'org'
  | 'pol'
  | 'proj'
  | 'rcp'
  | 'req_file'
  | 'rrn'
  | 'rsp'
  | 'rvk'
  | 'sc'
  | 'ti'
  | 'trs'
  | 'udl'
  | 'pdl'
  | 'we'
  | 'ws'

/** Returns `<prefix>_` with 12 letters and digits, the format of ids in the API. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${randomText(12)}`

const MINUTE_MS = 60_000
/** Minutes since the epoch in base 36, until 2084. Digits and small letters have the same order in every collation. */
const MINUTE_CHARACTERS = 5
/**
 * Returns `log_`, the minute and 12 random letters and digits. Rows of one minute are next to each other in the index
 * of ids: random ones would write every page of a large index to the log of PostgreSQL after each checkpoint.
 */
export const newLogId = (now = Date.now()): string =>
  `log_${Math.floor(now / MINUTE_MS)
    .toString(36)
    .padStart(MINUTE_CHARACTERS, '0')}${randomText(12)}`

/**
 * Returns a UUID that begins with the time (RFC 9562 version 7): the execution log has an index of request ids, in
 * which new rows are then at one place.
 */
export function newRequestId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice('00000000-0000-4'.length)}`
}

/** Returns the UUID (RFC 9562 version 8) of a name, for legacy fields of objects that have no UUID. */
export function stableUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

import { type Encryptor, EncryptionError } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'

export type Purpose = 'put' | 'get'
interface Pass {
  p: string
  f: string
  e: number
}

/** What is longer is none of ours. */
const PASS_MAX = 1_024

export interface FileAddresses {
  /** Good for one file and one purpose until `expiresAt` (ms since the epoch); it needs no key beside it. */
  addressOf(
    purpose: Purpose,
    file: { projectId: string; id: string; filename: string },
    expiresAt: number,
  ): string
  /** What an address is for. @throws ApiError when it is not ours, for another purpose, or late */
  read(purpose: Purpose, pass: unknown, now: number): { projectId: string; id: string }
}

/** Addresses that carry their own permission, sealed with the key ring: whoever has one holds it, nobody can make or change one, and rotating the keys ends none that still has its key. */
export function fileAddresses(encryptor: Encryptor, filesUrl: string): FileAddresses {
  return {
    addressOf(purpose, { projectId, id, filename }, expiresAt) {
      const pass: Pass = { p: projectId, f: id, e: expiresAt }
      return `${filesUrl}/files/${purpose}/${encodeURIComponent(safeName(filename))}?pass=${encryptor.encrypt(pass, contextOf(purpose)).toString('base64url')}`
    },
    read(purpose, pass, now) {
      if (typeof pass !== 'string' || pass.length > PASS_MAX) throw refused()
      const { p, f, e } = opened(encryptor, purpose, pass)
      if (now > e) throw new ApiError('File_AddressExpired', 'The address of the file has expired.')
      return { projectId: p, id: f }
    },
  }
}

function opened(encryptor: Encryptor, purpose: Purpose, pass: string): Pass {
  try {
    return encryptor.decrypt<Pass>(Buffer.from(pass, 'base64url'), contextOf(purpose))
  } catch (error) {
    if (error instanceof EncryptionError) throw refused()
    throw error
  }
}

const refused = () =>
  new ApiError('File_AddressRefused', 'This is no address of a file that this server gave out.')
const contextOf = (purpose: Purpose) => `file address:${purpose}`

/** Letters, digits, `.`, `_` and `-` of a name, with its ending. */
export function safeName(filename: string): string {
  const clean = filename
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.+/, '')
  const [, stem = '', end = ''] = /^(.*?)(\.[A-Za-z0-9]{1,12})?$/.exec(clean) ?? []
  return `${stem.slice(0, 80) || 'file'}${end}`
}

import { type Encryptor, EncryptionError } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'

export type FileUrlPurpose = 'put' | 'get'
interface FileToken {
  p: string
  f: string
  e: number
}

/** Longer texts are not tokens of this server. */
const PASS_MAX = 1_024

export interface FileUrls {
  /**
   * Creates a URL for one file and one purpose, valid until `expiresAt` (ms since the epoch), without an API
   * key.
   */
  urlFor(
    purpose: FileUrlPurpose,
    file: { projectId: string; id: string; filename: string },
    expiresAt: number,
  ): string
  /** Verifies the token of a URL. @throws ApiError if it is invalid, for another purpose, or expired */
  verify(purpose: FileUrlPurpose, token: unknown, now: number): { projectId: string; id: string }
}

/**
 * Signed URLs: the permission is an encrypted token in the URL, which cannot be forged or changed. After a key
 * rotation, URLs stay valid while the key ring has their key.
 */
export function createFileUrls(encryptor: Encryptor, filesUrl: string): FileUrls {
  return {
    urlFor(purpose, { projectId, id, filename }, expiresAt) {
      const token: FileToken = { p: projectId, f: id, e: expiresAt }
      const pass = encryptor.encryptWithRing(token, encryptionContext(purpose)).toString('base64url')
      return `${filesUrl}/files/${purpose}/${encodeURIComponent(safeFilename(filename))}?pass=${pass}`
    },
    verify(purpose, token, now) {
      if (typeof token !== 'string' || token.length > PASS_MAX) throw invalidUrl()
      const { p, f, e } = decryptToken(encryptor, purpose, token)
      if (now > e) throw new ApiError('File_AddressExpired', 'The file URL has expired.')
      return { projectId: p, id: f }
    },
  }
}

function decryptToken(encryptor: Encryptor, purpose: FileUrlPurpose, token: string): FileToken {
  try {
    return encryptor.decrypt<FileToken>(Buffer.from(token, 'base64url'), encryptionContext(purpose))
  } catch (error) {
    if (error instanceof EncryptionError) throw invalidUrl()
    throw error
  }
}

const invalidUrl = () =>
  new ApiError('File_AddressRefused', 'Invalid file URL: this server did not issue it.')
const encryptionContext = (purpose: FileUrlPurpose) => `file address:${purpose}`

/** Reduces a filename to letters, digits, `.`, `_` and `-`; keeps the extension. */
export function safeFilename(filename: string): string {
  const clean = filename
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.+/, '')
  const [, stem = '', end = ''] = /^(.*?)(\.[A-Za-z0-9]{1,12})?$/.exec(clean) ?? []
  return `${stem.slice(0, 80) || 'file'}${end}`
}

/** Types that browsers neither run nor render as a page; all others are served as binary data. */
const INERT = new Set([
  'application/pdf',
  'application/zip',
  'application/gzip',
  'application/json',
  'application/msword',
  'application/rtf',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'text/plain',
  'text/csv',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/tiff',
])
const INERT_KINDS = /^(audio|video)\/[\w.+-]+$/

/** Removes the parameters: `text/html; charset=x` becomes `text/html`. */
export const mediaTypeWithoutParameters = (mimetype: string): string =>
  (mimetype.split(';')[0] ?? '').trim().toLowerCase()

/**
 * Headers of a download. Uploaded content must not run with the rights of this origin: nothing is shown
 * inline, types
 * are not guessed, and a sandbox without scripts and origin applies if a browser opens the file anyway.
 */
export function downloadHeaders(mimetype: string, filename: string): Record<string, string> {
  const type = mediaTypeWithoutParameters(mimetype)
  return {
    'content-type': INERT.has(type) || INERT_KINDS.test(type) ? type : 'application/octet-stream',
    'content-disposition': disposition(filename),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
  }
}

/** Content-Disposition (RFC 6266) with an ASCII name for old clients and the real name. */
function disposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const real = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${real}`
}

/** Types that no browser runs or shows as a page; whatever else was uploaded is handed out as bytes. */
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

/** `text/html; charset=x` is `text/html`. */
export const essenceOf = (mimetype: string): string => (mimetype.split(';')[0] ?? '').trim().toLowerCase()

/**
 * What a file is served with. An address of this server that ran what a stranger uploaded would run it with the rights of this origin: nothing is shown in place, no type
 * is guessed, and should a browser open it all the same, then in a sandbox without scripts and without an origin.
 */
export function servedAs(mimetype: string, filename: string): Record<string, string> {
  const type = essenceOf(mimetype)
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

/** RFC 6266: a name for old programs, and the real one. */
function disposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const real = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${real}`
}

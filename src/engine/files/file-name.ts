import type { EgressResponse } from '../../platform/egress/index.ts'

const NAME_MAX = 200
/** Extensions that differ from the second half of the media type. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'application/gzip': 'gz',
  'application/x-tar': 'tar',
  'application/javascript': 'js',
  'text/javascript': 'js',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
}

/**
 * Returns the name of a response that is a file: from its headers (RFC 6266), else the last part of its URL, with
 * an extension that fits its type.
 */
export function fileNameOf(
  { headers, url }: Pick<EgressResponse, 'headers' | 'url'>,
  mimetype: string,
): string {
  const disposition = String(headers['content-disposition'] ?? '')
  const [, encoded] = /filename\*\s*=\s*[\w-]+'[^']*'([^;\s]+)/i.exec(disposition) ?? []
  const [, quoted, token] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  const plain = quoted?.replace(/\\(.)/g, '$1') ?? token
  const fromHeaders = safeName(encoded === undefined ? plain : percentDecode(encoded))
  if (fromHeaders) return fromHeaders
  const fromUrl = safeName(percentDecode(URL.parse(url)?.pathname.split('/').at(-1) ?? ''))
  if (/\.[A-Za-z0-9]{1,8}$/.test(fromUrl)) return fromUrl
  const type = (mimetype.split(';')[0] ?? '').trim().toLowerCase()
  const extension = EXTENSIONS[type] ?? /^[\w.-]+\/(?:x-)?([a-z0-9]{1,8})$/.exec(type)?.[1] ?? 'bin'
  return `${fromUrl || 'file'}.${extension === 'octet' ? 'bin' : extension}`
}

/** Returns a name without a path, and without characters that could end a header or hide an extension. */
const safeName = (name: string | undefined): string =>
  (name ?? '')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069"]/g, '')
    .replace(/^\.+/, '')
    .toWellFormed()
    .slice(-NAME_MAX)
    .trim()

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

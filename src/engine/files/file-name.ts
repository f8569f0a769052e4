import type { EgressResponse } from '../../platform/egress/index.ts'

const NAME_MAX = 200
/** Endings that say more than the second half of their type. */
const ENDINGS: Readonly<Record<string, string>> = {
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

/** What to call an answer that is a file: as its headers say (RFC 6266), else as the last part of its address, with an ending that fits its type. */
export function fileNameOf(
  { headers, url }: Pick<EgressResponse, 'headers' | 'url'>,
  mimetype: string,
): string {
  const disposition = String(headers['content-disposition'] ?? '')
  const [, encoded] = /filename\*\s*=\s*[\w-]+'[^']*'([^;\s]+)/i.exec(disposition) ?? []
  const [, quoted, token] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  const told = clean(encoded === undefined ? (quoted?.replace(/\\(.)/g, '$1') ?? token) : decoded(encoded))
  if (told) return told
  const last = clean(decoded(URL.parse(url)?.pathname.split('/').at(-1) ?? ''))
  if (/\.[A-Za-z0-9]{1,8}$/.test(last)) return last
  const type = (mimetype.split(';')[0] ?? '').trim().toLowerCase()
  const ending = ENDINGS[type] ?? /^[\w.-]+\/(?:x-)?([a-z0-9]{1,8})$/.exec(type)?.[1] ?? 'bin'
  return `${last || 'file'}.${ending === 'octet' ? 'bin' : ending}`
}

/** A name, not a path, without what could end a header or hide an ending. */
const clean = (name: string | undefined): string =>
  (name ?? '')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069"]/g, '')
    .replace(/^\.+/, '')
    .toWellFormed()
    .slice(-NAME_MAX)
    .trim()

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

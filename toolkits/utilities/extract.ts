import { isIP } from 'node:net'

export const KINDS = [
  'emails',
  'urls',
  'numbers',
  'dates',
  'ip_addresses',
  'hashtags',
  'mentions',
  'uuids',
  'quoted_text',
] as const

/**
 * Our own patterns only, because a caller's pattern can take for ever. Each looks at a run of characters of
 * one class that it cannot enter twice, and every repetition is bounded, so that the time grows only with the
 * text.
 */
const PATTERNS: Record<(typeof KINDS)[number], RegExp> = {
  emails: /(?<![\w.+%-])[\w.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])/g,
  urls: /\bhttps?:\/\/[^\s<>"'`\\^{|}]{1,2048}/gi,
  numbers:
    /(?<![\w.])[+-]?(?:\d{1,3}(?:,\d{3}){1,20}|\d{1,300})(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?(?!\w|\.\d)/g,
  dates:
    /(?<!\d)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)/g,
  ip_addresses:
    /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f:]{2,39}(?:\d{1,3}(?:\.\d{1,3}){3})?)(?![\w:]|\.\w)/g,
  hashtags: /(?<![\p{L}\p{N}_&/])#[\p{L}\p{N}_]{1,140}/gu,
  mentions: /(?<![\p{L}\p{N}_.@/])@[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_])?/gu,
  uuids: /(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/gi,
  quoted_text: /"([^"\n]{1,2000})"|“([^“”\n]{1,2000})”|„([^„“\n]{1,2000})“|«([^«»\n]{1,2000})»/g,
}

/** A sentence continues after a URL: its full stop or bracket is not part of the URL. */
function trimmedUrl(url: string): string {
  let unclosed = 0
  for (const character of url) unclosed += character === '(' ? 1 : character === ')' ? -1 : 0
  let end = url.length
  while (end > 0 && /[.,;:!?)\]*_]/.test(url[end - 1]!)) {
    if (url[end - 1] === ')' && unclosed++ >= 0) break
    end--
  }
  return url.slice(0, end)
}

export function extract(text: string, kind: (typeof KINDS)[number]): string[] {
  const found = [...text.matchAll(PATTERNS[kind])].map(
    ([whole, ...groups]) => groups.find((group) => group !== undefined) ?? whole,
  )
  if (kind === 'urls') return found.map(trimmedUrl).filter((url) => url.length > 'https://'.length)
  return kind === 'ip_addresses' ? found.filter((address) => isIP(address) !== 0) : found
}

const NAMES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  times: '×',
  deg: '°',
  zwnj: '',
  zwj: '',
  shy: '',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  aacute: 'á',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
}
const SKIPPED = new Set(['script', 'style', 'head', 'title', 'template', 'noscript'])
const BLOCKS = new Set([
  'address',
  'article',
  'blockquote',
  'br',
  'div',
  'dd',
  'dl',
  'dt',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'li',
  'main',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'tr',
  'ul',
])
const PARAGRAPHS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'table', 'ul', 'ol'])

function entity(whole: string, name: string): string {
  if (!name.startsWith('#')) return NAMES[name] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole
}

export const decodeEntities = (text: string) =>
  text.replace(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});/g, entity)

/**
 * The readable text of HTML, for a model and not for a browser. One pass from left to right; where a tag or
 * comment is never closed, nothing after it can be either, and the rest is text or left out.
 */
export function htmlToText(html: string): string {
  // Only A to Z, as other letters may change their length.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const pieces: string[] = []
  for (let at = 0; at < html.length;) {
    const open = html.indexOf('<', at)
    if (open === -1) {
      pieces.push(decodeEntities(html.slice(at).replace(/\s+/g, ' ')))
      break
    }
    pieces.push(decodeEntities(html.slice(at, open).replace(/\s+/g, ' ')))
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4)
      if (end === -1) break
      at = end + 3
      continue
    }
    const tag = /^<(\/?)([a-z][a-z0-9]{0,15})/.exec(lower.slice(open, open + 20))
    if (tag === null && !/^<[!?/]/.test(html.slice(open, open + 2))) {
      pieces.push('<')
      at = open + 1
      continue
    }
    const close = html.indexOf('>', open)
    if (close === -1) break
    at = close + 1
    const name = tag?.[2] ?? ''
    if (tag?.[1] === '' && SKIPPED.has(name)) {
      const end = lower.indexOf(`</${name}`, at)
      if (end === -1) break
      at = end
    } else if (PARAGRAPHS.has(name)) pieces.push('\n\n')
    else if (BLOCKS.has(name)) pieces.push('\n')
    else if (name === 'td' || name === 'th') pieces.push(' ')
  }
  return tidied(pieces.join(''))
}

/** At most one empty line between two others, and no space around lines. */
function tidied(text: string): string {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const trimmed = line.replace(/[ \t\u00a0]+/g, ' ').trim()
    if (trimmed !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(trimmed)
  }
  return lines.join('\n').trim()
}

/** Names of HTML elements. Other text in angle brackets is a placeholder, such as `<team>`. */
const ELEMENTS =
  'a|abbr|article|aside|b|blockquote|body|br|caption|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figure|font|' +
  'footer|h[1-6]|head|header|hr|html|i|img|ins|kbd|li|main|mark|nav|ol|p|pre|q|s|samp|script|section|small|span|' +
  'strike|strong|style|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr'
const BREAKS = /<(br|p|li|\/p|\/li|\/h\d)\b[^>]{0,200}>/gi
const TAGS = new RegExp(`</?(?:${ELEMENTS})(?:\\s[^<>]{0,500})?/?>`, 'gi')
/** `**bold**` and `__bold__` as words of their own: not the `**` of a glob, nor `__name__` in a query. */
const BOLD = /(?<![\w/*])(\*\*)(?=[^\s*])([^*\n]{1,300}?)(?<=\S)\*\*(?![\w/*])/g

/**
 * Returns HTML and Markdown as the plain text that a model needs: no markup, no URLs of links, one line. Code
 * in backticks stays as it is. Long enough input is cut before it is read.
 */
export function plainText(source: string, most: number): string {
  const read = source
    .slice(0, most * 6 + 2_000)
    .replace(/```[a-z]*/g, '')
    .split(/(`[^`\n]{1,500}`)/)
    .map((part, index) => (index % 2 === 1 ? part : withoutMarkup(part)))
    .join('')
    .replace(/&(lt|gt|amp|quot|nbsp|#39|apos);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return shortened(read, most)
}

function withoutMarkup(text: string): string {
  return text
    .replace(BREAKS, ' ')
    .replace(TAGS, '')
    .replace(/!?\[([^\][]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/^\s{0,3}(#{1,6}|[*+-]|>)\s+/gm, '')
    .replace(BOLD, '$2')
    .replace(/~~/g, '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
  apos: "'",
}

/** At most so many characters: whole sentences if they fill half of it, else whole words. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed()
  const head = text.slice(0, most - 1)
  const sentence = head.search(/[.!?](?=\s)(?!.*[.!?]\s)/s)
  if (sentence > most / 2) return head.slice(0, sentence + 1).toWellFormed()
  const space = head.lastIndexOf(' ')
  return `${(space > most / 2 ? head.slice(0, space) : head).trimEnd().toWellFormed()}…`
}

/** The words of a name: `getUserByID`, `repos/list-for-org`, `X-Api-Key`. */
export function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
}

/** `pageSize` as `Page size`. */
export function inWords(name: string): string {
  const words = wordsOf(name).map((word) => (/^[A-Z0-9]{2,4}$/.test(word) ? word : word.toLowerCase()))
  const text = words.join(' ')
  return text === '' ? name.slice(0, 60) : `${text[0]!.toUpperCase()}${text.slice(1)}`
}

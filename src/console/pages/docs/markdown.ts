// Reads the Markdown that the pages of this repository use (CommonMark with tables): headings, paragraphs, lists,
// tables, code, quotes; and in texts code, links, images and emphasis. The content security policy forbids markup from
// texts, so the result is data, of which `markdown-view.tsx` makes elements.

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; content: Inline[] }
  | { kind: 'link'; href: string; content: Inline[] }
  | { kind: 'image'; src: string; alt: string }

export type Block =
  | { kind: 'heading'; level: number; id: string; content: Inline[] }
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'quote'; content: Block[] }

const FENCE = /^(`{3,})\s*(\S*).*$/
const HEADING = /^(#{1,6}) +(.+?)(?: +#+)?$/
const ITEM = /^( *)([-*+]|\d{1,9}[.)]) +(.*)$/
const DIVIDER = /^\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/
const COMMENT = /^ *<!--.*-->$/
const QUOTE = /^> ?/

/** Reads a page. */
export function parseMarkdown(text: string): Block[] {
  const ids = new Map<string, number>()
  return parseLines(text.replace(/^---\n[^]*?\n---\n/, '').split('\n'), ids)
}

function parseLines(lines: readonly string[], ids: Map<string, number>): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] as string
    if (line.trim() === '' || COMMENT.test(line)) at++
    else at = readBlock(lines, at, blocks, ids)
  }
  return blocks
}

/** Reads the block at a line, and returns the line after it. */
function readBlock(lines: readonly string[], at: number, blocks: Block[], ids: Map<string, number>): number {
  const line = lines[at] as string
  const [, fence, language = ''] = FENCE.exec(line) ?? []
  if (fence !== undefined) {
    const end = indexFrom(lines, at + 1, (other) => other.startsWith(fence) && other.trim() === fence)
    blocks.push({ kind: 'code', language, text: lines.slice(at + 1, end).join('\n') })
    return end + 1
  }
  const [, marks, title] = HEADING.exec(line) ?? []
  if (marks !== undefined && title !== undefined) {
    blocks.push({ kind: 'heading', level: marks.length, id: idOf(title, ids), content: parseInline(title) })
    return at + 1
  }
  if (QUOTE.test(line)) {
    const end = indexFrom(lines, at, (other) => !QUOTE.test(other))
    const content = parseLines(
      lines.slice(at, end).map((other) => other.replace(QUOTE, '')),
      ids,
    )
    blocks.push({ kind: 'quote', content })
    return end
  }
  if (ITEM.test(line)) return readList(lines, at, blocks, ids)
  if (line.includes('|') && DIVIDER.test(lines[at + 1]?.trim() ?? '')) {
    const end = indexFrom(lines, at + 2, (other) => !other.includes('|'))
    const [head = [], ...rows] = [line, ...lines.slice(at + 2, end)].map(cellsOf)
    blocks.push({ kind: 'table', head, rows })
    return end
  }
  const end = indexFrom(lines, at + 1, startsBlock)
  blocks.push({ kind: 'paragraph', content: parseInline(lines.slice(at, end).join(' ')) })
  return end
}

/** Reads a list: its items, with the lines below them that are indented as far as their text. */
function readList(lines: readonly string[], at: number, blocks: Block[], ids: Map<string, number>): number {
  const [, indent = '', mark = ''] = ITEM.exec(lines[at] as string) ?? []
  const isOrdered = /\d/.test(mark)
  const items: Block[][] = []
  let next = at
  while (next < lines.length) {
    const [, ownIndent, ownMark = '', first = ''] = ITEM.exec(lines[next] as string) ?? []
    if (ownIndent !== indent || /\d/.test(ownMark) !== isOrdered) break
    const width = indent.length + ownMark.length + 1
    const own = [first]
    next++
    while (next < lines.length) {
      const line = lines[next] as string
      const isInside = line.startsWith(' '.repeat(width))
      const isBlankInside = line.trim() === '' && (lines[next + 1] ?? '').startsWith(' '.repeat(width))
      const isLazy = line.trim() !== '' && !startsBlock(line) && own.at(-1)?.trim() !== ''
      if (!isInside && !isBlankInside && !isLazy) break
      own.push(isInside ? line.slice(width) : line.trim())
      next++
    }
    items.push(parseLines(own, ids))
    if (lines[next]?.trim() === '' && ITEM.exec(lines[next + 1] ?? '')?.[1] === indent) next++
  }
  blocks.push({ kind: 'list', isOrdered, start: Number.parseInt(mark, 10) || 1, items })
  return next
}

const startsBlock = (line: string): boolean =>
  line.trim() === '' ||
  FENCE.test(line) ||
  HEADING.test(line) ||
  ITEM.test(line) ||
  QUOTE.test(line) ||
  line.startsWith('|')

function indexFrom(lines: readonly string[], from: number, matches: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at++) if (matches(lines[at] as string)) return at
  return lines.length
}

/** Returns the name of a heading in links, as GitHub makes it. */
function idOf(title: string, ids: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const count = ids.get(id) ?? 0
  ids.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

/** Splits a row of a table. A `|` in code or after a backslash is part of its cell. */
function cellsOf(row: string): Inline[][] {
  const cells: string[] = ['']
  for (const [part] of row.trim().matchAll(/`[^`]*`|\\\||\||[^|`\\]+|[\\`]/g)) {
    if (part === '|') cells.push('')
    else cells[cells.length - 1] += part === '\\|' ? '|' : part.replaceAll('\\|', '|')
  }
  if (row.trim().startsWith('|')) cells.shift()
  if (row.trim().endsWith('|')) cells.pop()
  return cells.map((cell) => parseInline(cell.trim()))
}

const INLINE = new RegExp(
  [
    '(?<escaped>\\\\[\\\\`*_[\\]<>|#])',
    '(?<ticks>`+)(?<code>.+?)\\k<ticks>(?!`)',
    '!\\[(?<alt>[^\\]]*)\\]\\((?<src>[^\\s)]+)\\)',
    '\\[(?<label>(?:[^\\[\\]`]|`[^`]*`|\\[[^\\]]*\\])+)\\]\\((?<href>[^\\s)]+)\\)',
    '<(?<url>https?://[^\\s>]+)>',
    '\\*\\*(?<strong>.+?)\\*\\*',
    '(?<![\\p{L}\\p{N}*])\\*(?<emphasis>[^\\s*](?:[^*]*[^\\s*])?)\\*(?!\\*)',
  ].join('|'),
  'gu',
)

/** Reads the marks in a text. */
export function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  const addText = (plain: string) => {
    const last = parts.at(-1)
    if (last?.kind === 'text') last.text += plain
    else if (plain) parts.push({ kind: 'text', text: plain })
  }
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    addText(text.slice(end, match.index))
    end = match.index + match[0].length
    const found = inlineOf(match.groups ?? {})
    if (found.kind === 'text') addText(found.text)
    else parts.push(found)
  }
  addText(text.slice(end))
  return parts
}

function inlineOf(groups: Record<string, string | undefined>): Inline {
  const { escaped = '', code, alt, src, label = '', href, url, strong, emphasis } = groups
  if (code !== undefined) return { kind: 'code', text: code.replace(/^ (.+) $/, '$1') }
  if (src !== undefined) return { kind: 'image', src, alt: alt ?? '' }
  if (href !== undefined) return { kind: 'link', href, content: parseInline(label) }
  if (url !== undefined) return { kind: 'link', href: url, content: [{ kind: 'text', text: url }] }
  if (strong !== undefined) return { kind: 'strong', content: parseInline(strong) }
  if (emphasis !== undefined) return { kind: 'emphasis', content: parseInline(emphasis) }
  return { kind: 'text', text: escaped.slice(1) }
}

/** Returns the text without marks. */
export const textOf = (content: readonly Inline[]): string =>
  content
    .map((part) => ('text' in part ? part.text : 'alt' in part ? part.alt : textOf(part.content)))
    .join('')

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block. Its first line is ` ```lang words… `, of which readers see nothing but colours. */
export interface Block {
  lang: string
  words: readonly string[]
  text: string
  line: number
}
export interface Page {
  file: string
  text: string
  blocks: readonly Block[]
}

export function page(file: string): Page {
  const text = readFileSync(`${ROOT}${file}`, 'utf8')
  return { file, text, blocks: blocksOf(text) }
}

/** Pages that people write; `docs/reference` is generated and checked where it is generated. */
export function pages(): Page[] {
  return [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...globSync('docs/{*,guides/*,decisions/*}.md', { cwd: ROOT }).sort(),
  ].map(page)
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let open: { lang: string; words: string[]; lines: string[]; line: number } | undefined
  text.split('\n').forEach((line, index) => {
    const fence = /^```(.*)$/.exec(line)
    if (!fence) {
      open?.lines.push(line)
      return
    }
    if (open) {
      blocks.push({ lang: open.lang, words: open.words, text: open.lines.join('\n'), line: open.line })
      open = undefined
    } else {
      const [lang = '', ...words] = (fence[1] ?? '').trim().split(/\s+/)
      open = { lang, words, lines: [], line: index + 1 }
    }
  })
  if (open) throw new Error(`a block that begins on line ${open.line} does not end`)
  return blocks
}

/** The text outside of fenced blocks. */
export const proseOf = ({ text }: Page) => text.replace(/^```[^]*?^```$/gm, '')

/** What stands between backticks in the prose. */
export const inlineCode = (page: Page) =>
  [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** Shell lines with continued lines joined and comments left out. */
export const shellOf = ({ blocks }: Page) =>
  blocks
    .filter(({ lang }) => lang === 'sh')
    .map(({ text }) => text.replace(/\\\n\s*/g, ' ').replace(/(^|\s)#.*$/gm, '$1'))
    .join('\n')

/** The name that a heading has in links, as GitHub makes it. */
export const anchorsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )

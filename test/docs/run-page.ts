import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Block, Page } from './markdown.ts'

/** What pages call the server; in a run it listens elsewhere. */
const WRITTEN_URL = 'http://localhost:3900'
const PAGE_MS = 360_000
const SEPARATOR = '\u001e'

/** A block marked `run`, and the block marked `output` that follows it. */
export interface Example {
  run: Block
  output: Block | undefined
}

export function examplesOf({ file, blocks }: Page): Example[] {
  const examples: Example[] = []
  blocks.forEach((block, index) => {
    if (block.words.includes('run'))
      examples.push({
        run: block,
        output: blocks[index + 1]?.words.includes('output') ? blocks[index + 1] : undefined,
      })
    else if (block.words.includes('output') && !blocks[index - 1]?.words.includes('run'))
      throw new Error(`${file}:${block.line}: output of nothing`)
  })
  return examples
}

/**
 * Runs the examples of a page in one shell, as a reader would; answers one sentence for each that did
 * something else than the page says.
 */
export async function runPage(
  page: Page,
  { url, directory, env }: { url: string; directory: string; env: Record<string, string> },
): Promise<string[]> {
  const examples = examplesOf(page)
  const script = examples
    .map(
      ({ run }) =>
        `${commandOf(run).replaceAll(WRITTEN_URL, url)}\nprintf '\\n${SEPARATOR}%s${SEPARATOR}' "$?"`,
    )
    .join('\n')
  const shell = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PAGE_MS,
  })
  let text = ''
  shell.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  await once(shell, 'close')
  const parts = text.replaceAll(url, WRITTEN_URL).split(SEPARATOR)
  return examples.flatMap(({ run, output }, index) => {
    const printed = tidy(parts[index * 2] ?? '')
    const status = parts[index * 2 + 1]
    const place = `${page.file}:${run.line}`
    if (status === undefined) return [`${place} did not end; it printed\n${printed}`]
    if (output)
      return fits(output.text, printed)
        ? []
        : [`${place} printed\n${printed}\n--- and the page says\n${output.text}`]
    return status === '0' ? [] : [`${place} ended with ${status} and printed\n${printed}`]
  })
}

/** How programs are run, and the ending of their files. */
const PROGRAMS: Readonly<Record<string, { command: string; ending: string }>> = {
  js: { command: 'node', ending: 'mjs' },
  py: { command: 'python3', ending: 'py' },
}

/** Whether a page has programs, which receive the URL of the server: commands find it by themselves. */
export const hasPrograms = ({ blocks }: Page): boolean =>
  blocks.some(({ lang, words }) => Object.hasOwn(PROGRAMS, lang) && words.includes('run'))

/** Python is not a part of this repository: its examples run where the machine has it. */
export const needsPython = ({ blocks }: Page): boolean =>
  blocks.some(({ lang, words }) => lang === 'py' && words.includes('run'))

/** A program is a file that the shell writes and runs. */
function commandOf({ lang, text, line }: Block): string {
  const program = PROGRAMS[lang]
  if (!program) return text
  const file = `example-${line}.${program.ending}`
  return `cat > ${file} <<'PROGRAM'\n${text}\nPROGRAM\n${program.command} ${file}`
}

/** JSON is compared indented, whatever the program made of it. */
function tidy(text: string): string {
  const trimmed = withoutEnds(text)
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2)
  } catch {
    return trimmed
  }
}

/** `…` stands for the rest of a line or a part of it; alone on a line, for any lines. */
export function fits(expected: string, printed: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = withoutEnds(expected)
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[^]*' : line.split('…').map(literal).join('[^\\n]*')))
    .join('\n')
    .replaceAll('\n[^]*', '[^]*')
  return new RegExp(`^${pattern}$`).test(printed)
}

const withoutEnds = (text: string) => text.replace(/[ \t]+$/gm, '').replace(/^\n+|\n+$/g, '')

import type { painter } from '../src/cli/io.ts'
import { wrapped } from './wrapped.ts'

type Paint = ReturnType<typeof painter>

const LINES_MAX = 18
const TEXT_LINES_MAX = 3
/** Secrets that are not printed: a recording of the tour shows no key, not even of a server that stops in a minute. */
const SECRETS = new Set(['generic_api_key', 'master_key', 'password', 'client_secret'])

/** JSON for reading: what fits on a line stays on it, long texts are wrapped, long bodies cut, secrets shortened. */
export function jsonLines(value: unknown, width: number, paint: Paint): string[] {
  const lines = expand(value, width, paint, '', 0)
  return lines.length <= LINES_MAX
    ? lines
    : [...lines.slice(0, LINES_MAX - 1), paint('dim', `… ${lines.length - LINES_MAX + 1} more lines`)]
}

/** `before` characters of the first line are taken by the name in front of it. */
function expand(value: unknown, width: number, paint: Paint, name: string, before: number): string[] {
  const plain = inline(value, (_, text) => text, name)
  if (before + plain.length < width) return [inline(value, paint, name)]
  if (typeof value === 'string')
    return textLines(JSON.stringify(cut(value, name)), width - before).map((line) => paint('green', line))
  if (typeof value !== 'object' || value === null) return [inline(value, paint, name)]
  const isList = Array.isArray(value)
  const members: [string, unknown][] = isList ? value.map((item) => ['', item]) : Object.entries(value)
  const body = members.flatMap(([key, item], index) => {
    const lines = expand(item, width - 2, paint, key, isList ? 0 : key.length + 4)
    lines[0] = (isList ? '' : `${keyText(key, paint)}: `) + lines[0]
    if (index < members.length - 1) lines[lines.length - 1] += ','
    return lines.map((line) => `  ${line}`)
  })
  return [isList ? '[' : '{', ...body, isList ? ']' : '}']
}

/** A long text continues on the next lines: it is no JSON any more, but complete. */
function textLines(text: string, width: number): string[] {
  const [first = '', ...rest] = wrapped(text, width - 1)
  const lines = [first, ...rest.map((line) => ` ${line}`)]
  return lines.length <= TEXT_LINES_MAX
    ? lines
    : [...lines.slice(0, TEXT_LINES_MAX - 1), ` ${lines[TEXT_LINES_MAX - 1]?.slice(1, width - 3)}…"`]
}

function inline(value: unknown, paint: Paint, name: string): string {
  if (Array.isArray(value))
    return value.length ? `[${value.map((item) => inline(item, paint, '')).join(', ')}]` : '[]'
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, item]) => item !== undefined)
    return members.length
      ? `{ ${members.map(([key, item]) => `${keyText(key, paint)}: ${inline(item, paint, key)}`).join(', ')} }`
      : '{}'
  }
  if (typeof value === 'string') return paint('green', JSON.stringify(cut(value, name)))
  return paint(value === null ? 'dim' : 'yellow', String(value))
}

const keyText = (key: string, paint: Paint) => paint('cyan', JSON.stringify(key))

function cut(text: string, name: string): string {
  return SECRETS.has(name) && !text.endsWith('...') ? `${text.slice(0, 4)}…` : text
}

import { painter, printable, widthOf, type Io } from '../io.ts'

export interface Column {
  title: string
  /** Path of the value in a row: `meta.tools_count`. */
  path: string
  /** Less important: dimmed, and shortened first on a narrow terminal. */
  isSecondary?: boolean
}

const GAP = '  '
const NARROWEST = 6

/** Formats rows under titles, as wide as the terminal. Without a terminal, no value is shortened. */
export function table(io: Io, columns: readonly Column[], rows: readonly unknown[]): string {
  const paint = painter(io, io.stdout)
  const isTerminal = widthOf(io.stdout) !== Infinity
  const format = (value: unknown) => cellText(isTerminal ? relativeTime(value, Date.now()) : value)
  const cells = rows.map((row) => columns.map(({ path }) => format(valueAt(row, path))))
  const fullWidths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((row) => textWidth(row[at] ?? ''))),
  )
  const widths = fit(columns, fullWidths, widthOf(io.stdout))
  const line = (texts: readonly string[], style: (text: string, at: number) => string) =>
    texts
      .map((text, at) =>
        style(pad(cut(text, widths[at] ?? 0), at === texts.length - 1 ? 0 : (widths[at] ?? 0)), at),
      )
      .join(GAP)
      .trimEnd()
  return [
    line(
      columns.map(({ title }) => title.toUpperCase()),
      (text) => paint('dim', text),
    ),
    ...cells.map((row) =>
      line(row, (text, at) =>
        columns[at]?.isSecondary || text.trim() === NONE
          ? paint('dim', text)
          : at === 0
            ? paint('bold', text)
            : text,
      ),
    ),
  ]
    .map((text) => `${text}\n`)
    .join('')
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** Writes a timestamp as `2m ago` or `in 3h`: on a terminal a full one leaves no room. Other values are unchanged. */
export function relativeTime(value: unknown, now: number): unknown {
  if (typeof value !== 'string' || !ISO_TIME.test(value)) return value
  const difference = now - Date.parse(value)
  const [unit, ms] = UNITS.find(([, length]) => Math.abs(difference) >= length) ?? UNITS[3]
  const amount = `${Math.floor(Math.abs(difference) / ms)}${unit}`
  return difference >= 0 ? `${amount} ago` : `in ${amount}`
}

/** Shown for an absent value. */
export const NONE = '—'

/** Formats a value on one line. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null || value === '') return NONE
  if (Array.isArray(value))
    return value.length === 0
      ? NONE
      : value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : cellText(item))).join(', ')
  if (typeof value === 'object')
    return Object.keys(value).length === 0
      ? NONE
      : printable(
          Object.entries(value)
            .map(([key, item]) => `${key}:${fieldText(item)}`)
            .join(' '),
        )
  return printable(String(value).replace(/\s+/g, ' '))
}

const fieldText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join('+')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const valueAt = (row: unknown, path: string): unknown =>
  path === ''
    ? row
    : path
        .split('.')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], row)

/** Shortens secondary columns first, then the widest ones, until the line fits. */
function fit(columns: readonly Column[], fullWidths: readonly number[], width: number): number[] {
  const widths = [...fullWidths]
  let excess = widths.reduce((sum, one) => sum + one, GAP.length * (columns.length - 1)) - width
  for (const onlySecondary of [true, false]) {
    while (excess > 0) {
      const at = widest(widths, (index) => !onlySecondary || Boolean(columns[index]?.isSecondary))
      if (at === undefined) break
      const rest = Math.max(
        NARROWEST,
        ...widths.filter(
          (one, index) =>
            index !== at && one < (widths[at] ?? 0) && (!onlySecondary || columns[index]?.isSecondary),
        ),
      )
      const cut = Math.max(1, Math.min(excess, (widths[at] ?? 0) - rest))
      widths[at] = (widths[at] ?? 0) - cut
      excess -= cut
    }
  }
  return widths
}

function widest(widths: readonly number[], mayShrink: (at: number) => boolean): number | undefined {
  let found: number | undefined
  widths.forEach((one, at) => {
    if (one > NARROWEST && mayShrink(at) && one > (found === undefined ? 0 : (widths[found] ?? 0))) found = at
  })
  return found
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const charWidth = (char: string): number => (WIDE.test(char) ? 2 : 1)

/** Returns the number of terminal columns of a text. */
export function textWidth(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += charWidth(segment)
  return width
}

function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let visible = '',
    used = 0
  for (const { segment } of graphemes.segment(text)) {
    if (used + charWidth(segment) > width - 1) break
    visible += segment
    used += charWidth(segment)
  }
  return `${visible.trimEnd()}…`
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))

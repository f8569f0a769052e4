import { DateTime } from 'luxon'
import { ToolFailure } from '../../src/catalog/code-tool.ts'
import { checkLocalTime, offsetToMs, type ParsedTime } from './date-times.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const TOKEN =
  /'[^']*'|yyyy|yy|MMMM|MMM|MM|M|dd|d|EEEE|EEE|HH|H|hh|h|mm|ss|SSS|a|xxx|xx|VV|[A-Za-z]+|[^A-Za-z']+|'/g

/** Tokens whose luxon form is the same. Offsets and the zone are written here, since luxon drops seconds of offsets. */
const LUXON_TOKENS: ReadonlySet<string> = new Set(
  'yyyy yy MMMM MMM MM M dd d EEEE EEE HH H hh h mm ss SSS a'.split(' '),
)
const tokensOf = (pattern: string) => pattern.match(TOKEN) ?? []

/** Formats an offset as `+05:30`, with seconds for the historic offsets that have them. */
export function formatOffset({ offset }: DateTime, separator = ':'): string {
  const seconds = Math.round(Math.abs(offset) * 60)
  const parts = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    ...(seconds % 60 === 0 ? [] : [seconds % 60]),
  ]
  return (offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(separator)
}

function formatToken(token: string, time: DateTime): string {
  if (LUXON_TOKENS.has(token)) return time.toFormat(token, { locale: 'en-US' })
  if (token === 'xxx') return formatOffset(time)
  if (token === 'xx') return formatOffset(time, '')
  if (token === 'VV') return time.zoneName ?? 'UTC'
  return literal(token)
}

function literal(token: string): string {
  if (token === "'") throw new ToolFailure('A quotation mark in the pattern is not closed')
  if (token.startsWith("'")) return token === "''" ? "'" : token.slice(1, -1)
  if (/^[A-Za-z]/.test(token))
    throw new ToolFailure(`"${token}" in the pattern is not known; put words between single quotation marks`)
  return token
}

/** Formats a time by a Unicode date pattern (UTS 35). Throws a `ToolFailure` for an unknown token. */
export function formatWithPattern(pattern: string, time: DateTime): string {
  return tokensOf(pattern)
    .map((token) => formatToken(token, time))
    .join('')
}

/** Formats as ISO 8601 with the offset of the zone, and milliseconds only if there are any. */
export function formatIso(time: DateTime): string {
  const fraction = time.millisecond === 0 ? '' : '.SSS'
  return (
    formatWithPattern(`yyyy-MM-dd'T'HH:mm:ss${fraction}`, time) +
    (time.zoneName === 'UTC' ? 'Z' : formatOffset(time))
  )
}

/** The least and most digits of each numeric token. */
const NUMBERS: Record<string, [least: number, most: number]> = {
  yyyy: [4, 4],
  yy: [2, 2],
  MM: [2, 2],
  M: [1, 2],
  dd: [2, 2],
  d: [1, 2],
  HH: [2, 2],
  H: [1, 2],
  hh: [2, 2],
  h: [1, 2],
  mm: [2, 2],
  ss: [2, 2],
  SSS: [3, 3],
}

/**
 * Parses a text by a pattern, from left to right and without backtracking, so that the time is linear in the length
 * of the text. luxon's parser builds a regular expression from the pattern, and reports no position.
 */
export function parseWithPattern(pattern: string, text: string): ParsedTime {
  const cursor = new TextCursor(text)
  for (const token of tokensOf(pattern)) {
    const digits = NUMBERS[token]
    if (digits) cursor.read(new RegExp(`^\\d{${digits[0]},${digits[1]}}`), token)
    else if (WORD_TOKENS.has(token)) cursor.read(/^[A-Za-z]{3,9}/, token)
    else if (token === 'a') cursor.read(/^[AaPp]\.?[Mm]\.?/, token)
    else if (token === 'xxx' || token === 'xx') cursor.read(/^(?:[Zz]|[+-]\d{2}:?\d{2})/, 'offset')
    else if (token === 'VV') cursor.read(/^[A-Za-z0-9_+\-/]{1,64}/, token)
    else cursor.skip(literal(token))
  }
  if (cursor.rest !== '')
    throw new ToolFailure(`The text continues after the pattern: "${cursor.rest.slice(0, 30)}"`)
  return toParsedTime(cursor.values)
}

const WORD_TOKENS: ReadonlySet<string> = new Set(['MMMM', 'MMM', 'EEEE', 'EEE'])

class TextCursor {
  readonly values = new Map<string, string>()
  rest: string

  constructor(text: string) {
    this.rest = text
  }

  read(pattern: RegExp, token: string): void {
    const value = pattern.exec(this.rest)?.[0]
    if (value === undefined) throw this.mismatch(token)
    this.values.set(token, value)
    this.rest = this.rest.slice(value.length)
  }

  skip(expected: string): void {
    if (!this.rest.startsWith(expected)) throw this.mismatch(`"${expected}"`)
    this.rest = this.rest.slice(expected.length)
  }

  mismatch(expected: string): ToolFailure {
    return new ToolFailure(
      `The text does not match the pattern at "${this.rest.slice(0, 30)}" (expected ${expected})`,
    )
  }
}

function toParsedTime(values: ReadonlyMap<string, string>): ParsedTime {
  const number = (...tokens: string[]) =>
    tokens
      .map((token) => values.get(token))
      .filter((value) => value !== undefined)
      .map(Number)[0]
  const shortYear = number('yy')
  const year =
    number('yyyy') ?? (shortYear === undefined ? undefined : shortYear + (shortYear < 70 ? 2000 : 1900))
  const month = number('MM', 'M') ?? monthByName(values.get('MMMM') ?? values.get('MMM'))
  if (year === undefined || month === undefined)
    throw new ToolFailure('The pattern must contain a year and a month')
  const local = checkLocalTime({
    year,
    month,
    day: number('dd', 'd') ?? 1,
    hour: number('HH', 'H') ?? hourFrom12(number('hh', 'h'), values.get('a')),
    minute: number('mm') ?? 0,
    second: number('ss') ?? 0,
    millisecond: number('SSS') ?? 0,
  })
  const offset = values.get('offset')
  return { local, zone: values.get('VV'), offsetMs: offset === undefined ? undefined : offsetToMs(offset) }
}

function monthByName(name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  const index = MONTHS.findIndex((month) =>
    [month, month.slice(0, 3)].some((form) => form.toLowerCase() === name.toLowerCase()),
  )
  if (index === -1) throw new ToolFailure(`"${name}" is not a month`)
  return index + 1
}

function hourFrom12(hour: number | undefined, meridiem: string | undefined): number {
  if (hour === undefined) return 0
  if (hour < 1 || hour > 12) throw new ToolFailure('An hour with AM or PM is between 1 and 12')
  return (hour % 12) + (meridiem !== undefined && /^p/i.test(meridiem) ? 12 : 0)
}

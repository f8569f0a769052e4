import { ToolFailure } from '../../src/catalog/code-tool.ts'
import { checkedWall, offsetToMs, type Reading } from './instants.ts'
import type { Zoned } from './zones.ts'

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
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const TOKEN =
  /'[^']*'|yyyy|yy|MMMM|MMM|MM|M|dd|d|EEEE|EEE|HH|H|hh|h|mm|ss|SSS|a|xxx|xx|VV|[A-Za-z]+|[^A-Za-z']+|'/g

export const WEEKDAYS = DAYS
const two = (value: number) => String(value).padStart(2, '0')
const tokensOf = (pattern: string) => pattern.match(TOKEN) ?? []

/** `+05:30`, or with seconds where history had them. */
export function offsetText(offsetMs: number, separator = ':'): string {
  const seconds = Math.abs(offsetMs) / 1000
  const parts = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    ...(seconds % 60 === 0 ? [] : [seconds % 60]),
  ]
  return (offsetMs < 0 ? '-' : '+') + parts.map(two).join(separator)
}

function write(token: string, { wall, zone, offsetMs, weekday }: Zoned): string {
  const hour12 = wall.hour % 12 === 0 ? 12 : wall.hour % 12
  switch (token) {
    case 'yyyy':
      return String(wall.year).padStart(4, '0')
    case 'yy':
      return two(wall.year % 100)
    case 'MMMM':
      return MONTHS[wall.month - 1]!
    case 'MMM':
      return MONTHS[wall.month - 1]!.slice(0, 3)
    case 'MM':
      return two(wall.month)
    case 'M':
      return String(wall.month)
    case 'dd':
      return two(wall.day)
    case 'd':
      return String(wall.day)
    case 'EEEE':
      return DAYS[weekday]!
    case 'EEE':
      return DAYS[weekday]!.slice(0, 3)
    case 'HH':
      return two(wall.hour)
    case 'H':
      return String(wall.hour)
    case 'hh':
      return two(hour12)
    case 'h':
      return String(hour12)
    case 'mm':
      return two(wall.minute)
    case 'ss':
      return two(wall.second)
    case 'SSS':
      return String(wall.millisecond).padStart(3, '0')
    case 'a':
      return wall.hour < 12 ? 'AM' : 'PM'
    case 'xxx':
      return offsetText(offsetMs)
    case 'xx':
      return offsetText(offsetMs, '')
    case 'VV':
      return zone
  }
  return literal(token)
}

function literal(token: string): string {
  if (token === "'") throw new ToolFailure('A quotation mark in the pattern is not closed')
  if (token.startsWith("'")) return token === "''" ? "'" : token.slice(1, -1)
  if (/^[A-Za-z]/.test(token))
    throw new ToolFailure(`"${token}" in the pattern is not known; put words between single quotation marks`)
  return token
}

export function formatWith(pattern: string, zoned: Zoned): string {
  return tokensOf(pattern)
    .map((token) => write(token, zoned))
    .join('')
}

/** ISO 8601 with the offset of the zone; milliseconds only when there are some. */
export function isoText(zoned: Zoned): string {
  const fraction = zoned.wall.millisecond === 0 ? '' : '.SSS'
  return (
    formatWith(`yyyy-MM-dd'T'HH:mm:ss${fraction}`, zoned) +
    (zoned.zone === 'UTC' ? 'Z' : offsetText(zoned.offsetMs))
  )
}

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

/** Reads a text by a pattern, left to right and without going back, so that the time it takes grows only with the text. */
export function readWith(pattern: string, text: string): Reading {
  let rest = text
  const found = new Map<string, string>()
  const take = (regexp: RegExp, token: string): void => {
    const taken = regexp.exec(rest)?.[0]
    if (taken === undefined)
      throw new ToolFailure(`The text does not fit the pattern at "${rest.slice(0, 30)}" (expected ${token})`)
    found.set(token, taken)
    rest = rest.slice(taken.length)
  }
  for (const token of tokensOf(pattern)) {
    const digits = NUMBERS[token]
    if (digits) take(new RegExp(`^\\d{${digits[0]},${digits[1]}}`), token)
    else if (token === 'MMMM' || token === 'EEEE' || token === 'EEE' || token === 'MMM')
      take(/^[A-Za-z]{3,9}/, token)
    else if (token === 'a') take(/^[AaPp]\.?[Mm]\.?/, token)
    else if (token === 'xxx' || token === 'xx') take(/^(?:[Zz]|[+-]\d{2}:?\d{2})/, 'offset')
    else if (token === 'VV') take(/^[A-Za-z0-9_+\-/]{1,64}/, token)
    else {
      const expected = literal(token)
      if (!rest.startsWith(expected))
        throw new ToolFailure(
          `The text does not fit the pattern at "${rest.slice(0, 30)}" (expected "${expected}")`,
        )
      rest = rest.slice(expected.length)
    }
  }
  if (rest !== '') throw new ToolFailure(`The text goes on after the pattern: "${rest.slice(0, 30)}"`)
  return reading(found)
}

function reading(found: Map<string, string>): Reading {
  const number = (...tokens: string[]) =>
    tokens
      .map((token) => found.get(token))
      .filter((value) => value !== undefined)
      .map(Number)[0]
  const shortYear = number('yy')
  const year =
    number('yyyy') ?? (shortYear === undefined ? undefined : shortYear + (shortYear < 70 ? 2000 : 1900))
  const month = number('MM', 'M') ?? monthNamed(found.get('MMMM') ?? found.get('MMM'))
  if (year === undefined || month === undefined)
    throw new ToolFailure('The pattern must hold a year and a month')
  const wall = checkedWall({
    year,
    month,
    day: number('dd', 'd') ?? 1,
    hour: number('HH', 'H') ?? hourOf12(number('hh', 'h'), found.get('a')),
    minute: number('mm') ?? 0,
    second: number('ss') ?? 0,
    millisecond: number('SSS') ?? 0,
  })
  const [offset, zone] = [found.get('offset'), found.get('VV')]
  return {
    wall,
    ...(offset === undefined ? {} : { offsetMs: offsetToMs(offset) }),
    ...(zone === undefined ? {} : { zone }),
  }
}

function monthNamed(name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  const index = MONTHS.findIndex((month) =>
    [month, month.slice(0, 3)].some((form) => form.toLowerCase() === name.toLowerCase()),
  )
  if (index === -1) throw new ToolFailure(`"${name}" is not a month`)
  return index + 1
}

function hourOf12(hour: number | undefined, half: string | undefined): number {
  if (hour === undefined) return 0
  if (hour < 1 || hour > 12) throw new ToolFailure('An hour with AM or PM is between 1 and 12')
  return (hour % 12) + (half !== undefined && /^p/i.test(half) ? 12 : 0)
}

import { type CodeTool, type CodeToolContext, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, choice, integer, optionalText, text } from './args.ts'
import { addDuration, calendarDifference, type Duration } from './date-arithmetic.ts'
import { formatWith, isoText, offsetText, readWith, WEEKDAYS } from './date-patterns.ts'
import { parseInstant, readInstant, toEpoch } from './instants.ts'
import { inZone, type Overlap, type Zoned, zoneName } from './zones.ts'

const AMOUNT_MAX = 1_000_000_000
const OVERLAPS = ['earlier', 'later'] as const
const STYLES = ['iso', 'rfc2822', 'unix', 'full', 'long', 'medium', 'short'] as const
const RFC_2822 = 'EEE, d MMM yyyy HH:mm:ss xx'
const KNOWN_PATTERNS = [
  RFC_2822,
  'd MMM yyyy HH:mm:ss xx',
  'd MMMM yyyy',
  'd MMMM yyyy HH:mm',
  'd MMMM yyyy HH:mm:ss',
  'MMMM d, yyyy',
  'MMMM d yyyy',
  'MMMM d, yyyy h:mm a',
  'EEE MMM d yyyy',
  'EEEE, MMMM d, yyyy',
  'EEEE, d MMMM yyyy',
  'yyyy/MM/dd',
  'yyyy/MM/dd HH:mm:ss',
]

const zoneOf = (args: Args, name = 'timezone', fallback = 'UTC') =>
  zoneName(text(args, name, { max: 64, fallback }))
const timeOf = (args: Args, name: string, zone: string, overlap: Overlap = 'earlier') =>
  parseInstant(text(args, name, { max: 100 }), zone, overlap)

function described(zoned: Zoned) {
  return {
    iso: isoText(zoned),
    date: formatWith('yyyy-MM-dd', zoned),
    time: formatWith('HH:mm:ss', zoned),
    weekday: WEEKDAYS[zoned.weekday],
    timezone: zoned.zone,
    utc_offset: offsetText(zoned.offsetMs),
    unix_seconds: Math.floor(zoned.epochMs / 1000),
    utc: isoText(inZone(zoned.epochMs, 'UTC')),
  }
}

const getCurrentTime = (args: Args, { now }: CodeToolContext) => described(inZone(now(), zoneOf(args)))

function convertTimezone(args: Args) {
  const from = zoneOf(args, 'from_timezone')
  return described(
    inZone(
      timeOf(args, 'time', from, choice(args, 'overlap', OVERLAPS, 'earlier')),
      zoneOf(args, 'to_timezone'),
    ),
  )
}

function addToDate(args: Args, { now }: CodeToolContext) {
  const zone = zoneOf(args)
  const start = inZone(args.date === undefined ? now() : timeOf(args, 'date', zone), zone)
  const amount = (name: keyof Duration) =>
    integer(args, name, { min: -AMOUNT_MAX, max: AMOUNT_MAX, fallback: 0 })
  const duration = {
    years: amount('years'),
    months: amount('months'),
    weeks: amount('weeks'),
    days: amount('days'),
    hours: amount('hours'),
    minutes: amount('minutes'),
    seconds: amount('seconds'),
  }
  return described(inZone(addDuration(start, zone, duration), zone))
}

function dateDifference(args: Args, { now }: CodeToolContext) {
  const zone = zoneOf(args)
  const start = inZone(timeOf(args, 'start', zone), zone)
  const end = inZone(args.end === undefined ? now() : timeOf(args, 'end', zone), zone)
  const milliseconds = end.epochMs - start.epochMs
  return {
    sign: Math.sign(milliseconds),
    total_seconds: milliseconds / 1000,
    total_minutes: milliseconds / 60_000,
    total_hours: milliseconds / 3_600_000,
    total_days: milliseconds / 86_400_000,
    ...calendarDifference(start, end, zone),
  }
}

function readLoosely(value: string) {
  const found = readInstant(value)
  if (found !== undefined) return found
  for (const pattern of KNOWN_PATTERNS) {
    try {
      return readWith(pattern, value)
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error
    }
  }
  throw new ToolFailure(
    `"${value.slice(0, 60)}" can be read in more than one way or is not a date; say how with \`pattern\`, e.g. dd/MM/yyyy`,
  )
}

function parseDate(args: Args) {
  const zone = zoneOf(args)
  const value = text(args, 'text', { max: 100 }).trim()
  const pattern = optionalText(args, 'pattern', 100)
  const reading = pattern === undefined ? readLoosely(value) : readWith(pattern, value)
  const shown =
    'wall' in reading && reading.offsetMs === undefined && reading.zone !== undefined
      ? zoneName(reading.zone)
      : zone
  return described(inZone(toEpoch(reading, zone, choice(args, 'overlap', OVERLAPS, 'earlier')), shown))
}

function formatDate(args: Args, { now }: CodeToolContext) {
  const zone = zoneOf(args)
  const zoned = inZone(args.time === undefined ? now() : timeOf(args, 'time', zone), zone)
  const pattern = optionalText(args, 'pattern', 100)
  if (pattern !== undefined) return { text: formatWith(pattern, zoned) }
  const style = choice(args, 'style', STYLES, 'iso')
  if (style === 'iso') return { text: isoText(zoned) }
  if (style === 'rfc2822') return { text: formatWith(RFC_2822, zoned) }
  if (style === 'unix') return { text: String(Math.floor(zoned.epochMs / 1000)) }
  const locale = text(args, 'locale', { max: 35, fallback: 'en-GB' })
  try {
    return {
      text: new Intl.DateTimeFormat(locale, { dateStyle: style, timeStyle: style, timeZone: zone }).format(
        zoned.epochMs,
      ),
    }
  } catch (error) {
    throw new ToolFailure(`"${locale}" is not a locale; write it as en-GB or de`, { cause: error })
  }
}

export const timeTools: Record<string, CodeTool> = {
  UTILITIES_GET_CURRENT_TIME: getCurrentTime,
  UTILITIES_CONVERT_TIMEZONE: convertTimezone,
  UTILITIES_ADD_TO_DATE: addToDate,
  UTILITIES_DATE_DIFFERENCE: dateDifference,
  UTILITIES_PARSE_DATE: parseDate,
  UTILITIES_FORMAT_DATE: formatDate,
}

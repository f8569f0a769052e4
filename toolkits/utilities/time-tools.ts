import { type CodeTool, type CodeToolContext, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, choice, integer, optionalText, text } from './args.ts'
import { addDuration, calendarDifference, type Duration } from './date-arithmetic.ts'
import type { DateTime } from 'luxon'
import { formatIso, formatOffset, formatWithPattern, parseWithPattern } from './date-patterns.ts'
import { inZone, type Overlap, parseInstant, parseIsoOrUnix, toEpoch, zoneName } from './date-times.ts'

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

function describeTime(time: DateTime) {
  return {
    iso: formatIso(time),
    date: formatWithPattern('yyyy-MM-dd', time),
    time: formatWithPattern('HH:mm:ss', time),
    weekday: formatWithPattern('EEEE', time),
    timezone: time.zoneName,
    utc_offset: formatOffset(time),
    unix_seconds: Math.floor(time.toMillis() / 1000),
    utc: formatIso(inZone(time.toMillis(), 'UTC')),
  }
}

const getCurrentTime = (args: Args, { now }: CodeToolContext) => describeTime(inZone(now(), zoneOf(args)))

function convertTimezone(args: Args) {
  const from = zoneOf(args, 'from_timezone')
  return describeTime(
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
  return describeTime(inZone(addDuration(start, duration), zone))
}

function dateDifference(args: Args, { now }: CodeToolContext) {
  const zone = zoneOf(args)
  const start = inZone(timeOf(args, 'start', zone), zone)
  const end = inZone(args.end === undefined ? now() : timeOf(args, 'end', zone), zone)
  const milliseconds = end.toMillis() - start.toMillis()
  return {
    sign: Math.sign(milliseconds),
    total_seconds: milliseconds / 1000,
    total_minutes: milliseconds / 60_000,
    total_hours: milliseconds / 3_600_000,
    total_days: milliseconds / 86_400_000,
    ...calendarDifference(start, end),
  }
}

function parseKnownForm(value: string) {
  const time = parseIsoOrUnix(value)
  if (time !== undefined) return time
  for (const pattern of KNOWN_PATTERNS) {
    try {
      return parseWithPattern(pattern, value)
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error
    }
  }
  throw new ToolFailure(
    `"${value.slice(0, 60)}" can be read in more than one way or is not a date; give its \`pattern\`, ` +
      'for example dd/MM/yyyy',
  )
}

function parseDate(args: Args) {
  const zone = zoneOf(args)
  const value = text(args, 'text', { max: 100 }).trim()
  const pattern = optionalText(args, 'pattern', 100)
  const reading = pattern === undefined ? parseKnownForm(value) : parseWithPattern(pattern, value)
  const displayZone =
    'local' in reading && reading.offsetMs === undefined && reading.zone !== undefined
      ? zoneName(reading.zone)
      : zone
  return describeTime(
    inZone(toEpoch(reading, zone, choice(args, 'overlap', OVERLAPS, 'earlier')), displayZone),
  )
}

function formatDate(args: Args, { now }: CodeToolContext) {
  const zone = zoneOf(args)
  const time = inZone(args.time === undefined ? now() : timeOf(args, 'time', zone), zone)
  const pattern = optionalText(args, 'pattern', 100)
  if (pattern !== undefined) return { text: formatWithPattern(pattern, time) }
  const style = choice(args, 'style', STYLES, 'iso')
  if (style === 'iso') return { text: formatIso(time) }
  if (style === 'rfc2822') return { text: formatWithPattern(RFC_2822, time) }
  if (style === 'unix') return { text: String(Math.floor(time.toMillis() / 1000)) }
  const locale = text(args, 'locale', { max: 35, fallback: 'en-GB' })
  try {
    return {
      text: new Intl.DateTimeFormat(locale, { dateStyle: style, timeStyle: style, timeZone: zone }).format(
        time.toMillis(),
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

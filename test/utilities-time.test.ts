import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run, NOW, refuses } from './fixtures/utilities.ts'

test('utilities: time: returns the time without any argument', async () => {
  assert.deepEqual(await run('GET_CURRENT_TIME'), {
    iso: '2026-11-21T12:30:15Z',
    date: '2026-11-21',
    time: '12:30:15',
    weekday: 'Saturday',
    timezone: 'UTC',
    utc_offset: '+00:00',
    unix_seconds: NOW / 1000,
    utc: '2026-11-21T12:30:15Z',
  })
})

test('utilities: time: knows zones and offsets, and rejects other values', async () => {
  assert.equal((await run('GET_CURRENT_TIME', { timezone: 'asia/kolkata' })).iso, '2026-11-21T18:00:15+05:30')
  assert.equal((await run('GET_CURRENT_TIME', { timezone: '-03:30' })).iso, '2026-11-21T09:00:15-03:30')
  assert.equal((await run('GET_CURRENT_TIME', { timezone: 'europe/berlin' })).timezone, 'Europe/Berlin')
  for (const timezone of ['Mars/Olympus', '', '../etc/passwd', 'x'.repeat(60)])
    await refuses('GET_CURRENT_TIME', { timezone }, /time zone/)
})

test('utilities: time: converts between zones', async () => {
  const convert = async (time: string, from_timezone: string, to_timezone: string, overlap?: string) =>
    (await run('CONVERT_TIMEZONE', { time, from_timezone, to_timezone, ...(overlap ? { overlap } : {}) })).iso
  assert.equal(
    await convert('2026-07-01T09:00', 'America/New_York', 'Europe/Berlin'),
    '2026-07-01T15:00:00+02:00',
  )
  assert.equal(
    await convert('2026-07-01T09:00:00Z', 'America/New_York', 'Asia/Kathmandu'),
    '2026-07-01T14:45:00+05:45',
  )
  assert.equal(
    await convert('2026-07-01T09:00[Asia/Tokyo]', 'America/New_York', 'UTC'),
    '2026-07-01T00:00:00Z',
  )
  assert.equal(await convert('1767225600', 'UTC', 'UTC'), '2026-01-01T00:00:00Z')
  assert.equal(await convert('1767225600123', 'UTC', 'UTC'), '2026-01-01T00:00:00.123Z')
})

test('utilities: time: moves a skipped time forward and takes the first of a repeated one', async () => {
  const utc = async (time: string, overlap?: string, zone = 'Europe/Berlin') =>
    (
      await run('CONVERT_TIMEZONE', {
        time,
        from_timezone: zone,
        to_timezone: 'UTC',
        ...(overlap ? { overlap } : {}),
      })
    ).iso
  assert.equal(await utc('2026-03-29T02:30'), '2026-03-29T01:30:00Z')
  assert.equal(await utc('2026-03-29T01:59:59'), '2026-03-29T00:59:59Z')
  assert.equal(await utc('2026-03-29T03:00'), '2026-03-29T01:00:00Z')
  assert.equal(await utc('2026-10-25T02:30'), '2026-10-25T00:30:00Z')
  assert.equal(await utc('2026-10-25T02:30', 'later'), '2026-10-25T01:30:00Z')
  assert.equal(await utc('2026-10-04T02:15', undefined, 'Australia/Lord_Howe'), '2026-10-03T15:45:00Z')
  // Samoa left out the whole of 30 December 2011.
  assert.equal(await utc('2011-12-30T12:00', undefined, 'Pacific/Apia'), '2011-12-30T22:00:00Z')
})

test('utilities: time: adds days by the calendar and hours exactly', async () => {
  const add = async (args: Record<string, unknown>) => (await run('ADD_TO_DATE', args)).iso
  assert.equal(await add({ date: '2026-01-31', months: 1 }), '2026-02-28T00:00:00Z')
  assert.equal(await add({ date: '2024-02-29', years: 1 }), '2025-02-28T00:00:00Z')
  assert.equal(await add({ date: '2026-03-31', months: -13 }), '2025-02-28T00:00:00Z')
  assert.equal(
    await add({ date: '2026-03-28T12:00', days: 1, timezone: 'Europe/Berlin' }),
    '2026-03-29T12:00:00+02:00',
  )
  assert.equal(
    await add({ date: '2026-03-28T12:00', hours: 24, timezone: 'Europe/Berlin' }),
    '2026-03-29T13:00:00+02:00',
  )
  assert.equal(
    await add({ date: '2026-10-25T01:30:00Z', timezone: 'Europe/Berlin', hours: 0 }),
    '2026-10-25T02:30:00+01:00',
  )
  assert.equal(await add({ days: -21 }), '2026-10-31T12:30:15Z')
  for (const years of [1e9, -1e9, 9000])
    await refuses('ADD_TO_DATE', { date: '2026-01-01', years }, /years 1 to 9999/)
})

test('utilities: time: counts the distance of two dates', async () => {
  const found = await run('DATE_DIFFERENCE', { start: '2026-01-31T10:00', end: '2026-03-01T09:00' })
  assert.deepEqual(found.calendar, { years: 0, months: 1, days: 0, hours: 23, minutes: 0, seconds: 0 })
  assert.equal(found.calendar_days, 29)
  assert.equal((await run('DATE_DIFFERENCE', { start: '2026-11-21', end: '2026-11-30' })).weekdays, 5)
  assert.equal((await run('DATE_DIFFERENCE', { start: '1969-12-01', end: '1970-01-01' })).weekdays, 23)
  const backwards = await run('DATE_DIFFERENCE', { start: '2026-03-02', end: '2024-02-29' })
  assert.equal(backwards.sign, -1)
  assert.deepEqual(backwards.calendar, { years: 2, months: 0, days: 2, hours: 0, minutes: 0, seconds: 0 })
  const overChange = await run('DATE_DIFFERENCE', {
    start: '2026-03-28T12:00',
    end: '2026-03-29T12:00',
    timezone: 'Europe/Berlin',
  })
  assert.equal(overChange.total_hours, 23)
  assert.equal(overChange.calendar.days, 1)
})

test('utilities: time: reads dates; without a format, only unambiguous ones', async () => {
  const parse = async (text: string, more = {}) => (await run('PARSE_DATE', { text, ...more })).iso
  assert.equal(await parse('Tue, 3 Mar 2026 10:52:37 +0200'), '2026-03-03T08:52:37Z')
  assert.equal(await parse('March 3, 2026'), '2026-03-03T00:00:00Z')
  assert.equal(await parse('3 march 2026', { timezone: 'Asia/Tokyo' }), '2026-03-03T00:00:00+09:00')
  assert.equal(await parse('31/01/2026', { pattern: 'dd/MM/yyyy' }), '2026-01-31T00:00:00Z')
  assert.equal(await parse('12:05 am, 1/2/26', { pattern: 'h:mm a, M/d/yy' }), '2026-01-02T00:05:00Z')
  await refuses('PARSE_DATE', { text: '01/02/2026' }, /more than one way/)
  for (const text of [
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-01-01T24:00',
    '0000-01-01',
    '2026-01-01T10:00+25:00',
  ])
    await refuses('PARSE_DATE', { text })
  await refuses('PARSE_DATE', { text: '31/13/2026', pattern: 'dd/MM/yyyy' }, /no such date/)
  await refuses('PARSE_DATE', { text: '2026 x', pattern: 'yyyy' }, /after the pattern/)
  await refuses('PARSE_DATE', { text: '2026', pattern: "yyyy'" }, /not closed/)
})

test('utilities: time: writes dates', async () => {
  const format = async (args: Record<string, unknown>) =>
    (await run('FORMAT_DATE', { time: '2026-01-05T14:03:09Z', ...args })).text
  assert.equal(
    await format({ pattern: "EEEE, d MMMM yyyy 'at' h:mm a", timezone: 'America/New_York' }),
    'Monday, 5 January 2026 at 9:03 AM',
  )
  assert.equal(await format({ style: 'rfc2822' }), 'Mon, 5 Jan 2026 14:03:09 +0000')
  assert.equal(await format({ style: 'unix' }), '1767621789')
  assert.match(await format({ style: 'long', locale: 'de-DE' }), /5\. Januar 2026/)
  await refuses('FORMAT_DATE', { pattern: 'yyyy foo' }, /foo/)
  await refuses('FORMAT_DATE', { style: 'long', locale: 'no_such_locale!' }, /locale/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolFailure } from '../src/catalog/code-tool.ts'
import { readBuiltInToolkit } from './fixtures/built-in-toolkits.ts'
import { tools } from '../toolkits/utilities/tools.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 30, 15)
const { tools: declared } = await readBuiltInToolkit('utilities')

async function run(name: string, args: Record<string, unknown> = {}): Promise<Record<string, any>> {
  const context = {
    now: () => NOW,
    signal: AbortSignal.timeout(20_000),
    request: () => assert.fail('a local tool must not use the network'),
    saveFile: () => assert.fail('no file is kept'),
  }
  return (await tools[`UTILITIES_${name}`]!(args, context)) as Record<string, any>
}

const refuses = (name: string, args: Record<string, unknown>, message?: RegExp) =>
  assert.rejects(
    run(name, args),
    (error) => error instanceof ToolFailure && (message === undefined || message.test(error.message)),
  )

async function quick(work: () => Promise<unknown>, milliseconds: number): Promise<void> {
  const start = performance.now()
  await work().catch((error) => assert.ok(error instanceof ToolFailure, String(error)))
  const elapsedMs = performance.now() - start
  assert.ok(elapsedMs < milliseconds, `took ${Math.round(elapsedMs)} ms`)
}

test('utilities: declaration: declares exactly the tools that exist', () => {
  assert.deepEqual(declared.map(({ slug }) => slug).toSorted(), Object.keys(tools).toSorted())
})

test('utilities: declaration: answers wrong types with a failure, never with a crash', async () => {
  for (const slug of Object.keys(tools)) {
    for (const value of [null, 7, [], {}, 'x'.repeat(3_000_000), Number.NaN]) {
      const names = [
        'text',
        'time',
        'start',
        'date',
        'expression',
        'csv',
        'rows',
        'timezone',
        'count',
        'value',
        'key',
        'length',
        'replacements',
        'days',
      ]
      await run(
        slug.slice('UTILITIES_'.length),
        Object.fromEntries(names.map((name) => [name, value])),
      ).catch((error) => assert.ok(error instanceof ToolFailure, `${slug} ${typeof value}: ${error}`))
    }
  }
})

test('utilities: time: tells the time without any argument', async () => {
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

test('utilities: hashes and encodings: hashes as the standards say', async () => {
  assert.equal(
    (await run('HASH_TEXT', { text: 'abc' })).digest,
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  assert.equal(
    (await run('HASH_TEXT', { text: 'abc', algorithm: 'md5' })).digest,
    '900150983cd24fb0d6963f7d28e17f72',
  )
  assert.equal(
    (await run('HASH_TEXT', { text: '616263', text_encoding: 'hex', algorithm: 'sha1', output: 'base64' }))
      .digest,
    'qZk+NkcGgWq6PiVxeFDCbJzQ2J0=',
  )
  // RFC 4231, test case 2.
  const hmac = await run('HMAC_TEXT', {
    key: 'Jefe',
    text: 'what do ya want for nothing?',
    expected: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  })
  assert.equal(hmac.matches, true)
  assert.equal((await run('HMAC_TEXT', { key: 'Jefe', text: 'x', expected: '00' })).matches, false)
  await refuses('HASH_TEXT', { text: 'abc', algorithm: 'whirlpool' })
  await refuses('HASH_TEXT', { text: 'xyz', text_encoding: 'hex' }, /not hex/)
})

test('utilities: hashes and encodings: encodes and decodes strictly', async () => {
  const text = 'Grüße & <b>"ж"</b> 🎉'
  for (const method of ['base64', 'base64url', 'hex', 'url', 'html']) {
    const { result } = await run('ENCODE_TEXT', { text, method })
    assert.equal((await run('DECODE_TEXT', { text: result, method })).result, text)
  }
  for (const [text, method] of [
    ['!!!', 'base64'],
    ['abcde', 'base64'],
    ['abc', 'hex'],
    ['%zz', 'url'],
    ['%ff', 'url'],
    ['gIA=', 'base64'],
  ])
    await refuses('DECODE_TEXT', { text, method })
  await refuses('ENCODE_TEXT', { text: '\ud800', method: 'url' })
  assert.equal(
    (await run('DECODE_TEXT', { text: '&lt;&#x41;&#0;&#xD800;&nosuch;', method: 'html' })).result,
    '<A&#0;&#xD800;&nosuch;',
  )
})

test('utilities: JSON and tables: queries JSON', async () => {
  const data = {
    people: [
      { name: 'Ada', age: 36 },
      { name: 'Bob', age: 17 },
    ],
  }
  assert.deepEqual((await run('QUERY_JSON', { data, expression: 'people[?age > `20`].name' })).result, [
    'Ada',
  ])
  assert.equal((await run('QUERY_JSON', { json_text: '[1,2,3]', expression: 'sum(@)' })).result, 6)
  assert.equal((await run('QUERY_JSON', { data, expression: 'nothing' })).result, null)
  await refuses('QUERY_JSON', { data, expression: 'people[' }, /could not be applied/)
  await refuses('QUERY_JSON', { json_text: '{', expression: '@' }, /not JSON/)
  await refuses('QUERY_JSON', { expression: '@' }, /either/)
})

test('utilities: JSON and tables: ends queries that grow without bound', async () => {
  await quick(() => run('QUERY_JSON', { data: {}, expression: Array(200).fill('[@,@][]').join('|') }), 4000)
  await quick(() => run('QUERY_JSON', { data: {}, expression: Array(300).fill('[@,@]').join('|') }), 4000)
  await quick(
    () => run('QUERY_JSON', { data: {}, expression: '('.repeat(1000) + '@' + ')'.repeat(999) }),
    4000,
  )
  await quick(
    () => run('QUERY_JSON', { json_text: '['.repeat(400_000) + ']'.repeat(400_000), expression: '@' }),
    4000,
  )
  assert.deepEqual((await run('QUERY_JSON', { data: { a: 1 }, expression: 'a' })).result, 1)
})

test('utilities: JSON and tables: answers many queries at once in turn', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => run('QUERY_JSON', { data: { n }, expression: 'n' })),
  )
  assert.deepEqual(
    answers.map(({ result }) => result),
    Array.from({ length: 12 }, (_, n) => n),
  )
})

test('utilities: JSON and tables: reads CSV', async () => {
  const csv = '\ufeffname,age,note,note\r\n"Smith, ""Al""",42,"two\nlines",\nEve,007,true,1e5\n\n'
  const { rows, columns } = await run('CSV_TO_JSON', { csv })
  assert.deepEqual(columns, ['name', 'age', 'note', 'note_2'])
  assert.deepEqual(rows, [
    { name: 'Smith, "Al"', age: 42, note: 'two\nlines', note_2: null },
    { name: 'Eve', age: '007', note: true, note_2: '1e5' },
  ])
  assert.deepEqual((await run('CSV_TO_JSON', { csv: 'a;b', delimiter: 'semicolon', header: false })).rows, [
    ['a', 'b'],
  ])
  assert.deepEqual((await run('CSV_TO_JSON', { csv: '' })).rows, [])
  await refuses('CSV_TO_JSON', { csv: 'a\n"b' }, /not closed/)
  await refuses('CSV_TO_JSON', { csv: 'a\n"b"c' }, /follows/)
  await refuses('CSV_TO_JSON', { csv: 'a\nb,c' }, /more cells/)
})

test('utilities: JSON and tables: keeps hostile column names as plain data', async () => {
  const { rows } = await run('CSV_TO_JSON', { csv: '__proto__,constructor\n1,2' })
  assert.deepEqual(Object.keys(rows[0]), ['__proto__', 'constructor'])
  assert.equal(({} as any)['1'], undefined)
  await quick(() => run('CSV_TO_JSON', { csv: `a\n${'"'.repeat(400_001)}` }), 2000)
  await quick(() => run('CSV_TO_JSON', { csv: ','.repeat(500_000) }), 2000)
})

test('utilities: JSON and tables: writes CSV that reads back', async () => {
  const rows = [
    { a: 'x, "y"', b: 1 },
    { b: null, c: ' z ' },
  ]
  const { csv } = await run('JSON_TO_CSV', { rows })
  assert.equal(csv, 'a,b,c\r\n"x, ""y""",1,\r\n,," z "')
  assert.equal(
    (await run('JSON_TO_CSV', { rows: [{ f: '=cmd()', n: -1 }], guard_formulas: true })).csv,
    "f,n\r\n'=cmd(),-1",
  )
  assert.equal((await run('JSON_TO_CSV', { json_text: '[[1,2],[3,4]]' })).csv, '1,2\r\n3,4')
  await refuses('JSON_TO_CSV', { rows: [1] }, /object or a list/)
})

test('utilities: text: counts', async () => {
  const found = await run('TEXT_STATISTICS', { text: 'Hello world. Hello again!\n\nNew paragraph 🎉' })
  assert.deepEqual(
    [found.words, found.unique_words, found.sentences, found.lines, found.paragraphs],
    [6, 5, 3, 3, 2],
  )
  assert.deepEqual(found.top_words[0], { word: 'hello', count: 2 })
  assert.equal((await run('TEXT_STATISTICS', { text: '' })).lines, 0)
})

test('utilities: text: replaces plain text', async () => {
  const replace = (text: string, find: string, replacement: string, more = {}) =>
    run('REPLACE_TEXT', { text, replacements: [{ find, replace: replacement }], ...more })
  assert.deepEqual(await replace('a.b.c', '.', '$&'), { result: 'a$&b$&c', count: 2 })
  assert.deepEqual(await replace('Cat cat concat', 'cat', 'dog', { ignore_case: true, whole_words: true }), {
    result: 'dog dog concat',
    count: 2,
  })
  assert.deepEqual(await replace('İstanbul istanbul', 'ISTANBUL', 'x', { ignore_case: true }), {
    result: 'İstanbul x',
    count: 1,
  })
  assert.deepEqual(await replace('aaaa', 'aa', 'a'), { result: 'aa', count: 2 })
  await refuses('REPLACE_TEXT', { text: 'x', replacements: [{ find: '' }] }, /empty/)
  await refuses(
    'REPLACE_TEXT',
    { text: 'a'.repeat(100_000), replacements: [{ find: 'a', replace: 'b'.repeat(10_000) }] },
    /longer/,
  )
})

test('utilities: text: extracts', async () => {
  const text =
    'Mail a.b+c@example.co.uk, see (https://x.org/a_(b)?q=1). At 2026-02-03T10:00Z from 10.0.0.1 or ' +
    '::1; 1,234.5 -7 "said" #tag @me 300.1.1.1 1.2.3'
  const extract = async (kind: string) => (await run('EXTRACT_FROM_TEXT', { text, kind })).matches
  assert.deepEqual(await extract('emails'), ['a.b+c@example.co.uk'])
  assert.deepEqual(await extract('urls'), ['https://x.org/a_(b)?q=1'])
  assert.deepEqual(await extract('dates'), ['2026-02-03T10:00Z'])
  assert.deepEqual(await extract('ip_addresses'), ['10.0.0.1', '::1'])
  assert.deepEqual(await extract('quoted_text'), ['said'])
  assert.deepEqual(await extract('hashtags'), ['#tag'])
  assert.deepEqual(await extract('mentions'), ['@me'])
  const numbers = (
    await run('EXTRACT_FROM_TEXT', { text: '1,234.5 and -7, 1,2,3 x9 2.5e3 v1.2.3', kind: 'numbers' })
  ).matches
  assert.deepEqual(numbers, ['1,234.5', '-7', '1', '2', '3', '2.5e3'])
})

test('utilities: text: takes no long time on hostile text', async () => {
  const hostile = [
    'a'.repeat(200_000),
    'a@'.repeat(100_000),
    'a.'.repeat(100_000),
    '1'.repeat(200_000),
    '1,111'.repeat(40_000),
    ':'.repeat(200_000),
    '"'.repeat(199_999),
    `https://${')'.repeat(199_000)}`,
    `https://x/${'()'.repeat(90_000)}`,
    ' '.repeat(200_000),
    '. '.repeat(100_000),
    'aB'.repeat(100_000),
    '“'.repeat(200_000),
    '„'.repeat(200_000),
    '«'.repeat(200_000),
    '@a.'.repeat(66_000),
    `a@${'a-'.repeat(99_000)}`,
    '-'.repeat(200_000),
    '&#'.repeat(100_000),
    '\n'.repeat(200_000),
    '\u0301'.repeat(200_000),
    'https://'.repeat(25_000),
    '1.1'.repeat(66_000),
  ]
  const kinds = [
    'emails',
    'urls',
    'numbers',
    'dates',
    'ip_addresses',
    'hashtags',
    'mentions',
    'uuids',
    'quoted_text',
  ]
  for (const text of hostile) {
    for (const kind of kinds) await quick(() => run('EXTRACT_FROM_TEXT', { text, kind }), 1000)
    for (const to of ['title', 'sentence', 'camel', 'snake'])
      await quick(() => run('CONVERT_CASE', { text, to }), 1000)
    await quick(() => run('TEXT_STATISTICS', { text }), 2500)
    await quick(() => run('SORT_LINES', { text, unique: true, compare: 'natural' }), 1500)
    await quick(() => run('SLUGIFY_TEXT', { text: text.slice(0, 10_000) }), 500)
    await quick(
      () =>
        run('REPLACE_TEXT', {
          text,
          replacements: [{ find: 'aa', replace: 'b' }],
          ignore_case: true,
          whole_words: true,
        }),
      1500,
    )
    await quick(() => run('DECODE_TEXT', { text, method: 'html' }), 500)
    await quick(() => run('PARSE_DATE', { text: text.slice(0, 100) }), 100)
  }
})

test('utilities: text: changes case and makes slugs', async () => {
  const cases: Record<string, string> = {
    camel: 'parseHttpRequestNow',
    pascal: 'ParseHttpRequestNow',
    snake: 'parse_http_request_now',
    kebab: 'parse-http-request-now',
    constant: 'PARSE_HTTP_REQUEST_NOW',
  }
  for (const [to, result] of Object.entries(cases))
    assert.equal((await run('CONVERT_CASE', { text: 'parseHTTPRequest-now', to })).result, result)
  assert.equal((await run('CONVERT_CASE', { text: "o'neil's ÉCOLE", to: 'title' })).result, "O'neil's École")
  assert.equal(
    (await run('CONVERT_CASE', { text: 'HELLO. how are you?  FINE', to: 'sentence' })).result,
    'Hello. How are you?  Fine',
  )
  assert.equal(
    (await run('SLUGIFY_TEXT', { text: "  Ærø's Straße — Café №5!  " })).slug,
    'aeros-strasse-cafe-no5',
  )
  assert.equal(
    (await run('SLUGIFY_TEXT', { text: 'one two three', max_length: 8, separator: '_' })).slug,
    'one_two',
  )
  assert.equal((await run('SLUGIFY_TEXT', { text: '日本' })).slug, '')
})

test('utilities: text: sorts lines', async () => {
  const sort = async (text: string, more = {}) => (await run('SORT_LINES', { text, ...more })).result
  assert.equal(await sort('b\r\na\n\nb', { unique: true }), 'a\nb')
  assert.equal(await sort('file10\nfile2', { compare: 'natural' }), 'file2\nfile10')
  assert.equal(await sort('10 x\n9 y\nz', { compare: 'number', order: 'descending' }), 'z\n10 x\n9 y')
  assert.equal(await sort('B\nb\na', { unique: true, ignore_case: true, order: 'none' }), 'B\na')
})

test('utilities: numbers: calculates', async () => {
  const cases: [string, number][] = [
    ['1 + 2 * 3', 7],
    ['(1+2)*3', 9],
    ['-2^2', -4],
    ['2^3^2', 512],
    ['2^-1', 0.5],
    ['0.1+0.2', 0.3],
    ['10 % 4', 2],
    ['round(1.005, 2)', 1.01],
    ['round(-2.5)', -3],
    ['max(1, sum(2,3), 4)', 5],
    ['avg(1,2)', 1.5],
    ['ln(e)', 1],
    ['--3', 3],
    ['1e3 + .5', 1000.5],
    ['9007199254740991', 9007199254740991],
    ['PI', 3.14159265358979],
  ]
  for (const [expression, result] of cases)
    assert.equal((await run('CALCULATE', { expression })).result, result, expression)
})

test('utilities: numbers: rejects what is not arithmetic', async () => {
  const hostile = [
    '',
    '1/0',
    '1 % 0',
    'sqrt(-1)',
    '9^9^9^9',
    '1 2',
    '2(3)',
    '1,2',
    'round()',
    'constructor',
    '__proto__',
    'process.exit()',
    'toString()',
    'x=1',
    '1;2',
    '"a"',
    '1+',
    '(1',
    '1)',
    'round(1, 99)',
    'abs',
    '`1`',
    '0x10',
    'min',
    'max()',
  ]
  for (const expression of hostile) await refuses('CALCULATE', { expression })
  await refuses('CALCULATE', { expression: '('.repeat(500) + '1' + ')'.repeat(499) }, /deep/)
  await refuses('CALCULATE', { expression: `${'-'.repeat(900)}1` }, /deep/)
  await quick(() => run('CALCULATE', { expression: '2^'.repeat(499) + '2' }), 100)
})

test('utilities: numbers: converts units', async () => {
  const convert = async (value: number, from: string, to: string) =>
    (await run('CONVERT_UNITS', { value, from, to })).result
  assert.equal(await convert(1, 'mi', 'km'), 1.609344)
  assert.equal(await convert(100, 'C', 'F'), 212)
  assert.equal(await convert(-40, 'F', 'C'), -40)
  assert.equal(await convert(1, 'GiB', 'MB'), 1073.741824)
  assert.equal(await convert(36, 'km/h', 'm/s'), 10)
  assert.equal(await convert(180, 'deg', 'rad'), 3.14159265358979)
  await refuses('CONVERT_UNITS', { value: 1, from: 'kg', to: 'm' }, /different/)
  await refuses('CONVERT_UNITS', { value: 1, from: 'constructor', to: '__proto__' }, /not a known unit/)
  await refuses('CONVERT_UNITS', { value: -1, from: 'K', to: 'C' }, /absolute zero/)
})

test('utilities: numbers: draws random values within their bounds', async () => {
  const { uuids } = await run('GENERATE_UUIDS', { count: 50 })
  assert.equal(new Set(uuids).size, 50)
  for (const uuid of uuids)
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const { uuid } = await run('GENERATE_UUIDS', { version: '7' })
  assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16), NOW)
  const { numbers } = await run('RANDOM_NUMBERS', { min: -3, max: 3, count: 7, unique: true })
  assert.deepEqual(
    numbers.toSorted((a: number, b: number) => a - b),
    [-3, -2, -1, 0, 1, 2, 3],
  )
  for (const number of (await run('RANDOM_NUMBERS', { integers: false, count: 100 })).numbers)
    assert.ok(number >= 0 && number <= 1)
  await refuses('RANDOM_NUMBERS', { min: 1, max: 3, count: 4, unique: true }, /not that many/)
  await refuses('RANDOM_NUMBERS', { min: 5, max: 1 })
  await refuses('RANDOM_NUMBERS', { min: -1e14, max: 1e15 })
  assert.match((await run('RANDOM_TEXT', { length: 40, alphabet: 'hex' })).text, /^[0-9a-f]{40}$/)
})

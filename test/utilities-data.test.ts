import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run, refuses, quick, NOW } from './fixtures/utilities.ts'

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

test('utilities: JSON and tables: runs many queries at once in turn', async () => {
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run, refuses, quick } from './fixtures/utilities.ts'

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

test('utilities: text: hostile text takes no long time', async () => {
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsSoon } from '#fixtures/ends-within.ts'
import { ToolFailure } from '../src/catalog/code-tool.ts'
import { parseMailbox, parseMailboxes } from '../toolkits/gmail/addresses.ts'
import { type OutgoingMessage, buildMessage, encodedWords, messageIds } from '../toolkits/gmail/mime.ts'
import { decodeHeader } from '../toolkits/gmail/read.ts'

const to = [{ name: '', address: 'ada@example.com' }]

const build = (message: Partial<OutgoingMessage>) =>
  buildMessage({ to, subject: 'Hi', text: 'x', ...message }, '=_b')
const decoded = (part: string) => Buffer.from(part.replaceAll('\r\n', ''), 'base64').toString('utf8')

test('gmail: building messages: writes a plain message', () => {
  assert.equal(
    build({ text: 'Hello\nWörld' }),
    [
      'To: ada@example.com',
      'Subject: Hi',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset="UTF-8"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('Hello\r\nWörld').toString('base64'),
    ].join('\r\n'),
  )
})

test('gmail: building messages: writes text and HTML as alternatives, in Base64 lines of 76', () => {
  const source = build({ text: 'é'.repeat(200), html: '<p>--=_b--</p>' })
  const [, plain, html, end] = source.split('--=_b')
  assert.equal(decoded(plain!.split('\r\n\r\n')[1]!), 'é'.repeat(200))
  assert.equal(decoded(html!.split('\r\n\r\n')[1]!), '<p>--=_b--</p>')
  assert.equal(end, '--\r\n')
  assert.ok(source.split('\r\n').every((line) => line.length <= 76))
  assert.doesNotMatch(source, /[^\r]\n|\r[^\n]/)
})

test('gmail: building messages: encodes subjects that are not ASCII, in words of at most 75 characters', () => {
  for (const subject of [
    'Grüße',
    '日本語の件名'.repeat(30),
    '🎉'.repeat(100),
    'x'.repeat(500),
    '=?UTF-8?B?aGk=?=',
    'lone \ud800 half',
  ]) {
    const source = build({ subject })
    const header = /Subject: ((?:.|\r\n )*)\r\nMIME/.exec(source)![1]!
    for (const word of header.split('\r\n ')) assert.match(word, /^=\?UTF-8\?B\?[A-Za-z0-9+/]+=*\?=$/)
    for (const word of header.split('\r\n ')) assert.ok(word.length <= 75)
    assert.equal(decodeHeader(header), subject.toWellFormed())
  }
  assert.match(
    build({ subject: 'Plain text, as it is: 100% "ok"' }),
    /\r\nSubject: Plain text, as it is: 100% "ok"\r\n/,
  )
  assert.equal(encodedWords('a').length, '=?UTF-8?B?YQ==?='.length)
})

test('gmail: building messages: writes names, several recipients and copies', () => {
  const source = build({
    to: [
      parseMailbox('Lovelace, Ada <ada@example.com>'.replace(/^(.*) </, '"$1" <')),
      parseMailbox('bob@example.com'),
    ],
    cc: [parseMailbox('Zoë Ünal <z@example.com>')],
    bcc: [parseMailbox('"He said \\"hi\\"" <q@example.com>')],
    from: parseMailbox('me@example.com'),
    replyTo: [parseMailbox('r@example.com')],
  })
  assert.match(
    source,
    /^From: me@example\.com\r\nTo: "Lovelace, Ada" <ada@example\.com>,\r\n bob@example\.com\r\nCc: =\?UTF-8\?B\?[^?]+\?= <z@example\.com>\r\nBcc: "He said \\"hi\\"" <q@example\.com>\r\nReply-To: r@example\.com\r\n/,
  )
})

test('gmail: building messages: lets no value begin another header', () => {
  for (const end of ['\r\n', '\n', '\r', '\u0000', '\u0085', '\u2028', '\u000b']) {
    const hostile = `x${end}Bcc: eve@example.com`
    assert.throws(() => build({ subject: hostile }), ToolFailure)
    assert.throws(() => build({ to: [{ name: hostile, address: 'a@example.com' }] }), ToolFailure)
    assert.throws(
      () => build({ to: [{ name: '', address: `a@example.com${end}Bcc: eve@example.com` }] }),
      ToolFailure,
    )
    assert.throws(() => build({ inReplyTo: `<a@b>${end}Bcc: eve@example.com` }), ToolFailure)
    assert.throws(() => build({ references: [`<a${end}b@c>`] }), ToolFailure)
    assert.throws(() => parseMailbox(`${hostile} <a@example.com>`), ToolFailure)
    assert.throws(() => parseMailbox(`a@example.com${end}`), ToolFailure)
  }
  const body = build({ text: 'a\r\n.\r\nBcc: eve@example.com\r\n\r\n--=_b' })
  assert.doesNotMatch(body, /eve/)
})

test('gmail: building messages: keeps references sound and few', () => {
  assert.deepEqual(messageIds('<a@b> junk <c d@e>\r\n\t<f@g>\r\nBcc: x <h@i>'), ['<a@b>', '<f@g>', '<h@i>'])
  const references = Array.from({ length: 200 }, (_, n) => `<${n}@x>`)
  const lines = build({ references, inReplyTo: '<199@x>' }).match(/<\d+@x>/g)!
  assert.equal(lines.length, 51)
  assert.deepEqual([lines[1], lines.at(-1)], ['<0@x>', '<199@x>'])
})

test('gmail: addresses: takes one address, with or without a name', () => {
  assert.deepEqual(parseMailbox(' ada@example.com '), { name: '', address: 'ada@example.com' })
  assert.deepEqual(parseMailbox('Ada <ada+x@sub.example.com>'), {
    name: 'Ada',
    address: 'ada+x@sub.example.com',
  })
  assert.equal(parseMailbox('a@bücher.example').address, 'a@xn--bcher-kva.example')
  for (const bad of [
    '',
    'ada',
    '@x.org',
    'a@',
    'a b@x.org',
    'a@x.org, b@x.org',
    'a@x..org',
    'a@-x.org',
    '<a@x.org',
    'a@x.org>b',
    '.a@x.org',
    'jörg@x.org',
    `${'a'.repeat(65)}@x.org`,
    `a@${'b'.repeat(300)}.org`,
    'a@x.org <b@x.org> c@x.org',
    'A <a@x.org> <b@x.org>',
    '"a b"@x.org',
    'a@[127.0.0.1]',
  ]) {
    assert.throws(() => parseMailbox(bad), ToolFailure, bad)
  }
})

test('gmail: addresses: reads the lists of received headers', () => {
  assert.deepEqual(
    parseMailboxes('"Doe, \\"J\\"" <j@x.org>, Team: a@x.org (a, comment), b@x.org;, broken@, <c@x.org>').map(
      ({ name, address }) => `${name}|${address}`,
    ),
    ['Doe, "J"|j@x.org', '|a@x.org', '|b@x.org', '|c@x.org'],
  )
  for (const hostile of [
    '('.repeat(100_000),
    '"'.repeat(99_999),
    '<'.repeat(100_000),
    ','.repeat(100_000),
    'a@b,'.repeat(25_000),
    '\\'.repeat(100_000),
  ]) {
    endsSoon(`many of ${hostile.slice(0, 5)}`, () => parseMailboxes(hostile))
  }
})

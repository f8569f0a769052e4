import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolFailure } from '../src/catalog/code-tool.ts'
import { readBuiltInToolkit } from './fixtures/built-in-toolkits.ts'
import { parseMailbox, parseMailboxes } from '../toolkits/gmail/addresses.ts'
import { htmlToText } from '../toolkits/gmail/html-text.ts'
import { buildMessage, encodedWords, messageIds, type OutgoingMessage } from '../toolkits/gmail/mime.ts'
import { decodeHeader, type GmailMessage, readable } from '../toolkits/gmail/read.ts'
import { tools } from '../toolkits/gmail/tools.ts'

const to = [{ name: '', address: 'ada@example.com' }]
const build = (message: Partial<OutgoingMessage>) =>
  buildMessage({ to, subject: 'Hi', text: 'x', ...message }, '=_b')
const decoded = (part: string) => Buffer.from(part.replaceAll('\r\n', ''), 'base64').toString('utf8')

interface Call {
  method: string
  path: string
  query?: Record<string, unknown>
  body?: any
}

/** Runs a tool against answers by path and returns what it sent. */
async function run(slug: string, args: Record<string, unknown>, answers: Record<string, unknown> = {}) {
  const calls: Call[] = []
  const result = (await tools[slug]!(args, {
    request: async (call) => {
      calls.push(call as Call)
      return answers[call.path.replace('/gmail/v1/users/me', '')] ?? { id: 'm1', threadId: 't1' }
    },
    now: () => 0,
    signal: AbortSignal.timeout(5000),
    saveFile: async ({ name, type = '' }) => ({ name, mimetype: type, s3url: 'https://files.example/1' }),
  })) as Record<string, any>
  const raw = calls.at(-1)?.body?.raw ?? calls.at(-1)?.body?.message?.raw
  return { result, calls, source: raw === undefined ? '' : Buffer.from(raw, 'base64url').toString('utf8') }
}

const refuses = (slug: string, args: Record<string, unknown>, answers = {}) =>
  assert.rejects(run(slug, args, answers), ToolFailure)

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
    const start = performance.now()
    parseMailboxes(hostile)
    assert.ok(performance.now() - start < 1000)
  }
})

const part = (mimeType: string, text: string | Buffer, more = {}) => ({
  mimeType,
  filename: '',
  body: { size: 1, data: Buffer.from(text as string).toString('base64url') },
  ...more,
})
const message = (payload: object): GmailMessage => ({
  id: 'm1',
  threadId: 't1',
  labelIds: ['INBOX', 'UNREAD'],
  snippet: 'Tom &amp; Jerry',
  internalDate: '1767225600000',
  payload,
})

test('gmail: reading messages: prefers plain text and names attachments', () => {
  const found = readable(
    message({
      mimeType: 'multipart/mixed',
      headers: [
        { name: 'subject', value: '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?= =?UTF-8?B?IQ==?=' },
        { name: 'From', value: 'Ada <ada@example.com>' },
      ],
      parts: [
        {
          mimeType: 'multipart/alternative',
          parts: [part('text/plain', 'Hällo\r\nyou'), part('text/html', '<b>no</b>')],
        },
        { mimeType: 'application/pdf', filename: 'a.pdf', body: { size: 9, attachmentId: 'att1' } },
        part('text/plain', 'attached', { filename: 'n.txt' }),
      ],
    }),
    100,
  )
  assert.equal(found.subject, 'Grüße!')
  assert.equal(found.text, 'Hällo\nyou')
  assert.equal(found.snippet, 'Tom & Jerry')
  assert.equal(found.date, '2026-01-01T00:00:00.000Z')
  assert.ok(found.unread)
  assert.deepEqual(
    found.attachments.map(({ filename, attachment_id }) => [filename, attachment_id]),
    [
      ['a.pdf', 'att1'],
      ['n.txt', null],
    ],
  )
})

test('gmail: reading messages: makes text of HTML, reads other charsets and cuts', () => {
  const html = readable(
    message(
      part('text/html', '<style>x{}</style><p>One &lt;1&gt;</p><p>Two<br>Three</p><script>alert(1)</script>'),
    ),
    100,
  )
  assert.equal(html.text, 'One <1>\n\nTwo\nThree')
  const latin = part('text/plain', Buffer.from('caf\xe9', 'latin1'), {
    headers: [{ name: 'Content-Type', value: 'text/plain; charset=iso-8859-1' }],
  })
  assert.equal(readable(message(latin), 100).text, 'café')
  assert.equal(
    readable(
      message({ ...latin, headers: [{ name: 'Content-Type', value: 'text/plain; charset=no-such' }] }),
      100,
    ).text,
    'café',
  )
  const cut = readable(message(part('text/plain', '🎉🎉')), 3)
  assert.deepEqual([cut.truncated, cut.text.isWellFormed()], [true, true])
  assert.deepEqual(readable({}, 10).text, '')
})

test('gmail: reading messages: survives hostile messages', () => {
  let deep: object = part('text/plain', 'x')
  for (let depth = 0; depth < 20_000; depth++) deep = { mimeType: 'multipart/mixed', parts: [deep] }
  const start = performance.now()
  readable(message(deep), 10)
  for (const html of [
    '<'.repeat(300_000),
    '<script>'.repeat(50_000),
    '<!--'.repeat(100_000),
    '<a '.repeat(100_000),
    '&#'.repeat(200_000),
    '<p>'.repeat(100_000),
    'İ<STYLE>'.repeat(50_000),
    ' \n'.repeat(150_000),
    '</'.repeat(200_000),
    '<style></style>'.repeat(20_000),
  ])
    htmlToText(html)
  for (const value of [
    '=?'.repeat(100_000),
    '=?UTF-8?Q?'.repeat(50_000),
    '?= '.repeat(100_000),
    '?=' + ' '.repeat(200_000),
  ])
    decodeHeader(value)
  const elapsedMs = performance.now() - start
  assert.ok(elapsedMs < 3000, `took ${Math.round(elapsedMs)} ms`)
  assert.equal(decodeHeader('=?x-unknown?B?aGk=?= =?UTF-8?Q?=ZZ?='), 'hi=ZZ')
})

test('gmail: tools: has code for exactly the tools that say so', async () => {
  const { tools: declared } = await readBuiltInToolkit('gmail')
  assert.deepEqual(
    declared
      .filter((tool) => tool.run === 'code')
      .map(({ slug }) => slug)
      .toSorted(),
    Object.keys(tools).toSorted(),
  )
})

test('gmail: tools: sends', async () => {
  const { calls, source, result } = await run('GMAIL_SEND_EMAIL', {
    to: ['Ada <ada@example.com>'],
    bcc: ['b@example.com'],
    subject: 'Hi',
    body: 'x',
  })
  assert.deepEqual(
    [calls[0]!.method, calls[0]!.path, result.id],
    ['POST', '/gmail/v1/users/me/messages/send', 'm1'],
  )
  assert.match(source, /^To: "Ada" <ada@example\.com>\r\nBcc: b@example\.com\r\nSubject: Hi\r\n/)
  await refuses('GMAIL_SEND_EMAIL', { to: [], subject: 'x', body: 'x' })
  await refuses('GMAIL_SEND_EMAIL', { to: ['a@example.com'], subject: 'x' })
  await refuses('GMAIL_SEND_EMAIL', {
    to: ['a@example.com\r\nBcc: e@example.com'],
    subject: 'x',
    body: 'x',
  })
  await refuses('GMAIL_SEND_EMAIL', { to: 'a@example.com', subject: 'x', body: 'x' })
  await refuses('GMAIL_SEND_EMAIL', { to: Array(501).fill('a@example.com'), subject: 'x', body: 'x' })
})

const thread = (headers: Record<string, string>, labelIds = ['INBOX']) => ({
  messages: [
    {
      id: 'm0',
      labelIds,
      payload: { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) },
    },
    { id: 'm9', labelIds: ['DRAFT'], payload: { headers: [{ name: 'From', value: 'draft@example.com' }] } },
  ],
})
const received = {
  From: 'Bob <bob@example.com>',
  To: 'me@example.com, carol@example.com',
  Cc: 'dan@example.com, BOB@example.com',
  Subject: 'Plan',
  'Message-ID': '<2@x>',
  References: '<1@x>',
}

test('gmail: tools: replies to the sender within the thread', async () => {
  const { calls, source, result } = await run(
    'GMAIL_REPLY_TO_THREAD',
    { thread_id: 't1', body: 'ok' },
    { '/threads/t1': thread(received) },
  )
  assert.match(
    source,
    /^To: "Bob" <bob@example\.com>\r\nSubject: Re: Plan\r\nIn-Reply-To: <2@x>\r\nReferences: <1@x>\r\n <2@x>\r\n/,
  )
  assert.equal(calls.at(-1)!.body.threadId, 't1')
  assert.deepEqual([result.to, result.cc], [['bob@example.com'], []])
})

test('gmail: tools: replies to all but the account itself, and to Reply-To', async () => {
  const answers = {
    '/threads/t1': thread({ ...received, 'Reply-To': 'list@example.com', Subject: 'RE: Plan' }),
    '/profile': { emailAddress: 'Me@example.com' },
  }
  const { result, source } = await run(
    'GMAIL_REPLY_TO_THREAD',
    { thread_id: 't1', body: 'ok', reply_all: true },
    answers,
  )
  assert.deepEqual(
    [result.to, result.cc],
    [['list@example.com'], ['carol@example.com', 'dan@example.com', 'BOB@example.com']],
  )
  assert.match(source, /Subject: RE: Plan\r\n/)
  const own = await run(
    'GMAIL_REPLY_TO_THREAD',
    { thread_id: 't1', body: 'ok' },
    { '/threads/t1': thread(received, ['SENT']) },
  )
  assert.deepEqual(own.result.to, ['me@example.com', 'carol@example.com'])
})

test('gmail: tools: takes nothing harmful out of the message it answers', async () => {
  const hostile = {
    From: '"x\r\nBcc: eve@example.com" <bob@example.com>',
    Subject: 'a\r\nBcc: eve@example.com',
    'Message-ID': '<2@x>\r\nBcc: eve@example.com',
    References: 'Bcc: <eve@example.com\r\n>',
  }
  const { source } = await run(
    'GMAIL_REPLY_TO_THREAD',
    { thread_id: 't1', body: 'ok' },
    { '/threads/t1': thread(hostile) },
  )
  assert.doesNotMatch(source, /^Bcc:/im)
  const encoded = {
    ...hostile,
    Subject: '=?UTF-8?B?YQ0KQmNjOiBldmVAZXhhbXBsZS5jb20=?=',
    From: '=?UTF-8?B?YQ0KQmNjOiBldmVAZXhhbXBsZS5jb20=?= <bob@example.com>',
  }
  assert.doesNotMatch(
    (await run('GMAIL_REPLY_TO_THREAD', { thread_id: 't1', body: 'ok' }, { '/threads/t1': thread(encoded) }))
      .source,
    /^Bcc:/im,
  )
  await refuses('GMAIL_REPLY_TO_THREAD', { thread_id: 't1', body: 'ok' }, { '/threads/t1': { messages: [] } })
  for (const thread_id of ['../messages/send', '', 't1?x', 7])
    await refuses('GMAIL_REPLY_TO_THREAD', { thread_id, body: 'ok' })
})

test('gmail: tools: saves drafts, also as answers', async () => {
  const draft = await run('GMAIL_CREATE_DRAFT', { subject: 'Later', html_body: '<p>x</p>' })
  assert.match(draft.source, /^Subject: Later\r\nMIME-Version: 1\.0\r\nContent-Type: text\/html/)
  const answer = await run(
    'GMAIL_CREATE_DRAFT',
    { thread_id: 't1', to: ['bob@example.com'], body: 'x' },
    { '/threads/t1': thread(received) },
  )
  assert.match(answer.source, /Subject: Re: Plan\r\nIn-Reply-To: <2@x>/)
  assert.equal(answer.calls.at(-1)!.body.message.threadId, 't1')
})

test('gmail: tools: fetches summaries in the order of the list', async () => {
  const answers = Object.fromEntries(
    Array.from({ length: 7 }, (_, n) => [
      `/messages/m${n}`,
      { id: `m${n}`, payload: { headers: [{ name: 'Subject', value: `S${n}` }] } },
    ]),
  )
  const list = { messages: Array.from({ length: 7 }, (_, n) => ({ id: `m${n}` })), nextPageToken: 'next' }
  const { result, calls } = await run(
    'GMAIL_FETCH_EMAILS',
    { query: 'is:unread', max_results: 7 },
    { ...answers, '/messages': list },
  )
  assert.deepEqual(
    result.messages.map(({ subject }: { subject: string }) => subject),
    ['S0', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6'],
  )
  assert.deepEqual([calls[0]!.query, result.next_page_token], [{ q: 'is:unread', maxResults: 7 }, 'next'])
  assert.deepEqual(
    (await run('GMAIL_FETCH_EMAILS', {}, { '/messages': { resultSizeEstimate: 0 } })).result.messages,
    [],
  )
})

test('gmail: tools: reads messages and threads', async () => {
  const one = {
    id: 'm1',
    payload: { mimeType: 'text/plain', body: { data: Buffer.from('hello').toString('base64url') } },
  }
  assert.equal(
    (await run('GMAIL_READ_MESSAGE', { message_id: 'm1' }, { '/messages/m1': one })).result.text,
    'hello',
  )
  const { result } = await run(
    'GMAIL_GET_THREAD',
    { thread_id: 't1', max_messages: 2 },
    { '/threads/t1': { id: 't1', messages: [one, one, one] } },
  )
  assert.deepEqual([result.message_count, result.messages.length], [3, 2])
})

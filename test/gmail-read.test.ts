import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureProcessorTime } from './fixtures/processor-time.ts'
import { htmlToText } from '../toolkits/gmail/html-text.ts'
import { type GmailMessage, readable, decodeHeader } from '../toolkits/gmail/read.ts'

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

test('gmail: reading messages: survives hostile messages', async () => {
  let deep: object = part('text/plain', 'x')
  for (let depth = 0; depth < 20_000; depth++) deep = { mimeType: 'multipart/mixed', parts: [deep] }
  const processorTime = await measureProcessorTime(() => {
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
  })
  assert.ok(processorTime < 200, `took ${Math.round(processorTime)} units`)
  assert.equal(decodeHeader('=?x-unknown?B?aGk=?= =?UTF-8?Q?=ZZ?='), 'hi=ZZ')
})

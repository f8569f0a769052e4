import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolFailure } from '../src/catalog/code-tool.ts'
import { readBuiltInToolkit } from './fixtures/built-in-toolkits.ts'
import { tools } from '../toolkits/gmail/tools.ts'

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
    upload: () => assert.fail('no file is uploaded'),
  })) as Record<string, any>
  const raw = calls.at(-1)?.body?.raw ?? calls.at(-1)?.body?.message?.raw
  return { result, calls, source: raw === undefined ? '' : Buffer.from(raw, 'base64url').toString('utf8') }
}

const refuses = (slug: string, args: Record<string, unknown>, answers = {}) =>
  assert.rejects(run(slug, args, answers), ToolFailure)

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

test('gmail: tools: copies nothing harmful from the message it replies to', async () => {
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

test('gmail: tools: saves drafts, also as replies', async () => {
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

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { requestUpload } from '../../src/contract/files.ts'
import { tools } from '../../toolkits/slack/tools.ts'
import type { Answer, Recorded } from '../fixtures/upstream.ts'
import { createFixture } from '../simulation/applications/fixture.ts'
import { vendor } from './vendor.ts'

const BYTES = Buffer.from('date,total\n2026-10-31,7\n')

/** Starts Slack as its page describes the upload. `uploadUrl`: where it wants the bytes. */
async function startSlack(t: TestContext, uploadUrl = (own: string) => `${own}/upload/v1/CwABAAA`) {
  const slack = await vendor(t, 'slack', 'https://slack.com', async () => tools)
  const answers: Record<string, (request: Recorded) => Answer> = {
    '/api/files.getUploadURLExternal': () => ({
      json: { ok: true, upload_url: uploadUrl(slack.stub.url), file_id: 'F1' },
    }),
    '/upload/v1/CwABAAA': ({ body }) =>
      body === BYTES.toString() ? { text: `OK - ${body.length}` } : { status: 400, text: 'empty' },
    '/api/files.completeUploadExternal': ({ body }) => ({
      json: { ok: true, files: JSON.parse(new URLSearchParams(body).get('files') ?? '[]') },
    }),
  }
  slack.stub.answer = (request) => answers[request.path]?.(request) ?? { status: 404 }
  const slot = await slack.call(requestUpload, {
    body: {
      toolkit_slug: 'slack',
      tool_slug: 'SLACK_UPLOAD_FILE',
      filename: 'totals.csv',
      mimetype: 'text/csv',
      md5: createHash('md5').update(BYTES).digest('hex'),
    },
  } as never)
  const { key, new_presigned_url: putUrl } = slot.body as { key: string; new_presigned_url: string }
  const { pathname, search } = new URL(putUrl)
  const headers = { 'content-type': 'text/csv' }
  await slack.http.inject({ method: 'PUT', url: pathname + search, headers, payload: BYTES })
  const upload = (args: Record<string, unknown>, s3key = key) =>
    slack.run(
      'SLACK_UPLOAD_FILE',
      { file: { name: 'totals.csv', mimetype: 'text/csv', s3key }, ...args },
      'BEARER_TOKEN',
      { token: 'xoxb-1' },
    )
  return { ...slack, answers, upload }
}

test('slack: a file is uploaded in three requests, and only Slack’s API receives the token', async (t) => {
  const s = await startSlack(t)
  const result = await s.upload({
    channel: 'C1',
    title: 'Totals',
    initial_comment: 'October',
    thread_ts: '1764950400.123456',
  })
  assert.deepEqual(
    [result.successful, result.error, result.data],
    [true, null, { ok: true, files: [{ id: 'F1', title: 'Totals' }] }],
  )
  const [slot, bytes, complete] = s.stub.requests as [Recorded, Recorded, Recorded]
  assert.deepEqual(
    [slot.path, Object.fromEntries(new URLSearchParams(slot.body)), slot.headers.authorization],
    ['/api/files.getUploadURLExternal', { filename: 'totals.csv', length: '24' }, 'Bearer xoxb-1'],
  )
  assert.deepEqual(
    [bytes.method, bytes.body, bytes.headers['content-type'], bytes.headers.authorization],
    ['POST', BYTES.toString(), 'text/csv', undefined],
  )
  assert.deepEqual(Object.fromEntries(new URLSearchParams(complete.body)), {
    files: '[{"id":"F1","title":"Totals"}]',
    channel_id: 'C1',
    initial_comment: 'October',
    thread_ts: '1764950400.123456',
  })
  assert.equal(s.stub.requests.length, 3)
})

test('slack: an upload that fails at any step is a failure of the tool, and nothing follows it', async (t) => {
  const s = await startSlack(t)
  s.answers['/upload/v1/CwABAAA'] = () => ({ status: 400, text: 'bad' })
  const rejected = await s.upload({})
  assert.deepEqual(
    [rejected.successful, (rejected.data as { status_code?: number }).status_code, s.stub.requests.length],
    [false, 400, 2],
  )
  assert.match(rejected.error ?? '', /rejected the bytes of totals\.csv with 400/)
  s.answers['/api/files.getUploadURLExternal'] = () => ({ json: { ok: false, error: 'missing_scope' } })
  assert.match((await s.upload({})).error ?? '', /missing_scope/)
  assert.match((await s.upload({ initial_comment: 'x' })).error ?? '', /need channel/)
  assert.match((await s.upload({}, 'projects/none')).error ?? '', /projects\/none/)
  assert.equal(s.stub.requests.length, 3)
})

test('slack: bytes are sent to hosts of Slack only, whatever URL a response has', async (t) => {
  for (const [url, host] of [
    ['https://evil.example/upload', 'evil.example'],
    ['http://127.0.0.1:1/upload', '127.0.0.1:1'],
    ['nowhere', 'no host'],
  ] as const) {
    const s = await startSlack(t, () => url)
    const { successful, error } = await s.upload({})
    assert.deepEqual([successful, s.stub.requests.length], [false, 1])
    assert.ok(error?.includes(`upload URL at ${host}`), error ?? '')
  }
})

test('slack: the simulation takes the three requests of an upload', async () => {
  const { run, exchanged } = await createFixture()
  const file = { name: 'totals.csv', mimetype: 'text/csv', s3key: 'projects/demo/totals.csv' }
  const { successful, error, data } = await run('SLACK_UPLOAD_FILE', {
    file,
    channel: 'C0123456789',
    title: 'Totals',
  })
  assert.deepEqual([successful, error, data['files']], [true, null, [{ id: 'F0123456789', title: 'Totals' }]])
  assert.deepEqual(
    exchanged.map(({ request }) => [new URL(request.url).host, 'authorization' in request.headers]),
    [
      ['slack.com', true],
      ['files.slack.com', false],
      ['slack.com', true],
    ],
  )
})

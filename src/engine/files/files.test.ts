import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import type { CodeTool } from '../../catalog/index.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { requestUpload } from '../../contract/files.ts'
import {
  API_KEY,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const text = (description = 'Any.') => ({ type: 'string', description })
const UPLOAD = {
  type: 'object',
  description: 'A file.',
  file_uploadable: true,
  required: ['name', 'mimetype', 's3key'],
  properties: { name: text(), mimetype: text(), s3key: text() },
}
const DOWNLOAD = {
  type: 'object',
  properties: {
    file: {
      type: 'object',
      description: 'The file.',
      file_downloadable: true,
      properties: { name: text(), mimetype: text(), s3url: text() },
    },
  },
}
const tool = (
  name: string,
  properties: Record<string, unknown>,
  request: Record<string, unknown>,
  more: Record<string, unknown> = {},
) => sampleTool({ slug: `SHOP_${name}`, input: { type: 'object', properties }, request, ...more })
const code = (name: string, properties: Record<string, unknown>) => {
  const { request: _request, ...rest } = sampleTool({
    slug: `SHOP_${name}`,
    input: { type: 'object', properties },
    output: DOWNLOAD,
    run: 'code',
  })
  return rest
}

const account = async (s: ConnectedAccountsApp) =>
  s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'the-secret-key' })
const call = async (s: ConnectedAccountsApp, name: string, args: Record<string, unknown> = {}) =>
  (await s.callTool({ arguments: args }, `SHOP_${name}`)).body as unknown as {
    data: Record<string, unknown>
    error: string | null
    successful: boolean
  }
const sent = (s: ConnectedAccountsApp) => s.stub.requests.at(-1)!

async function uploaded(s: ConnectedAccountsApp, bytes: string, by = s.call, name = 'a.txt') {
  const { body } = await by(requestUpload, {
    body: {
      toolkit_slug: 'shop',
      tool_slug: 'SHOP_X',
      filename: name,
      mimetype: 'text/plain',
      md5: createHash('md5').update(bytes).digest('hex'),
    },
  })
  const { pathname, search } = new URL(body.new_presigned_url)
  assert.equal(
    (
      await s.app.http.inject({
        method: 'PUT',
        url: pathname + search,
        headers: { 'content-type': 'text/plain' },
        payload: bytes,
      })
    ).statusCode,
    200,
  )
  return { name: 'sent.txt', mimetype: 'text/plain', s3key: body.key }
}

async function fetched(s: ConnectedAccountsApp, file: unknown) {
  const { pathname, search } = new URL((file as { s3url: string }).s3url)
  return (await s.app.http.inject({ method: 'GET', url: pathname + search })).rawPayload.toString('latin1')
}

const echo: CodeTool = async (args, context) => {
  const { name, type, bytes } = args['file'] as { name: string; type: string; bytes: Buffer }
  const answer = (await context.request({
    method: 'POST',
    path: '/code',
    body: { name, type, text: bytes.toString() },
  })) as { a: number }
  return {
    ...answer,
    file: await context.saveFile({ name: 'out.bin', type: undefined, bytes: Buffer.from('made') }),
  }
}

async function startFileUploads(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    answer: () => ({ json: { a: 1 } }),
    code: { code: async () => ({ SHOP_CODE: echo }) },
    tools: [
      tool(
        'MULTI',
        { file: UPLOAD, note: text() },
        {
          method: 'POST',
          path: '/multi',
          body: { note: { $: 'note' }, doc: { $: 'file', as: 'file' } },
          body_type: 'multipart',
        },
      ),
      tool(
        'BINARY',
        { file: UPLOAD },
        { method: 'PUT', path: '/binary', body: { $: 'file', as: 'file' }, body_type: 'binary' },
      ),
      tool(
        'JSON',
        {
          files: { type: 'array', items: UPLOAD, description: 'Files.' },
          file: { anyOf: [{ type: 'null' }, UPLOAD], description: 'One.' },
        },
        {
          method: 'POST',
          path: '/json',
          body: {
            all: { $: 'files' },
            one: {
              content: { $: 'file', as: 'base64' },
              name: { $: 'file', as: 'file_name' },
              type: { $: 'file', as: 'file_type' },
              size: { $: 'file', as: 'file_size' },
            },
          },
        },
      ),
      code('CODE', { file: UPLOAD }),
    ],
  })
  await account(s)
  const file = await uploaded(s, 'the bytes')
  return { s, file }
}

test('files: an uploaded file is sent where the manifest requires bytes; the log has its key only', async (t) => {
  const { s, file } = await startFileUploads(t)
  assert.equal((await call(s, 'MULTI', { file, note: 'n' })).successful, true)
  assert.match(
    sent(s).body,
    /name="note"\r\n\r\nn\r\n.*name="doc"; filename="sent\.txt"\r\ncontent-type: text\/plain\r\n\r\nthe bytes\r\n/s,
  )
  await call(s, 'BINARY', { file: { ...file, mimetype: 'image/png' } })
  assert.deepEqual([sent(s).body, sent(s).headers['content-type']], ['the bytes', 'image/png'])
  await call(s, 'BINARY', { file: { ...file, mimetype: 'a/b\r\nx: y' } })
  assert.equal(sent(s).headers['content-type'], 'text/plain', 'a type that is none is that of the upload')
  const base64 = Buffer.from('the bytes').toString('base64')
  await call(s, 'JSON', { files: [file, file], file })
  assert.deepEqual(JSON.parse(sent(s).body), {
    all: [base64, base64],
    one: { content: base64, name: 'sent.txt', type: 'text/plain', size: 9 },
  })
  await call(s, 'JSON', { file: null })
  const made = await call(s, 'CODE', { file })
  assert.deepEqual(JSON.parse(sent(s).body), { name: 'sent.txt', type: 'text/plain', text: 'the bytes' })
  assert.deepEqual([await fetched(s, made.data['file']), made.data['a']], ['made', 1])
  for (const row of await s.executionRows()) {
    const payload = JSON.stringify(
      s.encryptor.decrypt(row['payload'], `tool_executions:${row['id']}:payload`),
    )
    assert.ok(!payload.includes('the bytes') && !payload.includes(base64), 'no bytes in the log')
  }
})

test('files: a missing, expired or foreign file is the same failure, and nothing is sent', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [
      tool(
        'BINARY',
        { file: UPLOAD, more: { type: 'array', items: UPLOAD, description: 'More.' } },
        {
          method: 'PUT',
          path: '/binary',
          query: ['more'],
          body: { $: 'file', as: 'file' },
          body_type: 'binary',
        },
      ),
    ],
  })
  await account(s)
  const file = await uploaded(s, 'x')
  const foreign = await uploaded(s, 'x', await s.otherProject())
  const messages = []
  for (const s3key of [foreign.s3key, 'projects/none/x', '../../etc/passwd', '', '\u0001']) {
    const { successful, error, data } = await call(s, 'BINARY', { file: { ...file, s3key } })
    assert.deepEqual([successful, data['status_code']], [false, 404], s3key)
    messages.push(error?.replace(s3key, '<key>'))
  }
  assert.equal(new Set(messages.slice(0, 3)).size, 1)
  assert.match((await call(s, 'BINARY', { file: 'a.txt' })).error ?? '', /file: must be object/)
  assert.match(
    (await call(s, 'BINARY', { file, more: Array(21).fill(file) })).error ?? '',
    /at most 20 files/,
  )
  assert.equal(s.stub.requests.length, 0)
})

async function startFileTools(t: TestContext) {
  const one = (name: string, response?: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    tool(
      name,
      { name: text() },
      { method: 'GET', path: `/${name.toLowerCase()}`, query: ['name'] },
      { ...(response && { response }), ...more },
    )
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [
      one('ANY'),
      one('WRAP', { wrap: 'image' }),
      one('WHOLE', { file: { member: 'file', name: '{name}.csv' } }, { output: DOWNLOAD }),
      one(
        'PART',
        { file: { member: 'file', content: 'data', encoding: 'base64url', mimetype: 'image/png' } },
        { output: DOWNLOAD },
      ),
    ],
  })
  await account(s)
  const png = { text: '\x89PNG', headers: { 'content-type': 'image/png' } }
  return { s, png }
}

type FileTools = Awaited<ReturnType<typeof startFileTools>>

type FileCase = [tool: string, response: object, field: string, file: Record<string, unknown>, bytes: string]

/** Tools of the fixture, what the application returns, and the file in `field` that the call returns for it. */
function fileCases(png: object): FileCase[] {
  return [
    [
      'ANY',
      png,
      'file',
      { name: 'any.png', mimetype: 'image/png', size: 5 },
      Buffer.from('\x89PNG').toString('latin1'),
    ],
    [
      'ANY',
      {
        ...png,
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': 'attachment; filename="Q3 report.pdf"',
        },
      },
      'file',
      { name: 'Q3 report.pdf', mimetype: 'application/pdf', size: 5 },
      Buffer.from('\x89PNG').toString('latin1'),
    ],
    [
      'WRAP',
      png,
      'image',
      { name: 'wrap.png', mimetype: 'image/png', size: 5 },
      Buffer.from('\x89PNG').toString('latin1'),
    ],
    [
      'WHOLE',
      { text: 'a,b', headers: { 'content-type': 'text/csv' } },
      'file',
      { name: 'orders.csv', mimetype: 'text/csv', size: 3 },
      'a,b',
    ],
    [
      'PART',
      { json: { id: 7, data: Buffer.from('hello?>').toString('base64url') } },
      'file',
      { name: 'file.png', mimetype: 'image/png', size: 7 },
      'hello?>',
    ],
    [
      'ANY',
      {
        text: JSON.stringify({ list: 'x'.repeat(11_000_000) }),
        headers: { 'content-type': 'application/json' },
      },
      'file',
      { name: 'any.json', mimetype: 'application/json', size: 11_000_011 },
      JSON.stringify({ list: 'x'.repeat(11_000_000) }),
    ],
  ]
}

test('files: responses that are bytes, are declared as files, or are too long become files', async (t) => {
  const started = await startFileTools(t)
  const { png, s } = started
  for (const [name, response, field, expected, bytes] of fileCases(png)) {
    s.stub.answer = () => response
    const { data, error } = await call(s, name, { name: 'orders' })
    const { s3url, s3key, ...file } = (data[field] ?? assert.fail(`${name}: ${error}`)) as Record<
      string,
      unknown
    >
    assert.deepEqual(file, expected)
    assert.ok((await fetched(s, { s3url })) === bytes, name)
    assert.ok(
      typeof s3key === 'string' &&
        (await s.app.files.read(s.keys.projectId, s3key)).bytes.length === expected['size'],
      'another tool can use the file',
    )
  }
  await checkFailures(started)
})

async function checkFailures({ s, png }: FileTools): Promise<void> {
  s.stub.answer = () => ({ json: { id: 7 } })
  assert.deepEqual((await call(s, 'PART')).data, { id: 7 }, 'an answer without the file is what it is')
  s.stub.answer = () => ({ ...png, status: 404 })
  assert.deepEqual((await call(s, 'ANY')).error, '404 Client Error: Not Found')
  s.stub.answer = () => ({ text: 'x'.repeat(20_000_001) })
  assert.match((await call(s, 'ANY')).error ?? '', /larger than 20 MB/)
  await s.app.db.run((await import('../../platform/db/sql.ts')).sql`update files set size = 100000000`)
  s.stub.answer = () => png
  const full = await call(s, 'ANY')
  assert.deepEqual([full.successful, full.data['status_code']], [false, 413])
}

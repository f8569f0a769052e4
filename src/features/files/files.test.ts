import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import type { Client } from '#fixtures/client.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import { listFiles, requestUpload } from '../../contract/files.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { checkKey } from '../../platform/storage/types.ts'
import { safeFilename } from './file-urls.ts'
import { downloadHeaders } from './media-types.ts'

const md5 = (bytes: string | Buffer) => createHash('md5').update(bytes).digest('hex')
const request = (bytes: string | Buffer, more: Record<string, string> = {}) => ({
  toolkit_slug: 'gmail',
  tool_slug: 'GMAIL_SEND_EMAIL',
  filename: 'invoice.pdf',
  mimetype: 'application/pdf',
  md5: md5(bytes),
  ...more,
})

async function ready(t: TestContext, more: Partial<ReturnType<typeof temporaryFiles>> = {}) {
  const files = { ...temporaryFiles(t), ...more }
  const s = await testApp(t, { files })
  const inject = (
    method: 'PUT' | 'GET',
    url: string,
    payload?: string | Buffer,
    headers: Record<string, string> = {},
  ) => {
    const { pathname, search } = new URL(url)
    return s.app.http.inject({
      method,
      url: pathname + search,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
  }
  const put = (url: string, bytes: string | Buffer, type = 'application/pdf') =>
    inject('PUT', url, bytes, { 'content-type': type })
  const ask = async (body: object, call: Client = s.call) =>
    (await call(requestUpload, { body } as never)).body
  const rows = () =>
    s.app.db.rows<{ id: string; project_id: string; object_key: string; size: number | null }>(
      sql`select * from files order by created_at`,
    )
  const service = s.app.files
  return { ...s, files, inject, put, ask, rows, service }
}

test('upload: content is sent to a signed URL, listed, and readable by its key in its project only', async (t) => {
  const s = await ready(t)
  const reply = await s.call(requestUpload, { body: request('%PDF') })
  const { id, key, new_presigned_url: url } = reply.body
  assert.deepEqual(
    { ...reply.body, id: '', key: '', new_presigned_url: '', newPresignedUrl: '' },
    {
      id: '',
      key: '',
      type: 'new',
      new_presigned_url: '',
      newPresignedUrl: '',
      metadata: { storage_backend: 's3' },
    },
  )
  assert.match(id, /^req_file_\w{12}$/)
  assert.match(
    key,
    new RegExp(`^projects/${s.keys.projectId}/requests/gmail/GMAIL_SEND_EMAIL/invoice_\\w{12}\\.pdf$`),
  )
  assert.equal((await s.call(listFiles)).body.total_items, 0, 'what has no bytes is not there yet')
  await assert.rejects(s.service.read(s.keys.projectId, key), { slug: 'File_NotFound' })
  assert.equal((await s.put(url, '%PDF')).statusCode, 200)
  const listed = await s.call(listFiles, { query: { toolkit_slug: 'GMAIL', limit: 5 } })
  assert.deepEqual(listed.body.items, [request('%PDF')])
  assert.deepEqual(
    [
      listed.headers['deprecation'],
      (await s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')(listFiles)).headers['deprecation'],
    ],
    [undefined, '@1767225600'],
  )
  assert.equal((await s.call(listFiles, { query: { tool_slug: 'OTHER' } })).body.total_items, 0)
  assert.deepEqual(await s.service.read(s.keys.projectId, key), {
    filename: 'invoice.pdf',
    mimetype: 'application/pdf',
    bytes: Buffer.from('%PDF'),
  })
  const other = await s.otherProject()
  assert.equal((await other(listFiles)).body.total_items, 0)
  const [foreign = assert.fail()] = await s.app.db.rows<{ id: string }>(
    sql`select id from projects where id <> ${s.keys.projectId}`,
  )
  await assert.rejects(s.service.read(foreign.id, key), {
    slug: 'File_NotFound',
    message: `File ${key} not found, not uploaded, or expired.`,
  })
})

test('upload: digest, type and size are checked, and equal requests share one file', async (t) => {
  const s = await ready(t, { bytesMax: 1_000 })
  const { new_presigned_url: url, key } = await s.ask(request('right'))
  const rejectionOf = async (bytes: string, type?: string) => {
    const reply = await s.put(url, bytes, type)
    return [reply.statusCode, reply.json<{ error: { slug: string } }>().error.slug]
  }
  assert.deepEqual(await rejectionOf('wrong'), [400, 'File_DigestMismatch'])
  assert.deepEqual(await rejectionOf('right', 'text/html'), [400, 'File_TypeMismatch'])
  assert.deepEqual(await rejectionOf('x'.repeat(1_001)), [413, 'File_TooLarge'])
  assert.deepEqual(
    (await s.rows()).map(({ size }) => size),
    [null],
  )
  assert.equal((await s.put(url, 'right', 'application/pdf; x=y')).statusCode, 200)
  assert.equal((await s.put(url, 'right')).statusCode, 200, 'the same bytes again are dropped')
  assert.deepEqual(await rejectionOf('other'), [409, 'File_AlreadyUploaded'])
  const again = await s.ask(request('right', { md5: md5('right').toUpperCase() }))
  assert.equal(again.key, key)
  assert.equal((await s.put(again.new_presigned_url, 'right')).statusCode, 200)
  for (const more of [
    { filename: 'b.pdf' },
    { mimetype: 'text/csv' },
    { tool_slug: 'T' },
    { toolkit_slug: 'slack' },
  ] as Record<string, string>[])
    assert.notEqual((await s.ask(request('right', more))).key, key)
  assert.notEqual((await s.ask(request('right'), await s.otherProject())).key, key)
  assert.deepEqual(readdirSync(`${s.files.directory}/incoming`), [], 'nothing is left of what was rejected')
})

test('signed URL: valid for one file, for a limited time, and cannot be forged', async (t) => {
  const s = await ready(t)
  await s.call(updateProjectConfig, { body: { signed_url_file_expiry_in_seconds: 60 } })
  const { new_presigned_url: put } = await s.ask(request('a'))
  const { url: get } = await s.service.save(
    s.keys.projectId,
    { name: 'r.txt', mimetype: 'text/plain', bytes: Buffer.from('a'), toolkit: 'gmail', tool: 'T' },
    60,
  )
  const slugOf = async (method: 'PUT' | 'GET', url: string) =>
    (
      await s.inject(method, url, method === 'PUT' ? 'a' : undefined, { 'content-type': 'application/pdf' })
    ).json<{ error: { slug: string } }>().error.slug
  const pass = (url: string) => new URL(url).searchParams.get('pass') as string
  assert.equal(await slugOf('GET', put.replace('/files/put/', '/files/get/')), 'File_AddressRefused')
  assert.equal(await slugOf('PUT', get.replace('/files/get/', '/files/put/')), 'File_AddressRefused')
  const flipped = Buffer.from(pass(get), 'base64url')
  flipped[flipped.length - 20]! ^= 1
  for (const bad of [
    '',
    'x',
    '..',
    'A'.repeat(2_000),
    flipped.toString('base64url'),
    pass(get).slice(0, -3),
    '%00',
    '&pass=a&pass=b',
    '😀',
  ]) {
    assert.equal(
      await slugOf('GET', get.replace(pass(get), encodeURIComponent(bad))),
      'File_AddressRefused',
      bad,
    )
  }
  assert.equal(await slugOf('GET', get.split('?')[0] as string), 'File_AddressRefused')
  assert.equal((await s.inject('GET', get)).statusCode, 200)
  s.clock.advance(61_000)
  for (const [method, url] of [
    ['PUT', put],
    ['GET', get],
  ] as const)
    assert.equal(await slugOf(method, url), 'File_AddressExpired')
})

test('download: headers prevent browsers from running uploaded content', async (t) => {
  const s = await ready(t)
  for (const [name, mimetype, served] of [
    ['a.html', 'text/html', 'application/octet-stream'],
    ['a.svg', 'image/svg+xml', 'application/octet-stream'],
    ['a.js', 'text/javascript', 'application/octet-stream'],
    ['a.xml', 'application/xml', 'application/octet-stream'],
    ['a.xhtml', 'application/xhtml+xml', 'application/octet-stream'],
    ['a.pdf', 'application/pdf', 'application/pdf'],
    ['a.png', 'image/png; charset=x', 'image/png'],
    ['a.mp3', 'audio/mpeg', 'audio/mpeg'],
    ['a', 'multipart/x-mixed-replace', 'application/octet-stream'],
  ] as const) {
    const { url } = await s.service.save(
      s.keys.projectId,
      { name, mimetype, bytes: Buffer.from('<script>'), toolkit: 'gmail', tool: 'T' },
      60,
    )
    const { headers, statusCode, rawPayload } = await s.inject('GET', url)
    assert.deepEqual(
      [
        statusCode,
        headers['content-type'],
        headers['x-content-type-options'],
        headers['content-length'],
        rawPayload.toString(),
      ],
      [200, served, 'nosniff', '8', '<script>'],
      name,
    )
    assert.match(String(headers['content-security-policy']), /sandbox; default-src 'none'/)
    assert.match(String(headers['content-disposition']), /^attachment; filename="/)
  }
  for (const name of ['a"; x="b', 'a\\b', '../../etc/passwd', 'ü€😀.pdf', '\ud800', "it's (1)*.pdf", '']) {
    assert.match(
      downloadHeaders('text/plain', name)['content-disposition'] as string,
      /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w.%~!-]*$/,
      name,
    )
    checkKey(`projects/${safeFilename(name)}`)
  }
  for (const key of ['', '..', 'a/../b', '/a', 'a//b', 'a/', 'a\\b', 'a b', 'a/.', 'é', 'a\0'])
    assert.throws(() => checkKey(key), key)
})

test('retention: expired and missing uploads are removed, and a project has a quota', async (t) => {
  const s = await ready(t, { retentionMs: 1_000, projectBytesMax: 10 })
  const { new_presigned_url: url, key } = await s.ask(request('12345678'))
  await s.put(url, '12345678')
  const second = await s.ask(request('abc', { filename: 'b.pdf' }))
  const full = await s.put(second.new_presigned_url, 'abc')
  assert.deepEqual(
    [full.statusCode, full.json<{ error: { slug: string } }>().error.slug],
    [413, 'File_QuotaExceeded'],
  )
  await s.service.sweep()
  assert.equal((await s.rows()).length, 2, 'nothing goes before its time')
  await s.app.db.run(sql`update files set expires_at = now() - interval '1 second'`)
  await assert.rejects(s.service.read(s.keys.projectId, key), { slug: 'File_NotFound' })
  await s.service.sweep()
  assert.deepEqual(await s.rows(), [])
  assert.equal(await s.files.store.read(key, 8), undefined)
})

test('upload: invalid requests are rejected with the name of the field', async (t) => {
  const s = await ready(t)
  for (const [more, at] of [
    [{ md5: 'xyz' }, 'md5'],
    [{ md5: md5('') + '0' }, 'md5'],
    [{ mimetype: 'pdf' }, 'mimetype'],
    [{ mimetype: 'a/b\r\nx: y' }, 'mimetype'],
    [{ filename: '' }, 'filename'],
    [{ filename: 'a\nb' }, 'filename'],
    [{ tool_slug: '../x' }, 'tool_slug'],
    [{ toolkit_slug: '' }, 'toolkit_slug'],
  ] as const) {
    const { status, body } = await s.call(requestUpload, { body: request('a', more) })
    assert.deepEqual(
      [status, body.error.errors.some((text) => text.startsWith(`Error in payload.${at}`))],
      [400, true],
      at,
    )
  }
})

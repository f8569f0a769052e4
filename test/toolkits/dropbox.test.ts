import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openCatalog } from '../../src/catalog/index.ts'
import { renderRequest } from '../../src/catalog/manifest/compile/request/request.ts'
import { vendor } from './vendor.ts'

const TOKEN = ['BEARER_TOKEN', { token: 'token-1' }] as const
const staged = (t: Parameters<typeof vendor>[0]) => vendor(t, 'dropbox', 'https://api.dropboxapi.com/2')

test('a call without arguments has no body, since the vendor takes none', async (t) => {
  const { stub, run } = await staged(t)
  await run('DROPBOX_GET_SPACE_USAGE', {}, ...TOKEN)
  const { method, url, body, headers } = stub.requests.at(-1)!
  assert.deepEqual(
    [method, url, body, headers['content-type'], headers.authorization],
    ['POST', '/users/get_space_usage', '', undefined, 'Bearer token-1'],
  )
})

test('options that were not given are not sent, and the root is the empty text', async (t) => {
  const { stub, run } = await staged(t)
  await run('DROPBOX_LIST_FOLDER', { path: '' }, ...TOKEN)
  assert.deepEqual(JSON.parse(stub.requests.at(-1)!.body), {
    path: '',
    recursive: false,
    include_deleted: false,
  })
  await run('DROPBOX_CREATE_SHARED_LINK', { path: '/a.txt' }, ...TOKEN)
  assert.deepEqual(JSON.parse(stub.requests.at(-1)!.body), { path: '/a.txt' })
})

test('an error 409 and a missing scope are explained', async (t) => {
  const { stub, run } = await staged(t)
  for (const [status, summary] of [
    [409, 'path/not_found/..'],
    [401, 'missing_scope/..'],
  ] as const) {
    stub.answer = () => ({ status, json: { error_summary: summary, error: { '.tag': 'x' } } })
    const { successful, error } = await run('DROPBOX_GET_METADATA', { path: '/gone' }, ...TOKEN)
    assert.equal(successful, false)
    assert.match(String(error), new RegExp(summary.replaceAll('.', '\\.')))
  }
})

test('an upload goes to the other host, its argument as JSON in the query and the bytes as they are', async () => {
  const catalog = openCatalog({
    folder: fileURLToPath(new URL('../../toolkits', import.meta.url)),
    operations: false,
  })
  const upload = catalog.tool('DROPBOX_UPLOAD_FILE', 'latest')!.tool
  const { path, query, headers, body } = renderRequest(
    upload.request!,
    { path: '/Fotos/\u00fc.bin', file: { content: 'AAH/', encoding: 'base64' }, mode: 'add' },
    () => undefined,
  )
  assert.deepEqual(
    [path, headers],
    ['https://content.dropboxapi.com/2/files/upload', { 'content-type': 'application/octet-stream' }],
  )
  assert.deepEqual(
    query.map(([name, value]) => [name, JSON.parse(String(value))]),
    [['arg', { path: '/Fotos/\u00fc.bin', mode: 'add' }]],
  )
  assert.deepEqual([...(body as { bytes: Buffer }).bytes], [0, 1, 255])
})

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Composio } from '@composio/core'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { sampleSource, sampleTool } from '../fixtures/sample-toolkits.ts'
import { temporaryFiles } from '../fixtures/files.ts'
import { type Recorded, upstream } from '../fixtures/upstream.ts'
import { stockSdk } from './stock-sdk.ts'

/**
 * The package fetches files from public addresses only, and asks nobody whether it may do otherwise; this one
 * leads to this machine.
 */
const PUBLIC = '8.8.8.8'

/**
 * Connections to the public address of the files go to the server under test. What watches the connections
 * was there before, and takes this away with itself.
 */
function leadHome(port: number) {
  const connect = net.Socket.prototype.connect
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const [first] = (Array.isArray(args[0]) ? args[0] : args) as [Record<string, unknown>]
    if (first['host'] === PUBLIC) Object.assign(first, { host: '127.0.0.1', port, lookup: undefined })
    return connect.apply(this, args as never)
  } as typeof connect
}

const text = { type: 'string', description: 'Any.' }
const FILE = {
  type: 'object',
  description: 'The file.',
  properties: { name: text, mimetype: text, s3key: text, s3url: text },
}

async function staged(t: TestContext, filesUrl = `http://${PUBLIC}`) {
  const shop = await upstream(t, ({ method }) =>
    method === 'GET'
      ? { headers: { 'content-type': 'image/png' }, text: 'the picture' }
      : { json: { done: true } },
  )
  const catalog = catalogFromSources([
    sampleSource({ base_url: shop.url, auth: [{ scheme: 'NO_AUTH' }] }, [
      sampleTool({
        slug: 'SHOP_UPLOAD',
        effect: 'create',
        input: {
          type: 'object',
          properties: { doc: { ...FILE, file_uploadable: true, required: ['name', 'mimetype', 's3key'] } },
        },
        request: {
          method: 'POST',
          path: '/docs',
          body: { doc: { $: 'doc', as: 'file' } },
          body_type: 'multipart',
        },
      }),
      sampleTool({
        slug: 'SHOP_PICTURE',
        input: { type: 'object', properties: {} },
        output: { type: 'object', properties: { picture: { ...FILE, file_downloadable: true } } },
        request: { method: 'GET', path: '/picture' },
        response: { file: { member: 'picture' } },
      }),
    ]),
  ])
  const directory = mkdtempSync(join(tmpdir(), 'patchbay-sdk-files-'))
  t.after(() => {
    rmSync(directory, { recursive: true, force: true })
  })
  const sdk = await stockSdk(t, { catalog, files: temporaryFiles(t, filesUrl) })
  leadHome(Number(new URL(sdk.baseURL).port))
  const composio = new Composio({
    apiKey: sdk.keys.projectApiKey,
    baseURL: sdk.baseURL,
    allowTracking: false,
    disableVersionCheck: true,
    dangerouslyAllowAutoUploadDownloadFiles: true,
    fileUploadDirs: [directory],
    fileDownloadDir: directory,
  } as ConstructorParameters<typeof Composio>[0])
  return { ...sdk, composio, shop, directory }
}

test('a path of a file is uploaded by the package and arrives at the application as bytes', async (t) => {
  const { composio, shop, directory } = await staged(t)
  const path = join(directory, 'note.txt')
  writeFileSync(path, 'the note')
  const [tool] = await composio.tools.getRawComposioTools({ tools: ['SHOP_UPLOAD'] })
  assert.equal(
    (tool?.inputParameters as { properties: Record<string, Record<string, unknown>> }).properties['doc']?.[
      'type'
    ],
    'string',
    'a model is asked for a path',
  )
  const result = await composio.tools.execute('SHOP_UPLOAD', {
    userId: 'ada',
    arguments: { doc: path },
    dangerouslySkipVersionCheck: true,
  })
  assert.deepEqual([result.error, result.successful], [null, true])
  const { body } = shop.requests.at(-1) as Recorded
  assert.match(
    body,
    /name="doc"; filename="file_ts\w+\.txt"\r\ncontent-type: application\/octet-stream\r\n\r\nthe note\r\n/,
  )
  const uploaded = await composio.files.upload({ file: path, toolSlug: 'SHOP_UPLOAD', toolkitSlug: 'shop' })
  assert.match(uploaded.s3key, /^projects\//)
  await composio.tools.execute('SHOP_UPLOAD', {
    userId: 'ada',
    arguments: { doc: uploaded },
    dangerouslySkipVersionCheck: true,
  })
  assert.match((shop.requests.at(-1) as Recorded).body, /the note/)
})

test('a file that a tool returns is downloaded by the package', async (t) => {
  const { composio } = await staged(t)
  const { data, error } = await composio.tools.execute('SHOP_PICTURE', {
    userId: 'ada',
    arguments: {},
    dangerouslySkipVersionCheck: true,
  })
  assert.equal(error, null)
  const {
    uri,
    file_downloaded: downloaded,
    mimeType,
  } = data['picture'] as { uri: string; file_downloaded: boolean; mimeType: string }
  assert.deepEqual([downloaded, mimeType, readFileSync(uri, 'utf8')], [true, 'image/png', 'the picture'])
})

test('a file on a private host is rejected by the package before it sends anything', async (t) => {
  const { composio, directory, seen } = await staged(t, 'http://127.0.0.1')
  const path = join(directory, 'note.txt')
  writeFileSync(path, 'the note')
  await assert.rejects(
    composio.files.upload({ file: path, toolSlug: 'SHOP_UPLOAD', toolkitSlug: 'shop' }),
    (error: Error) => [error, error.cause].some((one) => /private, loopback/.test(String(one))),
  )
  assert.deepEqual(
    seen.filter(({ method }) => method === 'PUT'),
    [],
  )
})

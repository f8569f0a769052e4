// Files go through imported tools as they are: uploaded to the server, sent to the application, and back.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { requestUpload } from '../../src/contract/files.ts'
import { importToolkit } from '../../src/contract/toolkits/index.ts'
import { executeTool, readTool } from '../../src/contract/tools/index.ts'
import { testApp } from '../fixtures/app.ts'

type Json = Record<string, unknown>

/** Bytes that no text encoding preserves: every value, line ends, and what looks like the end of a part. */
const BYTES = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, n) => n)),
  Buffer.from('\r\n--boundary--\r\n\0'),
  randomBytes(200_000),
])
const FILENAME = 'Bericht "März" 2026.pdf'

interface Received {
  type: string
  bytes: Buffer
}

/** Starts an application that stores documents, with the form that a standard parser reads from each request. */
async function startDocumentStore(t: TestContext) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ type: request.headers['content-type'] ?? '', bytes: Buffer.concat(chunks) })
    const isDownload = request.method === 'GET'
    response.writeHead(isDownload ? 200 : 201, {
      'content-type': isDownload ? 'image/png' : 'application/json',
      ...(isDownload && { 'content-disposition': 'attachment; filename="scan.png"' }),
    })
    response.end(isDownload ? BYTES : '{"stored":true}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const lastForm = (): Promise<FormData> => {
    const { type, bytes } = received.at(-1) as Received
    return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, lastForm }
}

const binary = { type: 'string', format: 'binary' }
const stored = { responses: { 201: { description: 'Stored.' } } }
const path = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }]
const multipart = (properties: object) => ({
  requestBody: {
    required: true,
    content: { 'multipart/form-data': { schema: { type: 'object', properties } } },
  },
  ...stored,
})
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Documents', version: '1' },
  paths: {
    '/documents': {
      post: { operationId: 'addDocument', ...multipart({ title: { type: 'string' }, document: binary }) },
    },
    '/albums': {
      post: { operationId: 'addAlbum', ...multipart({ photos: { type: 'array', items: binary } }) },
    },
    '/blobs/{name}': {
      put: {
        operationId: 'putBlob',
        parameters: path,
        requestBody: { required: true, content: { 'application/octet-stream': { schema: binary } } },
        ...stored,
      },
      get: {
        operationId: 'getBlob',
        parameters: path,
        responses: { 200: { description: 'The bytes.', content: { 'image/png': { schema: binary } } } },
      },
    },
  },
}
const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Old documents', version: '1' },
  paths: {
    '/files': {
      post: {
        operationId: 'addFile',
        consumes: ['multipart/form-data'],
        parameters: [
          { name: 'upload', in: 'formData', type: 'file', required: true },
          { name: 'note', in: 'formData', type: 'string' },
        ],
        ...stored,
      },
    },
  },
}

async function importDocuments(t: TestContext) {
  const store = await startDocumentStore(t)
  const s = await testApp(t)
  for (const [slug, document] of [
    ['documents', DOCUMENT],
    ['olddocuments', SWAGGER],
  ] as const) {
    const body = { content: JSON.stringify(document), slug, server: store.url }
    const report = await s.call(importToolkit, { body })
    assert.deepEqual([report.status, report.body.refused], [200, []], JSON.stringify(report.body))
  }
  const execute = async (slug: string, args: Json) => {
    const { status, body } = await s.call(executeTool, {
      params: { tool_slug: slug },
      body: { user_id: 'ada', arguments: args } as never,
    })
    assert.deepEqual([status, body.error, body.successful], [200, null, true], JSON.stringify(body))
    return body.data as Json
  }
  /** Uploads the bytes through the API, and returns the file argument. */
  const upload = async (toolkit: string, tool: string) => {
    const fields = {
      filename: FILENAME,
      mimetype: 'application/pdf',
      md5: createHash('md5').update(BYTES).digest('hex'),
    }
    const slot = await s.call(requestUpload, {
      body: { toolkit_slug: toolkit, tool_slug: tool, ...fields } as never,
    })
    const { pathname, search } = new URL(slot.body.new_presigned_url)
    const headers = { 'content-type': fields.mimetype }
    const put = await s.app.http.inject({ method: 'PUT', url: pathname + search, headers, payload: BYTES })
    assert.equal(put.statusCode, 200, put.body)
    return { name: FILENAME, mimetype: fields.mimetype, s3key: slot.body.key }
  }
  const isFile = async (slug: string, property: string) => {
    const { body } = await s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')(readTool, {
      params: { tool_slug: slug },
    })
    const { properties } = body.input_parameters as { properties: Record<string, Json> }
    const { file_uploadable: itself, items } = properties[property] as Json & { items?: Json }
    return itself ?? items?.['file_uploadable']
  }
  return { ...s, store, execute, upload, isFile }
}

const digest = async (file: Blob) =>
  createHash('sha256')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('hex')
const EXPECTED = createHash('sha256').update(BYTES).digest('hex')

test('imported files: multipart and octet-stream tools send an uploaded file byte for byte, with its name', async (t) => {
  const s = await importDocuments(t)
  assert.equal(await s.isFile('DOCUMENTS_ADD_DOCUMENT', 'document'), true)
  const document = await s.upload('documents', 'DOCUMENTS_ADD_DOCUMENT')
  await s.execute('DOCUMENTS_ADD_DOCUMENT', { title: 'Report', document })
  const form = await s.store.lastForm()
  const part = form.get('document') as File
  assert.deepEqual(
    [form.get('title'), part.name, part.type, await digest(part)],
    ['Report', FILENAME, 'application/pdf', EXPECTED],
  )

  await s.execute('DOCUMENTS_ADD_ALBUM', { photos: [document, { ...document, name: 'second.pdf' }] })
  const photos = (await s.store.lastForm()).getAll('photos') as File[]
  assert.deepEqual(await Promise.all(photos.map(async (photo) => [photo.name, await digest(photo)])), [
    [FILENAME, EXPECTED],
    ['second.pdf', EXPECTED],
  ])

  await s.execute('DOCUMENTS_PUT_BLOB', { name: 'report', body: document })
  const { type, bytes } = s.store.received.at(-1) as Received
  // Declared as bytes of any kind (RFC 2046 4.5.1): the request has the type of the file.
  assert.deepEqual([type, bytes.equals(BYTES)], ['application/pdf', true])

  const upload = await s.upload('olddocuments', 'OLDDOCUMENTS_ADD_FILE')
  await s.execute('OLDDOCUMENTS_ADD_FILE', { upload, note: 'from Swagger' })
  const old = await s.store.lastForm()
  assert.deepEqual(
    [old.get('note'), (old.get('upload') as File).name, await digest(old.get('upload') as File)],
    ['from Swagger', FILENAME, EXPECTED],
  )
})

test('imported files: a binary response becomes a file, whose bytes are downloaded and sent on by their key', async (t) => {
  const s = await importDocuments(t)
  const data = await s.execute('DOCUMENTS_GET_BLOB', { name: 'scan' })
  const file = Object.values(data).find((value) => (value as Json)?.['s3url'] !== undefined) as Json
  assert.deepEqual([file['name'], file['mimetype'], file['size']], ['scan.png', 'image/png', BYTES.length])
  const { pathname, search } = new URL(file['s3url'] as string)
  const download = await s.app.http.inject({ method: 'GET', url: pathname + search })
  assert.deepEqual([download.statusCode, download.rawPayload.equals(BYTES)], [200, true])
  const { name, mimetype, s3key } = file
  await s.execute('DOCUMENTS_ADD_DOCUMENT', { document: { name, mimetype, s3key } })
  const part = (await s.store.lastForm()).get('document') as File
  assert.deepEqual([part.name, part.type, await digest(part)], ['scan.png', 'image/png', EXPECTED])
})

test('imported files: a missing, foreign or unfinished upload is a failure that names the file', async (t) => {
  const s = await importDocuments(t)
  const other = await s.otherProject()
  const document = await s.upload('documents', 'DOCUMENTS_ADD_DOCUMENT')
  await other(importToolkit, {
    body: { content: JSON.stringify(DOCUMENT), slug: 'documents', server: s.store.url },
  })
  const sent = s.store.received.length
  for (const [call, s3key] of [
    [other, document.s3key],
    [s.call, `${document.s3key}x`],
  ] as const) {
    const { body } = await call(executeTool, {
      params: { tool_slug: 'DOCUMENTS_ADD_DOCUMENT' },
      body: { user_id: 'ada', arguments: { document: { ...document, s3key } } } as never,
    })
    assert.equal(body.successful, false)
    assert.ok(body.error?.includes(s3key), body.error ?? '')
  }
  assert.equal(s.store.received.length, sent, 'nothing was sent')
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import { requestUpload } from '../../contract/files.ts'
import { createSession } from '../../contract/sessions/index.ts'
import { EncryptionError } from '../../platform/crypto/index.ts'
import { sql } from '../../platform/db/sql.ts'
import type { FileRow } from './store.ts'

const CONTENT = 'the salaries of all employees'

/** A server whose files can be looked at as they are on the disk. */
async function startFiles(t: TestContext) {
  const files = temporaryFiles(t)
  const s = await testApp(t, { files })
  const { projectId } = s.keys
  const inject = async (method: 'PUT' | 'GET', url: string, payload?: string) => {
    const { pathname, search } = new URL(url)
    const headers = { 'content-type': 'text/plain' }
    return s.app.http.inject({ method, url: pathname + search, headers, ...(payload && { payload }) })
  }
  const request = async () => {
    const body = {
      toolkit_slug: 'gmail',
      tool_slug: 'T',
      filename: 'a.txt',
      mimetype: 'text/plain',
      md5: createHash('md5').update(CONTENT).digest('hex'),
    }
    return (await s.call(requestUpload, { body } as never)).body
  }
  const session = async () => {
    const call = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
    return (await call(createSession, { body: { user_id: 'u1' } })).body.session_id
  }
  const stored = () =>
    readdirSync(files.directory, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : [],
    )
  const rows = () => s.app.db.rows<FileRow>(sql`select * from files order by created_at`)
  /** Stores the content of a file as an earlier release did. */
  const storeInClear = async (row: FileRow) => {
    await files.store.put(
      row.object_key,
      await files.spool.take(Readable.from([CONTENT], { objectMode: false }), 100),
    )
    await s.app.db.run(sql`
      update files set encrypted_key = null, created_at = now() - interval '9 days' where id = ${row.id}`)
  }
  return {
    ...s,
    files,
    projectId,
    inject,
    request,
    session,
    stored,
    rows,
    storeInClear,
    service: s.app.files,
  }
}

test('files: uploads, results and files of sessions are on the disk only encrypted, and are read as they were', async (t) => {
  const s = await startFiles(t)
  const { key, new_presigned_url: url } = await s.request()
  assert.equal((await s.inject('PUT', url, CONTENT)).statusCode, 200)
  const draft = {
    name: 'r.txt',
    mimetype: 'text/plain',
    bytes: Buffer.from(CONTENT),
    toolkit: 'g',
    tool: 'T',
  }
  const result = await s.service.save(s.projectId, draft, 60)
  const session = await s.session()
  const file = { path: 'in/pay.txt', mimetype: 'text/plain', bytes: Buffer.from(CONTENT) }
  await s.service.mounts.write(s.projectId, session, file, 60)
  const upload = { path: 'in/other.txt', mimetype: undefined }
  const { url: putUrl } = await s.service.mounts.createUploadUrl(s.projectId, session, upload, 60)
  assert.equal((await s.inject('PUT', putUrl, CONTENT)).statusCode, 200)
  assert.equal((await s.inject('PUT', putUrl, CONTENT)).statusCode, 200, 'an upload can be repeated')

  assert.equal(s.stored().length, 4)
  for (const bytes of s.stored()) assert.doesNotMatch(bytes, /salaries/)
  assert.ok((await s.rows()).every(({ object_key }) => !/pay|other/.test(object_key)))
  const texts = [
    (await s.service.read(s.projectId, key)).bytes.toString(),
    (await s.inject('GET', result.url)).body,
    (await s.service.mounts.read(s.projectId, session, 'in/pay.txt')).toString(),
    (await s.service.mounts.read(s.projectId, session, 'in/other.txt')).toString(),
  ]
  assert.deepEqual(texts, Array(4).fill(CONTENT))
})

test('files: a file whose stored bytes were changed or exchanged is not read', async (t) => {
  const s = await startFiles(t)
  for (const name of ['a', 'b'])
    await s.service.save(
      s.projectId,
      { name, mimetype: 'text/plain', bytes: Buffer.from(CONTENT), toolkit: 'g', tool: 'T' },
      60,
    )
  const [first, second] = (await s.rows()).map(({ object_key }) => object_key) as [string, string]
  const pathOf = (key: string) => join(s.files.directory, key)
  const bytes = readFileSync(pathOf(first))
  writeFileSync(pathOf(first), readFileSync(pathOf(second)))
  await assert.rejects(s.service.read(s.projectId, first), EncryptionError)
  writeFileSync(pathOf(first), bytes.fill(0, 40, 41))
  await assert.rejects(s.service.read(s.projectId, first), EncryptionError)
  assert.equal((await s.service.read(s.projectId, second)).bytes.toString(), CONTENT)
})

test('files: those of an earlier release are read, and those of sessions are encrypted by a job', async (t) => {
  const s = await startFiles(t)
  const { key, new_presigned_url: url } = await s.request()
  assert.equal((await s.inject('PUT', url, CONTENT)).statusCode, 200)
  const session = await s.session()
  const file = { path: 'pay.txt', mimetype: 'text/plain', bytes: Buffer.from(CONTENT) }
  await s.service.mounts.write(s.projectId, session, file, 60)
  for (const row of await s.rows()) await s.storeInClear(row)
  const readAll = async () => [
    (await s.service.read(s.projectId, key)).bytes.toString(),
    (await s.service.mounts.read(s.projectId, session, 'pay.txt')).toString(),
  ]
  assert.deepEqual(await readAll(), [CONTENT, CONTENT])
  assert.equal(s.stored().filter((bytes) => bytes.includes('salaries')).length, 2)

  await s.service.encryptClearFiles()
  assert.deepEqual(await readAll(), [CONTENT, CONTENT])
  assert.equal(s.stored().filter((bytes) => bytes.includes('salaries')).length, 1, 'the upload expires')
  assert.equal(s.stored().length, 2, 'the former object is removed')
  await s.service.encryptClearFiles()
  assert.deepEqual(await readAll(), [CONTENT, CONTENT])
})

test('files: the content of an upload that an earlier release registered is encrypted', async (t) => {
  const s = await startFiles(t)
  const { key, new_presigned_url: url } = await s.request()
  await s.app.db.run(sql`update files set encrypted_key = null`)
  assert.equal((await s.inject('PUT', url, CONTENT)).statusCode, 200)
  for (const bytes of s.stored()) assert.doesNotMatch(bytes, /salaries/)
  assert.equal((await s.service.read(s.projectId, key)).bytes.toString(), CONTENT)
})

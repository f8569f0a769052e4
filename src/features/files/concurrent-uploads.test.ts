import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { type TestApp, testApp } from '#fixtures/app.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import { requestUpload } from '../../contract/files.ts'
import { createSession } from '../../contract/sessions/index.ts'
import { sql } from '../../platform/db/sql.ts'

const PATH = 'in/report.txt'

/**
 * Two servers with the same files. `afterPut` runs once, when the next object is stored and not published yet, and
 * `beforeRead` when the next row was read and its object was not.
 */
async function startServers(t: TestContext) {
  const temporary = temporaryFiles(t)
  let afterPut: (() => Promise<unknown>) | undefined
  let beforeRead: typeof afterPut
  const files: typeof temporary = {
    ...temporary,
    store: {
      ...temporary.store,
      async put(key, file) {
        await temporary.store.put(key, file)
        const run = afterPut
        afterPut = undefined
        await run?.()
      },
      async read(key, size) {
        const run = beforeRead
        beforeRead = undefined
        await run?.()
        return temporary.store.read(key, size)
      },
    },
  }
  const first = await testApp(t, { files })
  const second = await testApp(t, { files, sameDatabaseAs: first })
  const call = first.as({ 'x-api-key': first.keys.projectApiKey }, 'v3.1')
  const session = (await call(createSession, { body: { user_id: 'u1' } })).body.session_id
  const { projectId } = first.keys
  return {
    first,
    second,
    afterPut: (run: () => Promise<unknown>) => void (afterPut = run),
    beforeRead: (run: () => Promise<unknown>) => void (beforeRead = run),
    put: async ({ app }: TestApp, url: string, payload: string) => {
      const { pathname, search } = new URL(url)
      const headers = { 'content-type': 'text/plain' }
      return (await app.http.inject({ method: 'PUT', url: pathname + search, headers, payload })).statusCode
    },
    uploadUrl: async () =>
      (
        await first.app.files.mounts.createUploadUrl(
          projectId,
          session,
          { path: PATH, mimetype: undefined },
          60,
        )
      ).url,
    read: async () => (await first.app.files.mounts.read(projectId, session, PATH)).toString(),
    objects: () =>
      readdirSync(temporary.directory, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ).length,
    deleteRows: () => first.app.db.run(sql`delete from files`),
  }
}

test('files: of two contents that two servers store for one file at once, one is read whole', async (t) => {
  const s = await startServers(t)
  const url = await s.uploadUrl()
  s.afterPut(async () => assert.equal(await s.put(s.second, url, 'short'), 200))
  assert.equal(await s.put(s.first, url, 'a longer content'), 200)
  assert.equal(await s.read(), 'a longer content')
  assert.equal(s.objects(), 1, 'the bytes of the other content are removed')
})

test('files: content whose file was deleted meanwhile is rejected, and none of its bytes remain', async (t) => {
  const s = await startServers(t)
  const mountUrl = await s.uploadUrl()
  s.afterPut(s.deleteRows)
  assert.equal(await s.put(s.first, mountUrl, 'content'), 404)
  const body = {
    toolkit_slug: 'gmail',
    tool_slug: 'T',
    filename: 'a.txt',
    mimetype: 'text/plain',
    md5: createHash('md5').update('content').digest('hex'),
  }
  const { new_presigned_url: url } = (await s.first.call(requestUpload, { body } as never)).body
  s.afterPut(s.deleteRows)
  assert.equal(await s.put(s.first, url, 'content'), 404)
  assert.equal(s.objects(), 0)
})

test('files: a file whose content is replaced while it is opened is read with the next content', async (t) => {
  const s = await startServers(t)
  const url = await s.uploadUrl()
  assert.equal(await s.put(s.first, url, 'before'), 200)
  s.beforeRead(async () => assert.equal(await s.put(s.second, url, 'after that'), 200))
  assert.equal(await s.read(), 'after that')
  s.beforeRead(s.deleteRows)
  assert.equal(await s.read(), 'after that', 'the object of a row that was read still exists')
  await assert.rejects(s.read(), { slug: 'File_NotFound' })
})

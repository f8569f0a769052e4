import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#fixtures/app.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import { listFiles } from '../../../contract/files.ts'
import * as contract from '../../../contract/sessions/index.ts'
import { createSession, deleteSession } from '../../../contract/sessions/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'
import { validateMountPath } from './routes.ts'

async function startMounts(t: TestContext) {
  const files = temporaryFiles(t)
  const s = await testApp(t, { catalog: exampleCatalog(), files })
  const call = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
  const open = async () => (await call(createSession, { body: { user_id: 'u1' } })).body.session_id
  const id = await open()
  const at = (session_id = id, mount = 'files') => ({ params: { session_id, mount } })
  const list = async (query: object = {}, session = id) =>
    (await call(contract.listMountItems, { ...at(session), query: query as never })).body
  const upload = async (path: string, session = id) =>
    (
      await call(contract.uploadToMount, {
        ...at(session),
        body: { mount_relative_path: path, mimetype: 'text/csv' },
      })
    ).body
  const download = (path: string, session = id) =>
    call(contract.downloadFromMount, { ...at(session), body: { mount_relative_path: path } })
  const inject = (method: 'PUT' | 'GET', url: string, payload?: string, type = 'text/csv') => {
    const { pathname, search } = new URL(url)
    return s.app.http.inject({
      method,
      url: pathname + search,
      ...(payload === undefined ? {} : { payload, headers: { 'content-type': type } }),
    })
  }
  const put = async (path: string, bytes: string, session = id) => {
    const { upload_url: url } = await upload(path, session)
    assert.equal((await inject('PUT', url, bytes)).statusCode, 200)
    return url
  }
  const read = async (path: string) => {
    const { status, body } = await download(path)
    return status === 200 ? (await inject('GET', body.download_url)).body : status
  }
  const stored = () =>
    s.app.db.rows<{ object_key: string; size: number | null }>(
      sql`select object_key, size from files order by created_at`,
    )
  return { upload, list, read, put, inject, stored, call, at, s, open, download, id, files }
}

type Mounts = Awaited<ReturnType<typeof startMounts>>

test('session mounts: files of a session over HTTP', async (t) => {
  const fixture = await startMounts(t)

  await t.test('session mounts: a file is uploaded, listed, downloaded, replaced and deleted', () =>
    checkFile(fixture),
  )

  await t.test(
    'session mounts: a list continues after the last path, and a prefix is matched literally',
    () => checkList(fixture),
  )

  await t.test('session mounts: a path cannot leave the mount', () => checkPaths(fixture))

  await t.test(
    'session mounts: files are separate by session and project, and expire a day after the session is deleted',
    () => checkSeparation(fixture),
  )
})

async function checkFile({ upload, list, read, put, inject, stored, call, at, s }: Mounts): Promise<void> {
  const asked = await upload('in/data.csv')
  assert.deepEqual(
    [asked.mount_relative_path, asked.sandbox_mount_prefix, Date.parse(asked.expires_at) > Date.now()],
    ['in/data.csv', '/mnt/files', true],
  )
  assert.deepEqual(
    [await list(), await read('in/data.csv')],
    [{ items: [] }, 404],
    'what has no bytes is not there, and no cursor is null',
  )
  const url = await put('in/data.csv', 'a,b')
  const { items } = await list()
  assert.deepEqual(
    items.map(({ last_modified: _at, ...one }) => one),
    [{ mount_relative_path: 'in/data.csv', sandbox_mount_prefix: '/mnt/files', size: 3 }],
  )
  assert.equal(await read('in/data.csv'), 'a,b')
  assert.equal((await inject('PUT', url, 'a,b,c')).statusCode, 200)
  await put('in/data.csv', 'new')
  assert.deepEqual(
    [
      await read('in/data.csv'),
      (await list()).items.length,
      (await stored()).filter(({ size }) => size !== null).length,
    ],
    ['new', 1, 1],
    'the latest takes the place of those before',
  )
  assert.equal(
    (await inject('PUT', (await upload('x')).upload_url, 'x', 'text/html')).statusCode,
    400,
    'of another type than announced',
  )
  const removal = () =>
    call(contract.deleteFromMount, { ...at(), body: { mount_relative_path: 'in/data.csv' } })
  assert.deepEqual(
    [(await removal()).body, (await removal()).status, await read('in/data.csv')],
    [{ mount_relative_path: 'in/data.csv', sandbox_mount_prefix: '/mnt/files' }, 200, 404],
  )
  assert.equal(
    (await s.call(listFiles)).body.total_items,
    0,
    'the list of the project’s files has none of it',
  )
}

async function checkList({ put, list, call, at }: Mounts): Promise<void> {
  const paths = ['a%b/1', 'axb/1', 'out/é.txt', 'out/a.txt', 'out/b.txt', 'Z']
  for (const path of paths) await put(path, path)
  const seen: string[] = []
  let page = await list({ limit: 2 })
  for (;;) {
    seen.push(...page.items.map(({ mount_relative_path: path }) => path))
    if (page.next_cursor === undefined) break
    page = await list({ limit: 2, cursor: page.next_cursor })
  }
  assert.deepEqual(
    seen,
    paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )
  assert.deepEqual(
    (await list({ mount_relative_prefix: 'a%b' })).items.map(({ mount_relative_path: path }) => path),
    ['a%b/1'],
  )
  assert.deepEqual((await list({ mount_relative_prefix: '/out/' })).items.length, 3)
  for (const cursor of ['%', 'a=b', '____', '!', 'gA'])
    assert.equal((await call(contract.listMountItems, { ...at(), query: { cursor } })).status, 400, cursor)
}

async function checkPaths({ call, at }: Mounts): Promise<void> {
  for (const bad of [
    '/etc/passwd',
    '..',
    '../x',
    'a/../b',
    'a//b',
    'a/',
    '.',
    'a\\b',
    'a\nb',
    'é'.repeat(600),
    './a',
  ])
    assert.throws(() => validateMountPath(bad), { slug: 'HTTP_BadRequest' }, bad)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (path) => {
      try {
        assert.ok(
          !path.split('/').includes('..') && !path.startsWith('/') && validateMountPath(path) === path,
        )
      } catch (error) {
        assert.equal(
          (error as { slug?: string }).slug ??
            (path.split('/').includes('..') || path.startsWith('/') ? 'HTTP_BadRequest' : undefined),
          'HTTP_BadRequest',
        )
      }
    }),
    { numRuns: 200 },
  )
  assert.equal(
    (await call(contract.uploadToMount, { ...at(), body: { mount_relative_path: '../x' } })).status,
    400,
  )
}

async function checkSeparation({
  open,
  list,
  download,
  call,
  at,
  id,
  s,
  put,
  upload,
  inject,
  files,
}: Mounts): Promise<void> {
  const [other, gone] = [await open(), await open()]
  assert.deepEqual(
    [
      await list({}, other),
      (await download('Z', other)).status,
      (await call(contract.listMountItems, at(id, 'data'))).status,
    ],
    [{ items: [] }, 404, 404],
  )
  const theirs = await (await s.otherProject())(contract.listMountItems, at())
  assert.deepEqual([theirs.status, (theirs.body as any).error.slug], [404, 'ToolRouterV2_SessionNotFound'])
  await put('keep', 'k', gone)
  const late = (await upload('late', gone)).upload_url
  await call(deleteSession, { params: { session_id: gone } })
  assert.deepEqual(
    [(await call(contract.listMountItems, at(gone))).status, (await inject('PUT', late, 'x')).statusCode],
    [404, 404],
  )
  const key = (await s.app.db.one<{ object_key: string }>(
    sql`select object_key from files where session_id = ${gone}`,
  ))!.object_key
  await s.app.files.sweep()
  assert.ok(await files.store.read(key, 1))
  await s.app.db.run(
    sql`update files set expires_at = expires_at - interval '25 hours' where session_id = ${gone}`,
  )
  await s.app.files.sweep()
  assert.equal(await files.store.read(key, 1), undefined)
  assert.equal((await list()).items.length, 6, 'the others stay')
}

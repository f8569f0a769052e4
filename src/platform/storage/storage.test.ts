import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import S3rver from 's3rver'
import { checkSigV4 } from '../../../simulation/providers/sigv4.ts'
import { upstream } from '#fixtures/upstream.ts'
import {
  decryptBytes,
  encryptedSize,
  type FileStore,
  localStore,
  newFileKey,
  spoolDirectory,
  StorageError,
  TooManyBytes,
} from './index.ts'
import { type S3Settings, s3Store } from './s3.ts'

const SECRET = 'S3RVER'

function directoryFor(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'patchbay-storage-'))
  t.after(() => {
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

const s3 = (t: TestContext, endpoint: string, more: Partial<S3Settings> = {}): FileStore => {
  const store = s3Store({
    bucket: 'files',
    region: 'us-east-1',
    endpoint,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: SECRET, sessionToken: undefined },
    pathStyle: true,
    ...more,
  })
  t.after(() => store.close?.())
  return store
}

async function bucket(t: TestContext): Promise<string> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: directoryFor(t),
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await server.run()
  t.after(() => server.close())
  return `http://127.0.0.1:${port}`
}

const all = async (bytes: Readable | undefined): Promise<Buffer | undefined> =>
  bytes && Buffer.concat((await bytes.toArray()) as Buffer[])

const STORES = [
  ['a directory', async (t: TestContext) => localStore(directoryFor(t))],
  ['a bucket', async (t: TestContext) => s3(t, await bucket(t))],
] as const

for (const [kind, open] of STORES) {
  test(`file store: ${kind} returns stored bytes, replaces them and removes them`, async (t) => {
    const [store, incoming] = [await open(t), join(directoryFor(t), 'in')]
    const spool = spoolDirectory(incoming)
    // Empty, small, exactly one part, and beyond.
    for (const size of [0, 5, 8 * 1024 * 1024, 17_000_001]) {
      const [key, bytes] = [`projects/proj_1/requests/a/B/file_${size}.bin`, randomBytes(size)]
      assert.equal(await store.read(key, size), undefined)
      const spooled = await spool.take(Readable.from([bytes], { objectMode: false }), 30_000_000)
      assert.deepEqual(
        [spooled.size, spooled.md5, spooled.sha256],
        [size, ...['md5', 'sha256'].map((name) => createHash(name).update(bytes).digest('hex'))],
      )
      await store.put(key, spooled)
      assert.ok((await all(await store.read(key, size)))?.equals(bytes), `${size} bytes`)
      const other = randomBytes(Math.min(size, 10))
      await store.put(key, await spool.take(Readable.from([other], { objectMode: false }), 30_000_000))
      assert.ok((await all(await store.read(key, other.length)))?.equals(other))
      await store.remove(key)
      await store.remove(key)
      assert.equal(await store.read(key, size), undefined)
    }
    assert.deepEqual(readdirSync(incoming), [], 'the store has moved the files')
    for (const key of ['../x', 'a/../../x', '/etc/passwd', 'a b', 'a%2fb', 'a?uploads', ''])
      await assert.rejects(async () => store.read(key, 1), /not a storage key/, key)
  })
}

for (const [kind, open] of STORES)
  test(`file store: ${kind} has only encrypted bytes of a file with a key, in parts too`, async (t) => {
    const [store, spool] = [await open(t), spoolDirectory(directoryFor(t))]
    for (const size of [0, 5, 17_000_001]) {
      const [bytes, file] = [Buffer.alloc(size, 'content of a user '), newFileKey(`file_${size}`)]
      const spooled = await spool.take(Readable.from([bytes], { objectMode: false }), 30_000_000, file)
      assert.deepEqual([spooled.size, spooled.md5], [size, createHash('md5').update(bytes).digest('hex')])
      await store.put('a/b', spooled)
      const stored = (await all(await store.read('a/b', encryptedSize(size))))!
      assert.deepEqual([stored.length, stored.includes('content of')], [encryptedSize(size), false])
      const clear = (await store.read('a/b', encryptedSize(size)))!.pipe(decryptBytes(file))
      assert.ok((await all(clear))?.equals(bytes), `${size} bytes`)
    }
  })

test('file uploads: too many bytes or a broken upload leave no file, and old remains are removed', async (t) => {
  const directory = directoryFor(t)
  const spool = spoolDirectory(directory)
  await assert.rejects(spool.take(Readable.from([Buffer.alloc(11)], { objectMode: false }), 10), TooManyBytes)
  await assert.rejects(
    spool.take(
      Readable.from(
        (async function* () {
          yield Buffer.alloc(5)
          throw new Error('cut')
        })(),
        { objectMode: false },
      ),
      10,
    ),
    /cut/,
  )
  assert.deepEqual(readdirSync(directory), [])
  for (const [name, ageMs] of [
    ['old', 90_000_000],
    ['new', 0],
  ] as const) {
    writeFileSync(join(directory, name), 'x')
    utimesSync(join(directory, name), new Date(Date.now() - ageMs), new Date(Date.now() - ageMs))
  }
  await spool.sweep(Date.now())
  assert.deepEqual([existsSync(join(directory, 'old')), existsSync(join(directory, 'new'))], [false, true])
})

test('object store: errors contain no credentials, and a busy store is asked again', async (t) => {
  const endpoint = await bucket(t)
  const spool = spoolDirectory(directoryFor(t))
  const bytes = () => spool.take(Readable.from([Buffer.from('x')], { objectMode: false }), 10)
  for (const store of [
    s3(t, endpoint, {
      credentials: { accessKeyId: 'wrong-key-id', secretAccessKey: SECRET, sessionToken: undefined },
    }),
    s3(t, endpoint, { bucket: 'missing' }),
    s3(t, 'http://127.0.0.1:1'),
  ]) {
    await assert.rejects(
      store.put('a', await bytes()),
      (error: Error) => error instanceof StorageError && !/S3RVER|wrong-key|127\.0/.test(error.message),
    )
  }
  const statuses = [503, 500, 200]
  const busy = await upstream(t, () => ({ status: statuses.shift() ?? 200 }))
  await s3(t, busy.url).put('a/b', await bytes())
  assert.deepEqual(
    busy.requests.map(({ method, path, body }) => [method, path, body]),
    Array(3).fill(['PUT', '/files/a/b', 'x']),
  )
  for (const request of busy.requests)
    assert.equal(
      checkSigV4(request as never, {
        accessKeyId: 'S3RVER',
        secret: SECRET,
        region: 'us-east-1',
        service: 's3',
        path: '/files/a/b',
        now: Date.now(),
      }),
      undefined,
    )
  const moved = await upstream(t, () => ({ status: 307, headers: { location: 'http://169.254.169.254/' } }))
  await assert.rejects(s3(t, moved.url).put('a', await bytes()), StorageError)
})

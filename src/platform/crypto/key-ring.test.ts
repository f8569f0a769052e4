import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { loadOrCreateKeyFile } from './key-file.ts'
import { parseKeyRing } from './key-ring.ts'
import { createEncryptor } from './encryptor.ts'

const key = (): string => randomBytes(32).toString('base64')

async function directory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-keys-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

test('key ring: the first key encrypts, and only known keys are found', () => {
  const ring = parseKeyRing(` new:${key()} , old:${key()},`)
  assert.equal(ring.encryptionKeyId, 'new')
  assert.ok(ring.key('old'))
  assert.equal(ring.key('other'), undefined)
})

test('key ring: an invalid key is named by its position, without its text', () => {
  const good = `a:${key()}`
  const cases = [
    ['', /no key/],
    [`${good},b:c2hvcnQ=`, /key 2/],
    [`:${key()}`, /key 1/],
    [`${good},${good}`, /key 2 has the id/],
    [key(), /key 1/],
  ] as const
  for (const [text, message] of cases) {
    assert.throws(
      () => parseKeyRing(text),
      (error: Error) => message.test(error.message) && !error.message.includes('c2hvcnQ'),
    )
  }
})

test('key ring: a printed ring shows no key', () => {
  const secret = key()
  assert.ok(
    !inspect(parseKeyRing(`a:${secret}`), { depth: 9, showHidden: true }).includes(secret.slice(0, 12)),
  )
})

test('key file: the file is created once, for its owner only', async (t) => {
  const path = await directory(t)
  const sealed = createEncryptor(await loadOrCreateKeyFile(path)).encryptWithRing('secret', 'here')
  assert.equal(createEncryptor(await loadOrCreateKeyFile(path)).decrypt(sealed, 'here'), 'secret')
  assert.equal((await stat(join(path, 'encryption.keys'))).mode & 0o777, 0o600)
  assert.match(await readFile(join(path, 'encryption.keys'), 'utf8'), /^k[0-9a-f]{10}:[A-Za-z0-9+/]{43}=\n$/)
  assert.deepEqual(await readdir(path), ['encryption.keys'])
})

test('key file: twenty processes that start together use one key', async (t) => {
  const path = join(await directory(t), 'new')
  const rings = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateKeyFile(path)))
  assert.equal(new Set(rings.map((ring) => ring.encryptionKeyId)).size, 1)
  assert.deepEqual(await readdir(path), ['encryption.keys'])
})

test('key file: a file that others can read is rejected with a fix', async (t) => {
  const path = await directory(t)
  await loadOrCreateKeyFile(path)
  await chmod(join(path, 'encryption.keys'), 0o640)
  await assert.rejects(loadOrCreateKeyFile(path), {
    name: 'StartupError',
    message: /mode 640/,
    fix: /chmod 600/,
  })
})

test('key file: a damaged file is rejected and not changed', async (t) => {
  const path = await directory(t)
  await writeFile(join(path, 'encryption.keys'), 'half a k', { mode: 0o600 })
  await assert.rejects(loadOrCreateKeyFile(path), { name: 'StartupError', message: /key 1 is not/ })
  assert.equal(await readFile(join(path, 'encryption.keys'), 'utf8'), 'half a k')
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { addKey, keepFirstKey } from './key-file-change.ts'
import { loadOrCreateKeyFile } from './key-file.ts'
import { parseKeyRing } from './key-ring.ts'
import { loadKeyRing } from './key-source.ts'
import { createEncryptor } from './encryptor.ts'

async function directory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-ring-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}
const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
/** As if so many milliseconds had passed. */
function passing(t: TestContext): (ms: number) => void {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  return (ms) => {
    now += ms
  }
}

test('key source: a running process decrypts values of a new key at once', async (t) => {
  const dataDir = await directory(t)
  passing(t)
  const running = createEncryptor(await loadOrCreateKeyFile(dataDir))
  await addKey(dataDir)
  const later = createEncryptor(await loadOrCreateKeyFile(dataDir))
  assert.equal(running.decrypt(later.encryptWithRing('x', 'here'), 'here'), 'x')
})

test('key source: a process uses the new first key after a second, and decrypts with a removed one', async (t) => {
  const dataDir = await directory(t)
  const pass = passing(t)
  const ring = await loadOrCreateKeyFile(dataDir)
  const { encryptWithRing: seal, decrypt: open } = createEncryptor(ring)
  const [first, old] = [ring.encryptionKeyId, seal('old', 'here')]
  const added = await addKey(dataDir)
  assert.equal(ring.encryptionKeyId, first)
  pass(1_001)
  assert.deepEqual([ring.encryptionKeyId, ring.ids], [added, [added, first]])
  assert.deepEqual(await keepFirstKey(dataDir), [first])
  pass(1_001)
  assert.deepEqual([ring.encryptionKeyId, ring.ids, open(old, 'here')], [added, [added], 'old'])
  const fresh = createEncryptor(await loadOrCreateKeyFile(dataDir))
  assert.throws(() => fresh.decrypt(old, 'here'), /is not in the key ring/)
})

test('key source: a damaged or missing file keeps the known keys, and is read again when it is valid', async (t) => {
  const dataDir = await directory(t)
  const file = join(dataDir, 'encryption.keys')
  const pass = passing(t)
  const ring = await loadOrCreateKeyFile(dataDir)
  const first = ring.encryptionKeyId
  const text = await readFile(file, 'utf8')
  for (const damage of [() => writeFile(file, 'nonsense'), () => chmod(file, 0o644), () => rm(file)]) {
    await damage()
    pass(1_001)
    assert.equal(ring.encryptionKeyId, first)
  }
  await writeFile(file, `${entry('mended')}\n${text}`, { mode: 0o600 })
  pass(1_001)
  assert.equal(ring.encryptionKeyId, 'mended')
})

test("the changed file is still its owner's alone, and keeps the keys that were in it", async (t) => {
  const dataDir = await directory(t)
  const first = (await loadOrCreateKeyFile(dataDir)).encryptionKeyId
  await writeFile(join(dataDir, 'encryption.keys.new'), 'left by a run that was killed', { mode: 0o644 })
  const added = await addKey(dataDir)
  assert.equal((await stat(join(dataDir, 'encryption.keys'))).mode & 0o777, 0o600)
  assert.deepEqual((await loadOrCreateKeyFile(dataDir)).ids, [added, first])
  await assert.rejects(addKey(join(dataDir, 'nowhere')), {
    name: 'StartupError',
    message: /cannot be changed: it is missing/,
  })
})

test('key source: a source without changes is loaded once', async () => {
  let loads = 0
  const ring = await loadKeyRing({
    name: 'a vault',
    async load() {
      loads++
      return parseKeyRing(entry('a'))
    },
  })
  assert.deepEqual([ring.encryptionKeyId, ring.key('b'), loads], ['a', undefined, 1])
})

test('encryption: a value that is encrypted again needs the new key and its context', () => {
  const [old, next] = [entry('old'), entry('next')]
  const before = createEncryptor(parseKeyRing(old)).encryptWithRing({ a: [1, 'ü'] }, 'here')
  const both = createEncryptor(parseKeyRing(`${next},${old}`))
  const after = both.reencrypt(before, 'here')
  assert.deepEqual(createEncryptor(parseKeyRing(next)).decrypt(after, 'here'), { a: [1, 'ü'] })
  assert.throws(() => both.reencrypt(before, 'there'), { name: 'EncryptionError' })
})

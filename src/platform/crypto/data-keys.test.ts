import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DataKeyCache, type DataKeyPurpose, type DataKeyStore, type StoredDataKey } from './data-keys.ts'
import { createEncryptor } from './encryptor.ts'
import { parseKeyRing } from './key-ring.ts'

const RING = parseKeyRing(`k1:${Buffer.alloc(32, 1).toString('base64')}`)

/** A store in memory that counts its statements. */
function memoryStore() {
  const rows = new Map<string, StoredDataKey & { purpose: DataKeyPurpose }>()
  const isUsed = ({ purpose, is_current }: StoredDataKey & { purpose: DataKeyPurpose }) =>
    purpose === 'hashing' || is_current
  const erased = new Set<string>()
  const store: DataKeyStore & { statements: number } = {
    statements: 0,
    async findOrCreate(projectId, purpose, create) {
      store.statements++
      const current = () =>
        [...rows.values()].find(
          (row) => row.project_id === projectId && row.purpose === purpose && isUsed(row),
        )
      await Promise.resolve()
      if (!current() && !erased.has(projectId)) {
        const key = { ...create(), project_id: projectId, purpose, is_current: purpose === 'encryption' }
        rows.set(key.id, key)
      }
      return current()
    },
    async find(ids) {
      store.statements++
      return ids.flatMap((id) => rows.get(id) ?? [])
    },
  }
  return { store, rows, erased }
}

test('data keys: a process asks the store once, however many values it encrypts and decrypts', async () => {
  const { store } = memoryStore()
  const writer = createEncryptor(RING).withStore(store)
  const values = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => (await writer.ofProject('p')).encrypt(n, 'here')),
  )
  assert.equal(store.statements, 1)
  for (const [n, value] of values.entries()) assert.equal(writer.decrypt(value, 'here'), n)
  assert.equal(writer.loadKeys(values), undefined)
  const reader = createEncryptor(RING).withStore(store)
  await reader.loadKeys(values)
  for (const value of values) reader.decrypt(value, 'here')
  await reader.ofProject('p')
  assert.equal(store.statements, 2, 'a key that was read to decrypt also encrypts')
})

test('data keys: a value of a project cannot be decrypted with the key ring alone', async () => {
  const { store, rows } = memoryStore()
  const value = (await createEncryptor(RING).withStore(store).ofProject('p')).encrypt('secret', 'here')
  rows.clear()
  const other = createEncryptor(RING).withStore(store)
  await other.loadKeys([value])
  assert.throws(
    () => other.decrypt(value, 'here'),
    /The data key "dk_\w+" does not exist: its project was deleted/,
  )
})

test('data keys: an erased project gets no other data key', async () => {
  const { store, erased } = memoryStore()
  erased.add('p')
  await assert.rejects(createEncryptor(RING).withStore(store).ofProject('p'), /project p has no data key/)
})

test('data keys: a process forgets the destroyed keys of a project, also if it missed the notification', async () => {
  for (const forget of ['notified', 'missed'] as const) {
    const { store, rows, erased } = memoryStore()
    const encryptor = createEncryptor(RING).withStore(store)
    const value = (await encryptor.ofProject('p')).encrypt('secret', 'here')
    const other = (await encryptor.ofProject('q')).encrypt('kept', 'here')
    rows.delete([...rows.values()].find((row) => row.project_id === 'p')!.id)
    erased.add('p')
    assert.equal(encryptor.decrypt(value, 'here'), 'secret')
    if (forget === 'notified') await encryptor.forgetProject('p')
    else await encryptor.recheckKeys()
    assert.throws(() => encryptor.decrypt(value, 'here'), /does not exist/)
    assert.equal(encryptor.decrypt(other, 'here'), 'kept')
    await assert.rejects(encryptor.ofProject('p'), /has no data key/)
  }
})

test('data keys: memory is bounded, and a key that was dropped is read again', async () => {
  const { store } = memoryStore()
  const cache = new DataKeyCache(2)
  const encryptor = createEncryptor(RING, cache).withStore(store)
  const first = (await encryptor.ofProject('p1')).encrypt('one', 'here')
  for (const id of ['p2', 'p3', 'p4']) await encryptor.ofProject(id)
  assert.equal(cache.ids().length, 2)
  const load = encryptor.loadKeys([first])
  assert.ok(load)
  await load
  assert.equal(encryptor.decrypt(first, 'here'), 'one')
})

test('data keys: a process that missed a replacement still decrypts, and encrypts with the new key after a check', async () => {
  const { store, rows } = memoryStore()
  const encryptor = createEncryptor(RING).withStore(store)
  const before = (await encryptor.ofProject('p')).encrypt('secret', 'here')
  const [former] = rows.keys()
  rows.set(former!, { ...rows.get(former!)!, is_current: false })
  await encryptor.recheckKeys()
  const after = (await encryptor.ofProject('p')).encrypt('secret', 'here')
  const keyOf = (value: Buffer) => value.toString('latin1', 2, 2 + value[1]!)
  assert.equal(keyOf(before), former)
  assert.notEqual(keyOf(after), former)
  assert.deepEqual(
    [encryptor.decrypt(before, 'here'), encryptor.decrypt(after, 'here')],
    ['secret', 'secret'],
  )
})

test('data keys: hashes of a project stay the same when its key is renewed, and differ between projects', async () => {
  const { store, rows } = memoryStore()
  const encryptor = createEncryptor(RING).withStore(store)
  const hash = async (projectId: string, text: string) =>
    (await encryptor.hasherOf(projectId))(text).toString('hex')
  await encryptor.ofProject('p')
  const before = await hash('p', 'text')
  for (const row of rows.values()) if (row.purpose === 'encryption') row.is_current = false
  await encryptor.recheckKeys()
  await encryptor.ofProject('p')
  assert.deepEqual([await hash('p', 'text'), before.length], [before, 64])
  assert.notEqual(await hash('q', 'text'), before)
  assert.notEqual(await hash('p', 'other'), before)
  assert.equal(await hash('p', 'text'), before, 'the key in memory is that of the store')
  const other = createEncryptor(RING).withStore(store)
  assert.equal((await other.hasherOf('p'))('text').toString('hex'), before)
})

test('data keys: the key of hashes is forgotten with the project, and never encrypts', async () => {
  const { store, rows, erased } = memoryStore()
  const encryptor = createEncryptor(RING).withStore(store)
  await encryptor.hasherOf('p')
  const [hashing] = rows.keys()
  const forged = Buffer.concat([Buffer.from([2, hashing!.length]), Buffer.from(hashing!), Buffer.alloc(60)])
  await encryptor.loadKeys([forged])
  const value = (await encryptor.ofProject('p')).encrypt('secret', 'here')
  assert.notEqual(value.toString('latin1', 2, 2 + value[1]!), hashing)
  rows.clear()
  erased.add('p')
  await encryptor.forgetProject('p')
  await assert.rejects(encryptor.hasherOf('p'), /has no data key/)
})

/** A store whose next read of a key returns the state before `change`, after the process was notified of the change. */
function lateStore({ store }: ReturnType<typeof memoryStore>) {
  let change: (() => void) | undefined
  const late = async <T>(read: () => Promise<T>): Promise<T> => {
    const result = structuredClone(await read())
    change?.()
    change = undefined
    return result
  }
  return {
    duringNextRead: (next: () => void) => void (change = next),
    store: {
      findOrCreate: (...args) => late(() => store.findOrCreate(...args)),
      find: (ids) => late(() => store.find(ids)),
    } satisfies DataKeyStore,
  }
}

test('data keys: a key that is replaced while it is read encrypts nothing afterwards', async () => {
  for (const isToDecrypt of [false, true]) {
    const memory = memoryStore()
    const { store, duringNextRead } = lateStore(memory)
    const value = (await createEncryptor(RING).withStore(memory.store).ofProject('p')).encrypt(1, 'here')
    const [former] = memory.rows.values()
    const encryptor = createEncryptor(RING).withStore(store)
    duringNextRead(() => {
      former!.is_current = false
      const next = { ...encryptor.newDataKey(), project_id: 'p', is_current: true }
      memory.rows.set(next.id, { ...next, purpose: 'encryption' })
      void encryptor.forgetProject('p')
    })
    if (isToDecrypt) await encryptor.loadKeys([value])
    const encrypted = (await encryptor.ofProject('p')).encrypt(2, 'here')
    assert.ok(!encrypted.includes(former!.id), isToDecrypt ? 'read to decrypt' : 'read to encrypt')
    await encryptor.loadKeys([value])
    assert.equal(encryptor.decrypt(value, 'here'), 1)
  }
})

test('data keys: a key that is destroyed while it is read is not in memory afterwards', async () => {
  const memory = memoryStore()
  const { store, duringNextRead } = lateStore(memory)
  const value = (await createEncryptor(RING).withStore(memory.store).ofProject('p')).encrypt(1, 'here')
  const encryptor = createEncryptor(RING).withStore(store)
  duringNextRead(() => {
    memory.rows.clear()
    void encryptor.forgetProject('p')
  })
  await encryptor.loadKeys([value])
  assert.throws(() => encryptor.decrypt(value, 'here'), /does not exist: its project was deleted/)
})

test('data keys: a value that was read before its key was replaced is decrypted after the notification', async () => {
  const { store, rows } = memoryStore()
  const encryptor = createEncryptor(RING).withStore(store)
  const own = await encryptor.ofProject('p')
  const value = own.encrypt(1, 'here')
  const [former] = rows.values()
  former!.is_current = false
  const next = { ...encryptor.newDataKey(), project_id: 'p', is_current: true }
  rows.set(next.id, { ...next, purpose: 'encryption' })
  const notified = encryptor.forgetProject('p')
  assert.equal(encryptor.decrypt(value, 'here'), 1)
  await notified
  assert.equal(encryptor.decrypt(value, 'here'), 1)
  assert.equal(encryptor.decrypt(own.encrypt(2, 'here'), 'here'), 2, 'what is being stored is stored')
  assert.ok((await encryptor.ofProject('p')).encrypt(3, 'here').includes(next.id))
})

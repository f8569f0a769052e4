import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseKeyRing } from './key-ring.ts'
import { createSaltSource } from './derived-keys.ts'
import { EncryptionError } from './encryption-error.ts'
import { createEncryptor } from './encryptor.ts'

const entry = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`
const first = entry('k1')
const second = entry('k2')

test('encryption: every JSON value is decrypted in its context', () => {
  const { encryptWithRing: seal, decrypt: open } = createEncryptor(parseKeyRing(first))
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, context) => {
      assert.deepEqual(open(seal(value, context), context), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('encryption: a value with a changed byte cannot be decrypted', () => {
  const { encryptWithRing: seal, decrypt: open } = createEncryptor(parseKeyRing(`${first},${second}`))
  const sealed = seal({ access_token: 'secret' }, 'connected_accounts:ca_x:val')
  for (let position = 0; position < sealed.length; position++) {
    for (const flip of [0x01, 0x03, 0x80, 0xff]) {
      // 0x03 turns the id k1 into k2.
      const changed = Buffer.from(sealed)
      changed[position]! ^= flip
      assert.throws(() => open(changed, 'connected_accounts:ca_x:val'), EncryptionError, `byte ${position}`)
    }
  }
})

test('encryption: a shortened, extended or invented value cannot be decrypted', () => {
  const { encryptWithRing: seal, decrypt: open } = createEncryptor(parseKeyRing(first))
  const sealed = seal('secret', 'here')
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => open(sealed.subarray(0, length), 'here'), EncryptionError)
  assert.throws(() => open(Buffer.concat([sealed, Buffer.alloc(1)]), 'here'), EncryptionError)
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.throws(() => open(bytes, 'here'), EncryptionError)
    }),
  )
})

test('encryption: a value cannot be decrypted in another context', () => {
  const { encryptWithRing: seal, decrypt: open } = createEncryptor(parseKeyRing(first))
  fc.assert(
    fc.property(fc.string(), fc.string(), (here, there) => {
      fc.pre(here !== there)
      assert.throws(() => open(seal(1, here), there), EncryptionError)
    }),
  )
})

test('encryption: the same value is encrypted differently each time', () => {
  const { encryptWithRing: seal } = createEncryptor(parseKeyRing(first))
  assert.notDeepEqual(seal('secret', 'here'), seal('secret', 'here'))
})

test('encryption: after a rotation, old values can be decrypted and need encryption with the new key', () => {
  const before = createEncryptor(parseKeyRing(first))
  const after = createEncryptor(parseKeyRing(`${second},${first}`))
  const sealed = before.encryptWithRing('secret', 'here')
  assert.equal(after.decrypt(sealed, 'here'), 'secret')
  assert.equal(before.needsReencryption(sealed), false)
  assert.equal(after.needsReencryption(sealed), true)
  assert.equal(after.needsReencryption(after.encryptWithRing(after.decrypt(sealed, 'here'), 'here')), false)
})

test('encryption: a missing key is named, without parts of the value or of other keys', () => {
  const sealed = createEncryptor(parseKeyRing(first)).encryptWithRing('secret', 'here')
  assert.throws(() => createEncryptor(parseKeyRing(second)).decrypt(sealed, 'here'), {
    name: 'EncryptionError',
    message: /"k1" is not in the key ring/,
  })
})

test('encryption: any Uint8Array can be decrypted', () => {
  const { encryptWithRing: seal, decrypt: open } = createEncryptor(parseKeyRing(first))
  const sealed = seal('secret', 'here')
  const room = new Uint8Array(sealed.length + 10)
  room.set(sealed, 5)
  assert.equal(open(room.subarray(5, 5 + sealed.length), 'here'), 'secret')
})

test('encryption: only JSON values can be encrypted', () => {
  assert.throws(
    () => createEncryptor(parseKeyRing(first)).encryptWithRing(undefined, 'here'),
    EncryptionError,
  )
})

test('encryption: a process decrypts values of another process', () => {
  const [one, other] = [createEncryptor(parseKeyRing(first)), createEncryptor(parseKeyRing(first))]
  const [a, b] = [one.encryptWithRing('x', 'here'), other.encryptWithRing('x', 'here')]
  assert.equal(other.decrypt(a, 'here'), 'x')
  const salt = (sealed: Buffer) => sealed.subarray(2 + 2, 2 + 2 + 16).toString('hex')
  assert.notEqual(salt(a), salt(b))
  assert.equal(salt(one.encryptWithRing('y', 'there')), salt(a))
})

test('encryption: a salt is replaced after many values', () => {
  const [next, again] = [createSaltSource(3), createSaltSource(3)]
  const drawn = Array.from({ length: 4 }, next)
  assert.deepEqual(
    drawn.slice(0, 3).map((salt) => salt === drawn[0]),
    [true, true, true],
  )
  assert.notDeepEqual(drawn[3], drawn[0])
  assert.notDeepEqual(again(), drawn[0])
})

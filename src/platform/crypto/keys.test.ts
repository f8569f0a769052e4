import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasKeyChecksum, hashKey, maskKey, newApiKey, timingSafeEqualText } from './keys.ts'

test('api keys: a new key has its prefix, 26 equally likely letters or digits, and a checksum', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 3000; i++) {
    const key = newApiKey('oak')
    assert.match(key, /^oak_[A-Za-z0-9]{32}$/)
    for (const letter of key.slice(4, 30)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  const expected = (3000 * 26) / 62
  assert.equal(counts.size, 62)
  // Seven standard deviations: fails by chance once in 10^10 runs; with a plain `byte % 62` the first 8
  // letters have 25 % more.
  for (const count of counts.values()) assert.ok(Math.abs(count - expected) < 7 * Math.sqrt(expected))
})

test('api keys: the checksum recognizes a key, and no key with one wrong character', () => {
  const key = newApiKey('ak')
  assert.ok(hasKeyChecksum(key))
  for (let at = 0; at < key.length; at++) {
    const wrong = `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`
    assert.ok(!hasKeyChecksum(wrong), `character ${at}`)
  }
  // Computed with zlib.crc32 of Python: the six last digits are its value in base 62.
  assert.ok(hasKeyChecksum('ak_000000000000000000000000000B0oAf'))
})

test('api keys: a mask shows the prefix and the last four characters, and nothing of a short key', () => {
  assert.equal(maskKey('ak_4kTq2cTnXo9wAAAAUbOz'), 'ak_**UbOz')
  assert.equal(maskKey('oak_4kTq2cTnXo9wAAAAUbOz'), 'oak_**UbOz')
  assert.equal(maskKey('ak_short'), 'ak_**')
  assert.equal(maskKey('no prefix but a long secret'), '**cret')
})

test('api keys: a key is stored as its SHA-256', () => {
  assert.equal(
    hashKey('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

test('api keys: two secrets are equal only if all characters are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      assert.equal(timingSafeEqualText(a, b), a === b)
      assert.ok(timingSafeEqualText(a, a))
    }),
  )
})

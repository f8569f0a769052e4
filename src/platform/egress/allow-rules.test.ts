import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAllowRules } from './allow-rules.ts'

test('egress rules: addresses, ranges and names are parsed, with and without a port', () => {
  assert.deepEqual(
    parseAllowRules('10.0.0.5, 10.1.0.0/16:8080 ,[fd00::/8]:443,fd00::1,[::1],Db.Internal:5432,localhost'),
    [
      { kind: 'range', address: '10.0.0.5', bits: 32 },
      { kind: 'range', address: '10.1.0.0', bits: 16, port: 8080 },
      { kind: 'range', address: 'fd00::', bits: 8, port: 443 },
      { kind: 'range', address: 'fd00::1', bits: 128 },
      { kind: 'range', address: '::1', bits: 128 },
      { kind: 'host', host: 'db.internal', port: 5432 },
      { kind: 'host', host: 'localhost' },
    ],
  )
  assert.deepEqual(parseAllowRules(''), [])
})

test('egress rules: an IPv4 range written in IPv6 is the IPv4 range', () => {
  assert.deepEqual(parseAllowRules('::ffff:10.0.0.0/104'), [{ kind: 'range', address: '10.0.0.0', bits: 8 }])
})

test('egress rules: an invalid entry is rejected by name', () => {
  const wrong = [
    '10.0.0.0/33',
    '10.0.0.1:0',
    '10.0.0.1:65536',
    '127.1',
    '0x7f000001',
    '*.internal',
    'a b',
    '[10.0.0.1]',
    '[host]:1',
    'fd00::1]:80',
    'http://a',
    'user@host',
    'host/path',
    '10.0.0.0/8/8',
    'a..b',
    '[::1]x',
    ':80',
    'fd00::zz',
  ]
  for (const entry of wrong) {
    assert.throws(
      () => parseAllowRules(`10.0.0.1,${entry}`),
      (error: Error) => error.message.includes(`\`${entry}\` is not`),
      entry,
    )
  }
})

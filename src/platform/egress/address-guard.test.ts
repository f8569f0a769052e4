import assert from 'node:assert/strict'
import type { LookupFunction } from 'node:net'
import { test } from 'node:test'
import { createAddressGuard } from './address-guard.ts'
import { parseAllowRules } from './allow-rules.ts'

const closed = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '2001::1',
  '2001:db8::1',
  '2001:2::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '4000::1',
  'not an address',
  '',
]
const open = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
]

test('egress guard: only public addresses are allowed by default', () => {
  const guard = createAddressGuard([])
  for (const address of closed) assert.equal(guard.permits(address, 'a.example', 80), false, address)
  for (const address of open) assert.equal(guard.permits(address, 'a.example', 80), true, address)
})

test('egress guard: an IP address in a URL is checked without a resolver, in any spelling', () => {
  const guard = createAddressGuard([])
  const spellings = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '169.254.169.254',
  ]
  for (const host of spellings)
    assert.equal(guard.deniesLiteral(new URL(`http://${host}/`).hostname, 80), true, host)
  for (const host of ['8.8.8.8', '[2606:4700::1]', 'a.example', 'localhost.example'])
    assert.equal(guard.deniesLiteral(new URL(`http://${host}/`).hostname, 80), false, host)
})

test('egress guard: a rule allows its range, name and port only', () => {
  const guard = createAddressGuard(
    parseAllowRules('10.1.0.0/16,10.2.0.1:8080,[fd00::/8]:443,db.internal:5432'),
  )
  assert.equal(guard.permits('10.1.255.1', 'a.example', 1), true)
  assert.equal(guard.permits('::ffff:10.1.0.1', 'a.example', 1), true)
  assert.equal(guard.permits('10.2.0.1', 'a.example', 8080), true)
  assert.equal(guard.permits('10.2.0.1', 'a.example', 80), false)
  assert.equal(guard.permits('fd12::1', 'a.example', 443), true)
  assert.equal(guard.permits('fd12::1', 'a.example', 80), false)
  assert.equal(guard.permits('192.168.0.1', 'db.internal', 5432), true)
  assert.equal(guard.permits('192.168.0.1', 'db.internal.', 5432), true)
  assert.equal(guard.permits('192.168.0.1', 'db.internal', 80), false)
  assert.equal(guard.permits('192.168.0.1', 'x.db.internal', 5432), false)
})

test('egress guard: the resolver returns allowed addresses only', async () => {
  const lookup = ((_name, _options, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '8.8.8.8', family: 4 },
    ])) as LookupFunction
  const guarded = createAddressGuard([], lookup).lookupFor('a.example', 80)
  assert.deepEqual(await answerOf(guarded, true), [{ address: '8.8.8.8', family: 4 }])
  assert.deepEqual(await answerOf(guarded, false), '8.8.8.8')
})

test('egress guard: a name with denied addresses only is rejected without showing them', async () => {
  const lookup = ((_name, _options, callback) =>
    callback(null, [{ address: '10.9.8.7', family: 4 }])) as LookupFunction
  const refusal = await answerOf(createAddressGuard([], lookup).lookupFor('a.example', 80), true).catch(
    (error: Error) => error,
  )
  assert.ok(refusal instanceof Error)
  assert.equal((refusal as NodeJS.ErrnoException).code, 'ERR_ADDRESS_REFUSED')
  assert.ok(!refusal.message.includes('10.9'))
})

function answerOf(lookup: LookupFunction, all: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup('a.example', { all }, (error, answer) => (error ? reject(error) : resolve(answer)))
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIpOrRange, isIpAllowed } from './allowed-ips.ts'

test('an address matches itself however it is spelled', () => {
  for (const [ip, entry] of [
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '::ffff:10.0.0.1'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['2001:db8:0:0::1', '2001:DB8::1'],
  ] as const)
    assert.ok(isIpAllowed(ip, [entry]), `${ip} is ${entry}`)
  for (const [ip, entry] of [
    ['10.0.0.2', '10.0.0.1'],
    ['::1', '127.0.0.1'],
    ['2001:db8::2', '2001:db8::1'],
  ] as const)
    assert.ok(!isIpAllowed(ip, [entry]), `${ip} is not ${entry}`)
})

test('a range holds its addresses up to its edges, IPv4 ranges written as IPv6 too', () => {
  for (const entry of ['10.1.2.0/23', '::ffff:10.1.2.0/119']) {
    for (const ip of ['10.1.2.0', '10.1.3.255', '::ffff:10.1.3.255'])
      assert.ok(isIpAllowed(ip, [entry]), `${ip} in ${entry}`)
    for (const ip of ['10.1.1.255', '10.1.4.0', '::1'])
      assert.ok(!isIpAllowed(ip, [entry]), `${ip} not in ${entry}`)
  }
  assert.ok(isIpAllowed('198.51.100.1', ['0.0.0.0/0']) && !isIpAllowed('2001:db8::1', ['0.0.0.0/0']))
  assert.ok(isIpAllowed('2001:db8::1', ['::/0']) && !isIpAllowed('198.51.100.1', ['::/0']))
})

test('any entry of a list suffices, and a peer without an address never passes', () => {
  assert.ok(isIpAllowed('10.0.0.1', ['192.0.2.1', '10.0.0.0/8']))
  for (const ip of ['', 'undefined', 'localhost']) assert.ok(!isIpAllowed(ip, ['0.0.0.0/0', '::/0']))
})

test('spellings that programs read differently are not addresses', () => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::ffff:10.0.0.0/104'])
    assert.ok(isIpOrRange(text), text)
  for (const text of [
    '10',
    '10/8',
    '010.0.0.1',
    '0x0a.0.0.1',
    '10.0.0',
    '10.0.0.1/33',
    '::/129',
    '10.0.0.1/',
    '10.0.0.1/-1',
    '10.0.0.1/8/8',
    'fe80::1%eth0',
    'example.com',
    '/8',
    '*',
    ' 10.0.0.1',
  ]) {
    assert.ok(!isIpOrRange(text), text)
  }
})

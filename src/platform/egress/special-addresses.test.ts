import assert from 'node:assert/strict'
import type { LookupFunction } from 'node:net'
import { test } from 'node:test'
import { createEgress, parseAllowRules } from './index.ts'
import { fails, localEgress, namesResolveTo, serve } from '#fixtures/egress.ts'

const timeoutMs = 5_000

test('egress guard: loopback, private networks and cloud metadata are denied in every spelling', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end()
  })
  const egress = localEgress(t, { allow: [] })
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    '127.0.0.1.',
    '10.0.0.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[fe80::1]',
  ]
  for (const host of hosts)
    await assert.rejects(
      egress.send({ method: 'GET', url: `http://${host}:${server.port}/`, timeoutMs }),
      fails('refused_address'),
      host,
    )
  assert.equal(server.connections(), 0)
})

test('egress guard: a name that resolves to a private address is denied without showing the address', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end()
  })
  const egress = localEgress(t, {
    allow: [],
    lookup: namesResolveTo({ 'rebound.example': ['127.0.0.1', '::1'], 'meta.example': ['169.254.169.254'] }),
  })
  for (const host of ['rebound.example', 'meta.example']) {
    await assert.rejects(
      egress.send({ method: 'GET', url: `http://${host}:${server.port}/`, timeoutMs }),
      fails('refused_address', /EGRESS_ALLOW/, ['127.0', '169.254', '::1']),
    )
  }
  assert.equal(server.connections(), 0)
})

test('egress guard: a name is checked at each connection', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { connection: 'close' }).end()
  })
  const answers = ['127.0.0.1', '127.0.0.2'] // Only the first one is open.
  const lookup = ((_name, _options, callback) =>
    callback(null, [{ address: answers.shift()!, family: 4 }])) as LookupFunction
  const egress = localEgress(t, { allow: parseAllowRules('127.0.0.1'), lookup })
  const url = `http://rebound.example:${server.port}/`
  assert.equal((await egress.send({ method: 'GET', url, timeoutMs })).status, 200)
  await assert.rejects(egress.send({ method: 'GET', url, timeoutMs }), fails('refused_address'))
  assert.equal(server.connections(), 1)
})

test('egress guard: of several addresses only allowed ones are connected to', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end('right')
  })
  const lookup = namesResolveTo({ 'mixed.example': ['127.0.0.2', '127.0.0.1', '::1'] })
  const egress = localEgress(t, { allow: parseAllowRules('127.0.0.1'), lookup })
  assert.equal(
    (
      await egress.send({ method: 'GET', url: `http://mixed.example:${server.port}/`, timeoutMs })
    ).body.toString(),
    'right',
  )
})

test('egress guard: a rule for a name allows that name and port only', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end()
  })
  const lookup = namesResolveTo({ 'a.internal': ['127.0.0.1'], 'b.internal': ['127.0.0.1'] })
  const egress = createEgress({ allow: parseAllowRules(`a.internal:${server.port}`), lookup })
  t.after(() => egress.close())
  assert.equal(
    (await egress.send({ method: 'GET', url: `http://A.internal:${server.port}/`, timeoutMs })).status,
    200,
  )
  for (const url of [`http://b.internal:${server.port}/`, server.url, 'http://a.internal:1/']) {
    await assert.rejects(egress.send({ method: 'GET', url, timeoutMs }), fails('refused_address'), url)
  }
})

test('egress guard: a redirect to a private address is denied without showing it', async (t) => {
  const inside = await serve(t, (_request, response) => {
    response.end('secret')
  })
  const targets = [
    `http://127.0.0.2:${inside.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    `//[::1]:${inside.port}/`,
    'http://b.example/',
  ]
  const outside = await serve(t, (request, response) => {
    response.writeHead(302, { location: targets[Number(request.url!.slice(1))]! }).end()
  })
  const egress = localEgress(t, {
    allow: parseAllowRules(`127.0.0.1:${outside.port}`),
    lookup: namesResolveTo({ 'b.example': ['10.0.0.1'] }),
  })
  for (const index of targets.keys()) {
    await assert.rejects(
      egress.send({ method: 'GET', url: `${outside.url}/${index}`, timeoutMs }),
      fails('refused_address', /^127\.0\.0\.1:\d+ \(redirected\): /, [
        '127.0.0.2',
        '169.254',
        '::1',
        'b.example',
      ]),
    )
  }
  assert.equal(inside.connections(), 0)
})

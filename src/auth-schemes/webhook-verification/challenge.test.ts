import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { compileWebhook, parseDelivery, type HandshakeManifest } from '../../catalog/index.ts'
import { answerChallenge } from './challenge.ts'

const NAMES: Record<string, string> = { signing_secret: 's', verify_token: 'v-1', empty: '' }
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' }

function shake(
  handshake: HandshakeManifest,
  body: unknown,
  {
    headers = {},
    query = '',
    method = 'POST',
  }: { headers?: Record<string, string>; query?: string; method?: string } = {},
) {
  const [made] = compileWebhook(
    { handshake: [handshake] },
    { args: new Set(), usedArgs: new Set(), usedConnection: new Set(), report: { add: assert.fail } },
    '',
  ).handshakes
  const request = parseDelivery({
    method,
    url: `https://int.example/hook${query}`,
    headers,
    raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  })
  return made!.holds(request)
    ? answerChallenge(made!.manifest, request, (name) =>
        Object.hasOwn(NAMES, name) ? NAMES[name] : undefined,
      )
    : 'none'
}

test('challenge: a short text in the body is echoed, anything else is rejected', () => {
  const slack: HandshakeManifest = {
    when: [{ path: 'body.type', equals: 'url_verification' }],
    verified: true,
    values: { challenge: 'body.challenge' },
    reply: { json: { challenge: '{challenge}' } },
  }
  assert.deepEqual(shake(slack, { type: 'url_verification', challenge: '"c"' }), {
    status: 200,
    headers: JSON_TYPE,
    body: '{"challenge":"\\"c\\""}',
    save: {},
  })
  assert.equal(shake(slack, { type: 'event' }), 'none')
  for (const challenge of [undefined, null, { a: 1 }, [], '', 'c'.repeat(3_000)])
    assert.equal(shake(slack, { type: 'url_verification', challenge }), undefined)
})

test('challenge: a value in the query is echoed as plain text if the shared token matches', () => {
  const graph: HandshakeManifest = {
    when: [{ path: 'query.validationToken' }],
    values: { token: 'query.validationToken' },
    reply: { text: '{token}' },
  }
  assert.deepEqual(shake(graph, '', { query: '?validationToken=a%2Bb%3Cscript%3E' }), {
    status: 200,
    headers: TEXT_TYPE,
    body: 'a+b<script>',
    save: {},
  })
  const hub = (name: string): HandshakeManifest => ({
    when: [{ path: "query['hub.mode']", equals: 'subscribe' }],
    expect: { "query['hub.verify_token']": `{${name}}` },
    values: { challenge: "query['hub.challenge']" },
    reply: { text: '{challenge}' },
  })
  const visit = (token: string) => ({
    method: 'GET',
    query: `?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158`,
  })
  assert.equal((shake(hub('verify_token'), '', visit('v-1')) as { body: string }).body, '1158')
  for (const [name, token] of [
    ['verify_token', 'v-2'],
    ['verify_token', ''],
    ['empty', ''],
    ['unset', 'undefined'],
  ] as const)
    assert.equal(shake(hub(name), '', visit(token)), undefined)
  assert.deepEqual(shake({ when: [{ path: 'method', equals: 'HEAD' }], reply: {} }, '', { method: 'HEAD' }), {
    status: 200,
    headers: TEXT_TYPE,
    body: '',
    save: {},
  })
})

test('challenge: the response is signed if the manifest declares it', () => {
  const zoom: HandshakeManifest = {
    when: [{ path: 'body.event', equals: 'endpoint.url_validation' }],
    values: { plain: 'body.payload.plainToken' },
    sign: { name: 'signed', algorithm: 'sha256', key: '{signing_secret}', message: '{plain}' },
    reply: { json: { plainToken: '{plain}', encryptedToken: '{signed}' } },
  }
  const asked = { event: 'endpoint.url_validation', payload: { plainToken: 'qgg8' } }
  assert.deepEqual(JSON.parse((shake(zoom, asked) as { body: string }).body), {
    plainToken: 'qgg8',
    encryptedToken: createHmac('sha256', 's').update('qgg8').digest('hex'),
  })
  for (const key of ['{empty}', '{unset}'])
    assert.equal(shake({ ...zoom, sign: { ...zoom.sign!, key } }, asked), undefined)
})

test('challenge: declared values are saved, and no line break reaches a header', () => {
  const asana: HandshakeManifest = {
    when: [{ path: 'headers.x-hook-secret' }],
    values: { secret: 'headers.x-hook-secret' },
    save: { hook_secret: 'headers.x-hook-secret' },
    reply: { headers: { 'x-hook-secret': '{secret}' } },
  }
  assert.deepEqual(shake(asana, '', { headers: { 'x-hook-secret': 'b537' } }), {
    status: 200,
    headers: { 'x-hook-secret': 'b537', ...TEXT_TYPE },
    body: '',
    save: { hook_secret: 'b537' },
  })
  for (const secret of ['a\nb', 'ü', ''])
    assert.equal(shake(asana, '', { headers: { 'x-hook-secret': secret } }), undefined)
})

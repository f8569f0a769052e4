import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { exportJWK, type JSONWebKeySet, SignJWT, UnsecuredJWT } from 'jose'
import {
  compileWebhook,
  parseDelivery,
  type TriggerWebhookManifest,
  type VerifyManifest,
} from '../../catalog/index.ts'
import { TriggerWebhook } from '../../catalog/manifest/format/index.ts'
import { checkWebhook } from '../../catalog/manifest/lint/webhooks.ts'
import { PUBLISHED, type Vendor } from '#fixtures/published-webhook-signatures.ts'
import { DOCUMENTED, NOW_SECONDS } from '#fixtures/webhook-signatures.ts'
import { verifyDelivery } from './verify.ts'

const validateWebhook = new Ajv({ strict: false }).compile(TriggerWebhook)
const WEBHOOK_URL = 'https://int.example/api/v3.1/webhook_ingress/shop/we_1/trigger_event'
type Change = Partial<Pick<Vendor, 'headers' | 'body' | 'method' | 'url' | 'names'>> & {
  at?: number
  raw?: Buffer
  keys?: JSONWebKeySet
}

function isVerified(vendor: Vendor, change: Change = {}): Promise<boolean> {
  const {
    verify,
    names,
    headers,
    body,
    method = 'POST',
    url = WEBHOOK_URL,
    raw,
    at = NOW_SECONDS,
    keys,
  } = { ...vendor, ...change }
  const delivery = parseDelivery({
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    raw: raw ?? Buffer.from(body),
  })
  const events = verify.kind === 'token' && verify.each ? { events: 'body.value' } : {}
  const { itemsOf } = compileWebhook(
    { verify, ...events } as TriggerWebhookManifest,
    { args: new Set(), usedArgs: new Set(), usedConnection: new Set(), report: { add: assert.fail } },
    '',
  )
  return verifyDelivery(verify, delivery, {
    lookup: (name) => (Object.hasOwn(names, name) ? names[name] : undefined),
    now: at * 1_000,
    readEvents: () => itemsOf(delivery),
    fetchJwks: () => Promise.resolve(keys ?? { keys: [] }),
  })
}

test('webhook verification: accepts the published and documented examples of every vendor', async () => {
  for (const vendor of [...PUBLISHED, ...DOCUMENTED])
    assert.equal(await isVerified(vendor), true, vendor.name)
})

test('webhook verification: every manifest in the fixtures is valid', () => {
  for (const { name, verify, names } of [...PUBLISHED, ...DOCUMENTED]) {
    const wrong: string[] = []
    const webhook: TriggerWebhookManifest = {
      verify,
      registration: {
        request: { method: 'POST', path: '/hooks' },
        remove: { method: 'DELETE', path: '/hooks' },
      },
    }
    assert.ok(validateWebhook(webhook), name)
    checkWebhook(webhook, new Set(Object.keys(names)), '', {
      add: (path, reason) => wrong.push(`${path} ${reason}`),
    })
    assert.deepEqual(
      wrong.filter((one) => !/signs nothing of the body/.test(one)),
      [],
      name,
    )
  }
})

test('webhook verification: rejects a delivery after a change of one byte, one letter or one second', async () => {
  for (const vendor of [...PUBLISHED, ...DOCUMENTED]) {
    const { headers, body, names, verify } = vendor
    const signed =
      verify.kind !== 'token' && !/token\}$/.test('message' in verify ? (verify.message ?? '') : '')
    const changes: [string, Change][] = [
      ['no secret', { names: {} }],
      ['an empty secret', { names: Object.fromEntries(Object.keys(names).map((name) => [name, ''])) }],
      [
        'another secret',
        {
          names: Object.fromEntries(
            Object.entries(names).map(([name, value]) => [
              name,
              value.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')).replace(/^(whsec_)?./, '$1Z'),
            ]),
          ),
        },
      ],
      ...(signed
        ? ([
            ['another body', { body: body.replace(/[a-z]/, 'Q') }],
            ['a longer body', { body: `${body} ` }],
            ['bytes that are no text', { raw: Buffer.concat([Buffer.from(body), Buffer.from([0xff])]) }],
          ] as [string, Change][])
        : []),
      ...Object.keys(headers)
        .filter((name) => name !== 'content-type' && name !== 'x-goog-resource-state')
        .flatMap((name): [string, Change][] => [
          [
            `no ${name}`,
            { headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)) },
          ],
          [`an empty ${name}`, { headers: { ...headers, [name]: '' } }],
          [`a cut ${name}`, { headers: { ...headers, [name]: headers[name]!.slice(0, -4) } }],
          [
            `${name} twice`,
            {
              headers: {
                ...headers,
                [name]: `${headers[name]!.replace(/.$/, '0')}, ${headers[name]!.slice(0, 9)}`,
              },
            },
          ],
          [`an endless ${name}`, { headers: { ...headers, [name]: 'a,'.repeat(20_000) } }],
        ]),
    ]
    if ('timestamp' in verify && verify.timestamp) {
      const { tolerance_seconds: tolerance = 300 } = verify.timestamp
      const at = (PUBLISHED as (Vendor & { at?: number })[]).find((one) => one === vendor)?.at ?? NOW_SECONDS
      changes.push(['too old', { at: at + tolerance + 1 }], ['from the future', { at: at - tolerance - 1 }])
      assert.equal(await isVerified(vendor, { at: at + tolerance }), true, `${vendor.name}: as old as may be`)
    }
    for (const [what, change] of changes)
      assert.equal(await isVerified(vendor, change), false, `${vendor.name}: ${what}`)
  }
})

test('webhook verification: checks URL, method and every event where they are signed', async () => {
  const of = (name: string) => DOCUMENTED.find((one) => one.name === name)!
  for (const [name, change] of [
    ['HubSpot v3', { method: 'PUT' }],
    ['HubSpot v3', { url: `${WEBHOOK_URL}?a=1` }],
    ['Trello', { url: WEBHOOK_URL.replace('we_1', 'we_2') }],
    ['Square', { url: WEBHOOK_URL.replace('https', 'http') }],
    [
      'Microsoft Graph',
      {
        body: JSON.stringify({
          value: [{ clientState: 'a-secret-of-the-vendor' }, { clientState: 'other' }],
        }),
      },
    ],
    ['Microsoft Graph', { body: '{"value":[]}' }],
    ['Microsoft Graph', { body: '{"value":[{}]}' }],
    ['Mailgun', { body: '[' }],
    ['Mailgun', { body: '{"signature":{"timestamp":{},"token":[],"signature":true}}' }],
    ['Linear', { body: '['.repeat(100_000) }],
    ['GitLab', { headers: { 'x-gitlab-token': 'a-secret-of-the-vendor\0' } }],
  ] as [string, Change][])
    assert.equal(await isVerified(of(name), change), false, name)
  assert.equal(
    await isVerified({ ...of('GitLab'), verify: { kind: 'address' }, names: {} }, { headers: {} }),
    true,
  )
})

test('webhook verification: verifies the raw body, also one that is not text', async () => {
  const raw = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x7b])
  const github = PUBLISHED[0]!
  assert.equal(
    await isVerified(github, {
      names: { webhook_secret: 's' },
      raw,
      headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', 's').update(raw).digest('hex')}` },
    }),
    true,
  )
})

const [pair, other] = [
  generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  generateKeyPairSync('rsa', { modulusLength: 2_048 }),
]
const KEYS = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }] }
const JWT_MANIFEST: VerifyManifest = {
  kind: 'jwt',
  at: 'headers.authorization',
  prefix: 'Bearer ',
  algorithms: ['RS256'],
  jwks_url: 'https://keys.example/certs',
  issuer: 'https://accounts.example',
  audience: '{audience}',
  claims: { email: '{email}', email_verified: 'true' },
}
const signToken = (
  claims: object = {},
  { key = pair.privateKey, ends = NOW_SECONDS + 60, alg = 'RS256' } = {},
) =>
  new SignJWT({
    email: 'push@app.example',
    email_verified: true,
    iss: 'https://accounts.example',
    aud: 'https://int.example',
    ...claims,
  })
    .setProtectedHeader({ alg, kid: 'k1' })
    .setExpirationTime(ends)
    .sign(key)
const vendorWithToken = (token: string): Vendor => ({
  name: 'Pub/Sub',
  verify: JWT_MANIFEST,
  names: { audience: 'https://int.example', email: 'push@app.example' },
  headers: { authorization: `Bearer ${token}` },
  body: '{}',
})

test('webhook verification: JWTs must match keys, times, issuer, audience and claims', async () => {
  const right = await signToken()
  assert.equal(await isVerified(vendorWithToken(right), { keys: KEYS }), true)
  assert.equal(await isVerified(vendorWithToken(right)), false, 'no keys')
  const forged = await new SignJWT({
    email: 'push@app.example',
    email_verified: true,
    iss: 'https://accounts.example',
    aud: 'https://int.example',
  })
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .setExpirationTime('1h')
    .sign(Buffer.from(pair.publicKey.export({ type: 'spki', format: 'pem' }) as string))
  for (const token of [
    await signToken({ email: 'other@app.example' }),
    await signToken({ email_verified: false }),
    await signToken({ email: ['push@app.example'] }),
    await signToken({ aud: 'https://other.example' }),
    await signToken({ iss: 'https://evil.example' }),
    await signToken({}, { key: other.privateKey }),
    await signToken({}, { ends: NOW_SECONDS - 61 }),
    await signToken({ nbf: NOW_SECONDS + 600 }),
    new UnsecuredJWT({ email: 'push@app.example' }).encode(),
    forged,
    '',
    'a.b.c',
    `${right.slice(0, -3)}AAA`,
    'a'.repeat(17_000),
  ])
    assert.equal(await isVerified(vendorWithToken(token), { keys: KEYS }), false, token.slice(0, 60))
})

test('webhook verification: JWTs with a shared secret must match secret and issuer', async () => {
  const shared: Vendor = {
    ...vendorWithToken(''),
    verify: {
      kind: 'jwt',
      at: 'headers.authorization',
      prefix: 'Bearer ',
      algorithms: ['HS256'],
      key: '{client_secret}',
      issuer: '{client_id}',
    },
    names: { client_secret: 's'.repeat(32), client_id: 'c-1' },
  }
  const hs = await new SignJWT({ iss: 'c-1' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(NOW_SECONDS + 60)
    .sign(Buffer.from('s'.repeat(32)))
  assert.equal(await isVerified(shared, { headers: { authorization: `Bearer ${hs}` } }), true)
  for (const names of [
    { client_secret: '', client_id: 'c-1' },
    { client_id: 'c-1' },
    { client_secret: 's'.repeat(31), client_id: 'c-1' },
    { client_secret: 's'.repeat(32), client_id: 'c-2' },
  ])
    assert.equal(
      await isVerified(shared, { names: names as never, headers: { authorization: `Bearer ${hs}` } }),
      false,
    )
})

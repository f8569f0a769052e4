import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { upstream } from '#fixtures/upstream.ts'
import { createWebhook, readWebhook, testWebhook, updateWebhook } from '../../../contract/webhooks/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  newSecret,
  newSigningKey,
  publicKeyOf,
  signature,
  signer,
} from '../../../platform/webhook-signature.ts'

/** Verifies as Standard Webhooks describes it: https://www.standardwebhooks.com, "Asymmetric signatures". */
function isSigned(publicKey: string, signed: string, signatures: string): boolean {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return signatures
    .split(' ')
    .filter((one) => one.startsWith('v1a,'))
    .some((one) => verify(null, Buffer.from(signed), key, Buffer.from(one.slice('v1a,'.length), 'base64')))
}

test('asymmetric signatures: the public key verifies what the signing key signed, and nothing else', () => {
  const [key, other, secret] = [newSigningKey(), newSigningKey(), newSecret()]
  assert.match(publicKeyOf(key), /^whpk_[A-Za-z0-9+/]{43}=$/)
  const signatures = signer([secret], key)('msg_1', 1_700_000_000, '{"a":1}')
  assert.ok(isSigned(publicKeyOf(key), 'msg_1.1700000000.{"a":1}', signatures))
  assert.ok(!isSigned(publicKeyOf(key), 'msg_1.1700000000.{"a":2}', signatures))
  assert.ok(!isSigned(publicKeyOf(other), 'msg_1.1700000000.{"a":1}', signatures))
  assert.ok(
    signatures.startsWith(signature([secret], 'msg_1', 1_700_000_000, '{"a":1}')),
    'HMAC signatures stay',
  )
})

test('asymmetric signatures: a subscription signs with its key, which no response or row has in clear', async (t) => {
  const s = await testApp(t)
  const receiver = await upstream(t)
  const { body: made } = await s.call(createWebhook, {
    body: {
      webhook_url: `${receiver.url}/hook`,
      enabled_events: ['service.trigger.message'],
      asymmetric_signatures: true,
    },
  })
  const params = { id: made.id }
  const deliver = async () => {
    assert.equal((await s.call(testWebhook, { params })).body.delivered, true)
    const { headers, body } = receiver.requests.at(-1)!
    return {
      signed: `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`,
      signatures: String(headers['webhook-signature']),
    }
  }
  const publicKey = made.public_key as string
  const first = await deliver()
  assert.ok(isSigned(publicKey, first.signed, first.signatures))
  const change = (body: object) => s.call(updateWebhook, { params, body })
  assert.equal((await change({ asymmetric_signatures: true })).body.public_key, publicKey, 'the key stays')
  assert.equal((await change({ max_at_once: 3 })).body.public_key, publicKey)
  assert.equal((await s.call(readWebhook, { params })).body.public_key, publicKey)

  const [row] = await s.app.db.rows<{ text: string }>(
    sql`select encode(signing_key, 'escape') as text from webhook_subscriptions`,
  )
  assert.ok(row && !row.text.includes('MC4CAQ'), 'the start of every Ed25519 key in PKCS #8')
  assert.equal((await change({ asymmetric_signatures: false })).body.public_key, null)
  assert.doesNotMatch((await deliver()).signatures, /v1a/)
  assert.notEqual((await change({ asymmetric_signatures: true })).body.public_key, publicKey)
})

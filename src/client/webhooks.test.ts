import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret, newSigningKey, publicKeyOf, signer } from '../platform/webhook-signature.ts'
import { verifyWebhook, WebhookVerificationError } from './index.ts'

const BODY = '{"id":"evt_1","type":"service.trigger.message","data":{"text":"ü"}}'

function delivery(
  secrets: readonly string[],
  signingKey?: string,
  timestamp = Math.floor(Date.now() / 1_000),
) {
  const headers = {
    'webhook-id': 'evt_1',
    'Webhook-Timestamp': String(timestamp),
    'webhook-signature': signer(secrets, signingKey)('evt_1', timestamp, BODY),
  }
  return { headers, body: BODY }
}

test('client webhooks: a delivery is verified with its secret and with its public key', async () => {
  const [secret, key] = [newSecret(), newSigningKey()]
  const publicKey = publicKeyOf(key)
  const signed = delivery([newSecret(), secret], key)
  for (const proof of [{ secret }, { publicKey }, { secret: newSecret(), publicKey }]) {
    const event = await verifyWebhook({ ...signed, ...proof })
    assert.deepEqual([event.type, event.data], ['service.trigger.message', { text: 'ü' }])
  }
  const bytes = { ...signed, body: new TextEncoder().encode(BODY), headers: new Headers(signed.headers) }
  assert.equal((await verifyWebhook({ ...bytes, secret })).id, 'evt_1')
  // Each of the two entries of a secret is enough.
  const [, , text, decoded] = signed.headers['webhook-signature'].split(' ')
  for (const entry of [text, decoded])
    assert.ok(
      await verifyWebhook({ ...signed, headers: { ...signed.headers, 'webhook-signature': entry }, secret }),
    )
})

test('client webhooks: other secrets, changed bodies, old deliveries and missing headers are rejected', async () => {
  const [secret, key] = [newSecret(), newSigningKey()]
  const signed = delivery([secret], key)
  const old = delivery([secret], key, Math.floor(Date.now() / 1_000) - 301)
  for (const [webhook, reason] of [
    [{ ...signed, secret: newSecret() }, /No signature matches/],
    [{ ...signed, publicKey: publicKeyOf(newSigningKey()) }, /No signature matches/],
    [{ ...signed, secret, body: BODY.replace('ü', 'u') }, /No signature matches/],
    [{ ...signed, headers: { ...signed.headers, 'webhook-id': 'evt_2' }, secret }, /No signature matches/],
    [{ ...old, secret }, /more than 300 seconds off/],
    [{ ...signed, headers: { ...signed.headers, 'Webhook-Timestamp': 'soon' }, secret }, /seconds off/],
    [{ ...signed, headers: {}, secret }, /is missing/],
    [
      { ...signed, headers: { ...signed.headers, 'webhook-signature': 'v1,%%% v1a,x' }, secret },
      /No signature/,
    ],
  ] as const)
    await assert.rejects(verifyWebhook(webhook), (error: Error) => {
      assert.ok(error instanceof WebhookVerificationError)
      assert.match(error.message, reason)
      return true
    })
  assert.ok(await verifyWebhook({ ...old, secret, toleranceSeconds: 600 }))
  await assert.rejects(verifyWebhook(signed), /Pass the secret or the publicKey/)
  await assert.rejects(verifyWebhook({ ...signed, publicKey: 'whpk_AAAA' }), /32 bytes/)
})

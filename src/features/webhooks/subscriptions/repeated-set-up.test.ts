import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { createProjectKey } from '../../../contract/projects/index.ts'
import { createWebhook, updateWebhook } from '../../../contract/webhooks/index.ts'

const DRAFT = {
  webhook_url: 'https://app.example.com/hooks',
  enabled_events: ['service.trigger.message' as const],
}

test('subscriptions: a repeated set-up returns the clear secret to unrestricted keys, in both versions', async (t) => {
  const s = await testApp(t)
  const newer = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
  const { id, secret } = (await newer(createWebhook, { body: DRAFT })).body
  for (const call of [s.call, newer])
    assert.equal((await call(updateWebhook, { params: { id }, body: DRAFT })).body.secret, secret)
  const other = await newer(updateWebhook, { params: { id }, body: { version: 'V2' } })
  assert.equal(other.body.secret, `whsec_**${secret.slice(-4)}`)
  const { key } = (
    await s.org(createProjectKey, {
      params: { nano_id: s.keys.projectId },
      body: { permissions: { webhooks: ['read', 'write'] } },
    })
  ).body
  for (const version of ['v3', 'v3.1'] as const) {
    const reply = await s.as({ 'x-api-key': key }, version)(updateWebhook, { params: { id }, body: DRAFT })
    assert.deepEqual([reply.status, reply.body.secret], [200, `whsec_**${secret.slice(-4)}`], version)
  }
})

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { publishEvents } from '../../src/features/events/index.ts'
import { startTlsProxy } from '../fixtures/tls-proxy.ts'
import { until } from '../fixtures/until.ts'
import { FACTS } from '../fixtures/webhooks.ts'
import { stockSdk } from './stock-sdk.ts'

interface Received {
  id: string
  triggerSlug: string
  toolkitSlug: string
  userId: string
  payload: Record<string, unknown>
}

test('triggers.subscribe: small and large events arrive, filtered by the SDK, until unsubscribe', async (t) => {
  let port = 0
  const publicUrl = await startTlsProxy(t, () => port)
  const sdk = await stockSdk(t, { publicUrl })
  const { db, http } = sdk.app
  port = (http.server.address() as AddressInfo).port
  const publish = (payload: Record<string, unknown>, facts: Partial<typeof FACTS> = {}) =>
    db.begin((tx) => {
      const event = { type: 'trigger.message', data: { ...FACTS, ...facts }, payload } as const
      return publishEvents(tx, sdk.keys.projectId, [event])
    })
  const received: Received[] = []
  await sdk.composio.triggers.subscribe((event) => void received.push(event as never), {
    triggerId: FACTS.trigger_id,
  })
  await until('the channel is open', async () => {
    await publish({ n: 0 })
    return received.length > 0
  })
  received.length = 0
  const text = 'é😀'.repeat(20_000)
  await publish({ n: 1 }, { trigger_id: 'ti_another' })
  await publish({ n: 2, text })
  const large = await until('the large event', () => received.find(({ payload }) => payload['n'] === 2))
  assert.deepEqual(
    [large.id, large.triggerSlug, large.toolkitSlug, large.userId, large.payload],
    [FACTS.trigger_id, FACTS.trigger_slug, 'gmail', FACTS.user_id, { n: 2, text }],
  )
  assert.ok(!received.some(({ payload }) => payload['n'] === 1), 'another trigger is filtered out')
  await sdk.composio.triggers.unsubscribe()
  // The package has no method that disconnects.
  const { pusherService } = sdk.composio.triggers as unknown as {
    pusherService: { pusherClient: { disconnect(): void } }
  }
  pusherService.pusherClient.disconnect()
})

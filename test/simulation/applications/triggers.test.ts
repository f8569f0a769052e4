import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResolvedTrigger } from '../../../src/catalog/index.ts'
import { pollOnce } from '../../../src/features/triggers/polling/poll.ts'
import { configOf } from './fixture.ts'
import { checkPayload, createTriggerFixture } from './trigger-fixture.ts'
import { CAUSING_TOOLS, CHANGING_TOOLS } from './trigger-tools.ts'

type Args = Record<string, unknown>

const { world, clock, run, all, causeEvent, openRequests } = await createTriggerFixture()
const polled = all.filter(({ trigger }) => trigger.poll)

for (const toolkit of new Set(polled.map((one) => one.toolkit))) {
  test(`${toolkit.slug}: whatever happens in the application makes one event, and not another one`, async () => {
    for (const found of polled.filter((one) => one.toolkit === toolkit)) {
      world.applications.get(toolkit.slug)!.reset()
      await checkPolledTrigger(found)
    }
  })
}

async function checkPolledTrigger(found: ResolvedTrigger): Promise<void> {
  const { slug } = found.trigger
  const config = configOf(found)
  const send = await openRequests(found)
  const poll = (state: Parameters<typeof pollOnce>[0]['state']) =>
    pollOnce({
      send,
      trigger: found.trigger as Parameters<typeof pollOnce>[0]['trigger'],
      config,
      state,
      now: () => clock.now,
      deadlineAt: Infinity,
    })
  const [changes, args, id] = CHANGING_TOOLS[slug] ?? []
  const old = changes ? await run(...(CAUSING_TOOLS[slug]! as [string, Args])) : undefined
  clock.now += 86_400_000
  const begun = await poll(undefined)
  assert.deepEqual([begun.items, begun.gap], [[], undefined], `${slug} starts without events`)
  const shows = await causeEvent(found, config)
  const next = await poll(begun.state)
  assert.equal(next.items.length, 1, `${slug}: ${JSON.stringify(next.items)}`)
  const { payload } = next.items[0]!
  checkPayload(found, payload)
  assert.ok(JSON.stringify(payload).includes(shows), `${slug} shows ${shows}: ${JSON.stringify(payload)}`)
  clock.now += 86_400_000
  const later = await poll(next.state)
  if (changes) {
    const values = Object.entries(args!).map(([name, value]) => [
      name,
      value === '$id' ? old!.data[id!] : value,
    ])
    assert.ok((await run(changes, Object.fromEntries(values))).successful, changes)
  }
  assert.deepEqual([later.items, (await poll(later.state)).items], [[], []], `${slug} has one event`)
}

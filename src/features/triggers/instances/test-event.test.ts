import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCatalog } from '../../../catalog/index.ts'
import { createAuthConfig } from '../../../contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { listEvents, readEvent } from '../../../contract/events/index.ts'
import { deleteTrigger, testTrigger, upsertTrigger } from '../../../contract/triggers/index.ts'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { emptyEgress } from '#fixtures/empty-applications.ts'
import { samplePayload } from './sample-payload.ts'

const FOLDER = new URL('../../../../toolkits', import.meta.url).pathname

test('sample data has an entry for every property of every trigger type, of the declared type', async () => {
  const catalog = openCatalog({ folder: FOLDER, operations: false })
  const types = catalog.toolkits.flatMap(({ slug }) => catalog.triggers(slug, 'latest'))
  assert.ok(types.length > 20, `${types.length} types`)
  for (const { trigger } of types) {
    const schema = trigger.payload as { properties?: Record<string, { type?: string | string[] }> }
    const sample = samplePayload(trigger.payload)
    assert.deepEqual(Object.keys(sample), Object.keys(schema.properties ?? {}), trigger.slug)
    for (const [name, { type }] of Object.entries(schema.properties ?? {}))
      assert.ok(
        fits(sample[name], type),
        `${trigger.slug}.${name}: ${JSON.stringify(sample[name])} is no ${type}`,
      )
  }
})

test('a test event takes the way of every event', async (t) => {
  const it = await testApp(t, { egress: emptyEgress })
  const id = await newTrigger(it)

  await t.test('it is published with sample data, or with the data of the caller', async () => {
    const sample = await it.call(testTrigger, { params: { trigger_id: id }, body: {} })
    assert.equal(sample.status, 200, JSON.stringify(sample.body))
    const own = await it.call(testTrigger, {
      params: { trigger_id: id },
      body: { payload: { title: 'Mine' } },
    })
    assert.deepEqual(own.body.payload, { title: 'Mine' })
    const events = await it.call(listEvents, {})
    const messages = events.body.items.filter(({ type }) => type.endsWith('trigger.message'))
    assert.equal(messages.length, 2)
    const { body } = await it.call(readEvent, { params: { event_id: messages[0]!.id } })
    assert.match(JSON.stringify(body), /"title":"Mine"/)
    assert.match(JSON.stringify(body), new RegExp(id))
  })

  await t.test(
    'another project cannot send one, data has a limit, and a deleted trigger has none',
    async () => {
      const stranger = await it.otherProject()
      assert.equal((await stranger(testTrigger, { params: { trigger_id: id }, body: {} })).status, 404)
      const large = { payload: { text: 'x'.repeat(70_000) } }
      assert.equal((await it.call(testTrigger, { params: { trigger_id: id }, body: large })).status, 400)
      await it.call(deleteTrigger, { params: { trigger_id: id } })
      assert.equal((await it.call(testTrigger, { params: { trigger_id: id }, body: {} })).status, 410)
      const events = await it.call(listEvents, {})
      assert.equal(events.body.items.filter(({ type }) => type.endsWith('trigger.message')).length, 2)
    },
  )
})

function fits(value: unknown, type: string | string[] | undefined): boolean {
  if (type === undefined || [type].flat().length === 0) return true
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return [type].flat().some((one) => one === actual || (one === 'integer' && Number.isInteger(value)))
}

async function newTrigger({ call }: TestApp): Promise<string> {
  const config = await call(createAuthConfig, {
    body: {
      toolkit: { slug: 'github' },
      auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {} },
    },
  })
  const state = { authScheme: 'BEARER_TOKEN', val: { token: 'secret' } }
  await call(createConnectedAccount, {
    body: { auth_config: { id: config.body.auth_config.id }, connection: { user_id: 'ada', state } },
  })
  const { body } = await call(upsertTrigger, {
    params: { slug: 'GITHUB_ISSUE_ADDED_EVENT' },
    body: { user_id: 'ada', trigger_config: { owner: 'octocat', repo: 'hello-world' } },
  })
  return body.trigger_id
}

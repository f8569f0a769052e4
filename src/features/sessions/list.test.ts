import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { createSession, deleteSession, executeMeta, listSessions } from '../../contract/sessions/index.ts'

test('sessions: a list has the sessions of the project or of one user, newest first, in pages', async (t) => {
  const { call, otherProject } = await testApp(t)
  const create = async (by: typeof call, user_id: string) =>
    (await by(createSession, { body: { user_id } })).body.session_id
  const [first, second, third] = [
    await create(call, 'ada'),
    await create(call, 'bob'),
    await create(call, 'ada'),
  ]
  const deleted = await create(call, 'ada')
  await call(deleteSession, { params: { session_id: deleted } })
  await create(await otherProject(), 'ada')
  const list = async (query: object) => (await call(listSessions, { query })).body
  const ids = async (query: object) => (await list(query)).items.map(({ session_id: id }) => id)
  assert.deepEqual(await ids({}), [third, second, first])
  assert.deepEqual(await ids({ user_id: 'ada' }), [third, first])
  assert.deepEqual(await ids({ user_id: 'nobody' }), [])
  const page = await list({ limit: 2 })
  assert.deepEqual([page.total_items, page.items.length], [3, 2])
  assert.deepEqual(await ids({ limit: 2, cursor: page.next_cursor }), [first])
  const { created_at, configured_at, last_used_at, ...rest } = page.items[0]!
  assert.deepEqual(rest, {
    session_id: third,
    user_id: 'ada',
    mcp_url: `http://localhost:3900/tool_router/v3/${third}/mcp`,
    config_version: 1,
  })
  for (const time of [created_at, configured_at, last_used_at]) assert.ok(Date.parse(time) > 0)
  assert.equal((await call(listSessions, { query: { limit: 0 } })).status, 400)
})

test('meta tools: the error of a tool that needs a sandbox names the setting of the server', async (t) => {
  const { call } = await testApp(t)
  const { body } = await call(createSession, { body: { user_id: 'ada' } })
  for (const slug of ['SERVICE_REMOTE_WORKBENCH', 'SERVICE_REMOTE_BASH_TOOL'] as const) {
    const reply = await call(executeMeta, { params: { session_id: body.session_id }, body: { slug } })
    const { error } = reply.body as unknown as { error: { slug: string; message: string } }
    assert.deepEqual([reply.status, error.slug], [400, 'ToolRouterV2_MetaToolDisabled'])
    assert.match(error.message, /is disabled on this server \(setting WORKBENCH_DRIVER\)/)
  }
})

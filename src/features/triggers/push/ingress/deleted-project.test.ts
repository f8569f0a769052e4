import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { untilLocked } from '#fixtures/transactions.ts'
import { SECRET, sign, startPushTriggerApp } from '#fixtures/push-triggers.ts'
import { deleteProject } from '../../../../contract/projects/index.ts'
import { createWebhookEndpoint, mergeWebhookEndpoint } from '../../../../contract/triggers/index.ts'
import { sql } from '../../../../platform/db/sql.ts'
import { publishEvents } from '../../../events/index.ts'
import { demoProjects } from '../../../projects/index.ts'

type PushTriggerApp = Awaited<ReturnType<typeof startPushTriggerApp>>

/** Deletes the project of the triggers. The organization keeps another one. */
async function removeProject(s: PushTriggerApp): Promise<void> {
  await s.otherProject()
  const { status } = await s.org(deleteProject, { params: { nano_id: s.keys.projectId } })
  assert.equal(status, 200)
}

test('attack: the URLs of an OAuth app of a deleted project are like URLs that do not exist', async (t) => {
  const s = await startPushTriggerApp(t)
  const { body: endpoint } = await s.call(createWebhookEndpoint, {
    body: { toolkit_slug: 'shop' } as never,
  })
  await s.call(mergeWebhookEndpoint, {
    params: { nano_id: endpoint.id },
    body: { data: { signing_secret: SECRET } } as never,
  })
  const created = await s.upsert('ORDER_IN_APP', {
    connected_account_id: await s.connect(),
    trigger_config: {},
  })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const older = `/api/v3/trigger_instances/shop/${s.keys.projectId}/handle`
  const urls = [endpoint.webhook_url, older]
  const send = async (url: string, body: string) => {
    const at = String(Math.floor(s.clock.now() / 1_000))
    const { status, text } = await s.deliver(url, body, {
      'x-at': at,
      'x-sig': sign(SECRET, `${at}.${body}`),
    })
    return [status, text.replace(/"request_id":"[^"]+"/, '')]
  }
  const event = (id: string) => JSON.stringify({ events: [{ type: 'order', store: 'acme', id }] })
  for (const [n, url] of urls.entries()) assert.equal((await send(url, event(`before-${n}`)))[0], 200)
  const stored = (await s.payloads()).length
  assert.equal(stored, 2)

  await removeProject(s)
  const unknown = await send(older.replace(/proj_\w+/, `proj_${'0'.repeat(12)}`), event('unknown'))
  assert.equal(unknown[0], 401)
  for (const url of urls)
    for (const body of [event('after'), '{"type":"verify","challenge":"c-1"}', '{"verification_token":"t"}'])
      assert.deepEqual(await send(url, body), unknown, `${url} ${body}`)
  assert.equal((await s.payloads()).length, stored)
})

test('attack: a delivery that started before its project was deleted and ends afterwards stores no event', async (t) => {
  const s = await startPushTriggerApp(t)
  await s.upsert('ORDER_SENT', { connected_account_id: await s.connect(), trigger_config: {} })
  const { url, secret } = s.hook()
  await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = s.app.http.server.address() as { port: number }
  const body = JSON.stringify({ n: 1 })
  const admitted = once(s.app.http.server, 'request')
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.write(
    `POST ${new URL(url).pathname} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n` +
      `content-type: application/json\r\nx-id: after\r\nx-sig: ${sign(secret, body)}\r\n` +
      `content-length: ${body.length}\r\n\r\n`,
  )
  await admitted
  // Its URL is looked up before those of later requests.
  assert.equal((await s.send(s.hook(), 'between', { n: 2 })).status, 200)
  const stored = (await s.payloads()).length
  await removeProject(s)
  socket.write(body)
  let response = ''
  for await (const chunk of socket) response += String(chunk)
  assert.match(response, /^HTTP\/1.1 200/)
  assert.equal((await s.payloads()).length, stored)
})

test('attack: a delivery whose transaction is open while its project is deleted stores no event', async (t) => {
  const s = await startPushTriggerApp(t)
  await s.upsert('ORDER_SENT', { connected_account_id: await s.connect(), trigger_config: {} })
  const sent = await s.db.begin(async (tx) => {
    await tx.rows(sql`select id from trigger_instances for no key update`)
    const delivery = s.send(s.hook(), 'late', { n: 1 })
    await untilLocked(s.db)
    await removeProject(s)
    return { delivery }
  })
  assert.equal((await sent.delivery).status, 200)
  assert.deepEqual(await s.payloads(), [])
  assert.deepEqual(await s.db.rows(sql`select 1 from trigger_logs where kind = 'event'`), [])
})

/** The ways in which a project is deleted. */
const DELETIONS: Readonly<Record<string, (s: PushTriggerApp) => Promise<unknown>>> = {
  'a project': async (s) => {
    const { status } = await s.org(deleteProject, { params: { nano_id: s.keys.projectId } })
    assert.equal(status, 200)
  },
  'a demo project that could not be filled': async (s) => {
    const row = await s.db.one<{ organization_id: string }>(
      sql`select organization_id from projects where id = ${s.keys.projectId}`,
    )
    const projects = demoProjects({ db: s.db, encryptor: s.encryptor, keysChanged() {} })
    await projects.remove(row!.organization_id, s.keys.projectId)
  },
}

for (const [name, remove] of Object.entries(DELETIONS))
  test(`${name} is deleted after the transactions that store its events`, async (t) => {
    const s = await startPushTriggerApp(t)
    await s.otherProject()
    const { projectId } = s.keys
    const message = { type: 'trigger.message', data: {}, payload: { n: 1 } } as const
    const order: string[] = []
    const deletion = await s.db.begin(async (tx) => {
      await publishEvents(tx, projectId, [message])
      const deleting = remove(s).then(() => order.push('deleted'))
      await Promise.race([deleting, untilLocked(s.db)])
      order.push('stored')
      return { deleting }
    })
    await deletion.deleting
    assert.deepEqual(order, ['stored', 'deleted'])
    assert.deepEqual(await s.payloads(), [{ n: 1 }])
    await s.db.begin((tx) => publishEvents(tx, projectId, [message]))
    assert.equal((await s.payloads()).length, 1)
  })

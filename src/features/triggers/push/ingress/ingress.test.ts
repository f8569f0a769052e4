import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { atEnd } from '#fixtures/at-end.ts'
import { startPushTriggerApp } from '#fixtures/push-triggers.ts'
import { deleteProject } from '../../../../contract/projects/index.ts'
import { sql } from '../../../../platform/db/sql.ts'
import { IngressCapacity } from './capacity.ts'
import { readDeliveryBody } from './read-body.ts'

const MEGABYTE = 1024 * 1024
const slugOf = (error: unknown) => (error as { slug?: string }).slug

/** Opens connections that announce a body and send only its first byte. */
async function openSlowRequests(
  t: TestContext,
  port: number,
  path: string,
  count: number,
): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  // Before the application is closed, which waits for open connections.
  atEnd(t, () => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
    )
  }
  return sockets
}

/** Reads the status of the response. */
const statusOf = async (socket: Socket): Promise<number> => {
  const [chunk] = await once(socket, 'data')
  return Number(String(chunk).split(' ')[1])
}

/** Starts the application with a registered webhook, and listens on a port. */
async function startIngress(t: TestContext) {
  const s = await startPushTriggerApp(t)
  const { body, status } = await s.upsert('ORDER_SENT', {
    connected_account_id: await s.connect(),
    trigger_config: {},
  })
  assert.ok(status < 300, JSON.stringify(body))
  await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = s.app.http.server.address() as { port: number }
  return { ...s, port, path: new URL(s.hook().url).pathname }
}

test('attack: slow requests to URLs that do not exist leave room for deliveries', async (t) => {
  const s = await startIngress(t)
  const unknown = s.path.replace(/wi_\w+/, `wi_${'0'.repeat(32)}`)
  const slow = await openSlowRequests(t, s.port, unknown, 100)
  assert.deepEqual(new Set(await Promise.all(slow.map(statusOf))), new Set([401]), 'rejected before the body')
  assert.equal((await s.send(s.hook(), 'one', { n: 1 })).status, 200)
})

test('webhook ingress: a project has twenty concurrent requests, and more are sent again later', async (t) => {
  const s = await startIngress(t)
  const slow = await openSlowRequests(t, s.port, s.path, 21)
  assert.equal(await Promise.race(slow.map(statusOf)), 429)
  const rejected = await s.send(s.hook(), 'one', { n: 1 })
  assert.deepEqual([rejected.status, rejected.headers['retry-after']], [429, '1'])
  const closed = slow.map((socket) => (socket.closed ? undefined : once(socket, 'close')))
  for (const socket of slow) socket.destroy()
  await Promise.all(closed)
  for (let tries = 0; tries < 50; tries++) {
    if ((await s.send(s.hook(), 'one', { n: 1 })).status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail('the places of closed connections were not freed')
})

test('attack: connections that close while their URL is looked up use no place', async (t) => {
  const s = await startIngress(t)
  await s.app.db.begin(async (tx) => {
    // The look-ups wait for this lock until all connections are closed.
    await tx.run(sql`lock table trigger_registrations, webhook_endpoints in access exclusive mode`)
    const { server } = s.app.http
    let requests = 0
    const arrived = Promise.withResolvers<void>()
    server.on('request', () => ++requests === 25 && arrived.resolve())
    const sockets = await openSlowRequests(t, s.port, s.path, 25)
    await arrived.promise
    const closed = new Promise<void>((resolve) => {
      const check = () =>
        server.getConnections((_error, count) => (count === 0 ? resolve() : setImmediate(check)))
      check()
    })
    for (const socket of sockets) socket.destroy()
    await closed
  })
  assert.equal((await s.send(s.hook(), 'one', { n: 1 })).status, 200)
})

test('webhook ingress: requests and bytes of one project leave room for another', () => {
  const capacity = new IngressCapacity()
  const places = Array.from({ length: 20 }, () => capacity.open('proj_a')!)
  assert.equal(capacity.open('proj_a'), undefined)
  const other = capacity.open('proj_b')!
  assert.deepEqual(
    places.slice(0, 8).map((place) => place.add(5 * MEGABYTE)),
    [true, true, true, true, true, true, false, false],
  )
  assert.equal(other.add(5 * MEGABYTE), true)
  for (const place of places) place.close()
  assert.equal(places[0]!.add(1), false, 'a closed place counts nothing')
  assert.equal(capacity.open('proj_a')!.add(5 * MEGABYTE), true)
})

test('webhook ingress: the bytes of all projects have a bound', () => {
  const capacity = new IngressCapacity()
  const fits = Array.from({ length: 5 }, (_, i) => capacity.open(`proj_${i}`)!.add(32 * MEGABYTE))
  assert.deepEqual(fits, [true, true, true, true, false])
})

test('webhook ingress: a body that is slow, too long or does not fit is rejected', async () => {
  const place = new IngressCapacity().open('proj_a')!
  const slow = new PassThrough()
  slow.write('{')
  await assert.rejects(readDeliveryBody(slow, place, 30), (error) => slugOf(error) === 'HTTP_RequestTimeout')
  const long = new PassThrough()
  long.end(Buffer.alloc(5 * MEGABYTE + 1))
  await assert.rejects(readDeliveryBody(long, place), (error) => slugOf(error) === 'HTTP_PayloadTooLarge')
  const whole = new PassThrough()
  whole.end('{"n":1}')
  assert.equal(String(await readDeliveryBody(whole, place)), '{"n":1}')
  place.add(31 * MEGABYTE)
  const last = new PassThrough()
  last.end(Buffer.alloc(MEGABYTE * 2))
  await assert.rejects(readDeliveryBody(last, place), (error) => slugOf(error) === 'WebhookIngress_TooMany')
})

test('attack: a deleted project receives no deliveries, and its registrations are not renewed', async (t) => {
  const s = await startIngress(t)
  await s.otherProject()
  const lent = await s.upsert('ORDER_LENT', {
    connected_account_id: await s.connect('other', 'u2'),
    trigger_config: {},
  })
  assert.ok(lent.status < 300, JSON.stringify(lent.body))
  assert.equal((await s.send(s.hook(), 'before', { n: 1 })).status, 200)
  await s.db.run(sql`update trigger_registrations set renew_at = now() where renew_at is not null`)
  assert.equal((await s.org(deleteProject, { params: { nano_id: s.keys.projectId } })).status, 200)
  const events = (await s.payloads()).length
  const reply = await s.send(s.hook(), 'after', { n: 2 })
  assert.deepEqual([reply.status, (await s.payloads()).length], [401, events])
  const requests = s.stub.requests.length
  for (const { task } of s.app.schedules.filter(({ task: name }) => name.startsWith('triggers.')))
    await s.schedule(task)
  await s.work()
  assert.equal(s.stub.requests.length, requests, 'no request to the application')
})

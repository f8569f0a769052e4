import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { WebSocket } from 'ws'
import { until } from '#fixtures/until.ts'
import { FACTS, startWebhookApp } from '#fixtures/webhooks.ts'
import { regenerateProjectKey } from '../../contract/projects/index.ts'
import { authorizeRealtimeChannel, readRealtimeCredentials } from '../../contract/triggers/index.ts'

interface Message {
  event: string
  channel?: string
  data: Record<string, unknown>
}

/** Starts the application on a port, with clients that record messages. */
async function start(t: Parameters<typeof startWebhookApp>[0]) {
  const s = await startWebhookApp(t, { streamHeartbeatMs: 50, publicUrl: 'https://localhost:3900' })
  await s.app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = s.app.http.server.address() as AddressInfo
  const project = s.keys.projectId
  const channel = `private-${project}_triggers`
  async function open(path = `/app/${project}?protocol=7&client=js`) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
    const messages: Message[] = []
    socket.on('message', (bytes) => {
      const { data, ...message } = JSON.parse(String(bytes)) as Message & { data: string }
      messages.push({ ...message, data: JSON.parse(data) as Record<string, unknown> })
    })
    const closed = once(socket, 'close') as Promise<[number, Buffer]>
    const find = (event: string) => until(event, () => messages.find((one) => one.event === event))
    const { data } = await find('pusher:connection_established')
    const socketId = String(data['socket_id'])
    const send = (event: string, more: object = {}) => socket.send(JSON.stringify({ event, data: more }))
    return {
      socket,
      messages,
      closed,
      find,
      send,
      socketId,
      subscribe: async () => {
        const { body } = await s.call(authorizeRealtimeChannel, {
          body: { socket_id: socketId, channel_name: channel },
        })
        send('pusher:subscribe', { channel, auth: body.auth })
      },
    }
  }
  return { ...s, open, channel, project, port }
}

const texts = (messages: readonly Message[]) =>
  messages.filter(({ event }) => event === 'trigger_to_client').map(({ data }) => data['payload'])

type Stage = Awaited<ReturnType<typeof start>>

test('realtime channel', async (t) => {
  const s = await start(t)
  await t.test(
    'the credentials name this server for the client library, and a form authorizes as JSON does',
    () => checkCredentials(s),
  )
  await t.test('events arrive in order on every connection of the project, and not after unsubscribe', () =>
    checkEvents(s),
  )
  await t.test(
    'a subscription needs an auth value of this connection, of this project and not older than a minute',
    () => checkAuthorization(s),
  )
  await t.test(
    'connections that break the protocol receive errors, and those with a wrong key or version are closed',
    () => checkProtocol(s),
  )
  await t.test('the connection ends when the key is replaced, and all do when the server stops', () =>
    checkEnds(s, t),
  )
})

async function checkCredentials(s: Stage): Promise<void> {
  const { body } = await s.call(readRealtimeCredentials, {})
  assert.deepEqual(body, {
    project_id: s.project,
    pusher_key: s.project,
    pusher_cluster: '_@localhost:3900/realtime?h=',
  })
  const url = new URL(`wss://ws-${body.pusher_cluster}.pusher.com:443/app/${body.pusher_key}?protocol=7`)
  assert.equal(url.host, 'localhost:3900')
  const client = await s.open(`${url.pathname}${url.search}`)
  const form = await s.app.http.inject({
    method: 'POST',
    url: '/api/v3/internal/sdk/realtime/auth',
    headers: { 'x-api-key': s.keys.projectApiKey, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `socket_id=${client.socketId}&channel_name=${s.channel}`,
  })
  client.send('pusher:subscribe', { channel: s.channel, auth: form.json().auth })
  await client.find('pusher_internal:subscription_succeeded')
  client.socket.close()
  const elsewhere = await s.app.http.inject({
    method: 'POST',
    url: '/api/v3/auth_configs',
    headers: { 'x-api-key': s.keys.projectApiKey, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'toolkit=github',
  })
  assert.equal(elsewhere.statusCode, 415, 'other operations accept no forms')
}

async function checkEvents(s: Stage): Promise<void> {
  const [first, second] = [await s.open(), await s.open()]
  for (const one of [first, second]) {
    await one.subscribe()
    await one.find('pusher_internal:subscription_succeeded')
  }
  await s.publish(['a1', 'a2', 'a3'])
  await until('all arrived', () => texts(first.messages).length === 3 && texts(second.messages).length === 3)
  const { channel, data } = await first.find('trigger_to_client')
  assert.deepEqual(
    [channel, data['appName'], data['clientId'], data['metadata']],
    [
      s.channel,
      'gmail',
      s.project,
      {
        id: FACTS.trigger_uuid,
        nanoId: FACTS.trigger_id,
        triggerName: FACTS.trigger_slug,
        triggerData: '',
        triggerConfig: {},
        connection: {
          id: FACTS.connected_account_uuid,
          connectedAccountNanoId: FACTS.connected_account_id,
          integrationId: '',
          authConfigNanoId: FACTS.auth_config_id,
          clientUniqueUserId: FACTS.user_id,
          status: 'INACTIVE',
        },
      },
    ],
  )
  assert.deepEqual(texts(first.messages), texts(second.messages))
  first.send('pusher:unsubscribe', { channel: s.channel })
  first.send('pusher:ping')
  await first.find('pusher:pong')
  await s.publish(['a4'])
  await until('it arrived', () => texts(second.messages).length === 4)
  assert.equal(texts(first.messages).length, 3)
  for (const one of [first, second]) one.socket.close()
}

async function checkAuthorization(s: Stage): Promise<void> {
  const foreign = await s.otherProject()
  const client = await s.open()
  const rejected = async (auth: string, channel = s.channel) => {
    client.messages.length = 0
    client.send('pusher:subscribe', { channel, auth })
    const { data } = await client.find('pusher:subscription_error')
    return data['status']
  }
  const authOf = async (call: typeof s.call, socketId: string, channel = s.channel) =>
    (await call(authorizeRealtimeChannel, { body: { socket_id: socketId, channel_name: channel } })).body.auth
  const other = await s.open()
  assert.equal(await rejected(await authOf(s.call, other.socketId)), 401, 'another connection')
  assert.equal(await rejected('x'), 401)
  assert.equal(await rejected(''), 401)
  const good = await authOf(s.call, client.socketId)
  assert.equal(await rejected(good, 'private-other_triggers'), 401, 'another channel')
  const theirs = await foreign(authorizeRealtimeChannel, {
    body: { socket_id: client.socketId, channel_name: s.channel },
  })
  assert.equal(theirs.status, 400, 'a key authorizes for the channel of its project only')
  s.clock.advance(60_001)
  assert.equal(await rejected(good), 401, 'expired')
  for (const one of [client, other]) one.socket.close()
}

async function checkProtocol(s: Stage): Promise<void> {
  for (const [path, code] of [
    ['/app/unknown?protocol=7', 4001],
    [`/app/${s.project}?protocol=4`, 4007],
    [`/app/${s.project}?client=js`, 4007],
  ] as const)
    assert.equal((await once(new WebSocket(`ws://127.0.0.1:${s.port}${path}`), 'close'))[0], code, path)
  const wrongPath = new WebSocket(`ws://127.0.0.1:${s.port}/api/v3/tools`)
  assert.match(String((await once(wrongPath, 'error'))[0]), /404/)
  const client = await s.open()
  for (const text of ['{', '[]', '"x"', '{"event":"client-x","channel":"private-x","data":{}}'])
    client.socket.send(text)
  await until(
    'four errors',
    () => client.messages.filter(({ event }) => event === 'pusher:error').length === 4,
  )
  client.socket.send('x'.repeat(10_001))
  assert.equal((await client.closed)[0], 1009)
  const flooding = await s.open()
  for (let n = 0; n <= 100; n++) flooding.send('pusher:ping')
  assert.equal((await flooding.closed)[0], 4100)
}

async function checkEnds(s: Stage, t: TestContext): Promise<void> {
  const revoked = await s.open()
  await revoked.subscribe()
  await revoked.find('pusher_internal:subscription_succeeded')
  const other = await s.open()
  await s.org(regenerateProjectKey, { params: { nano_id: s.project } })
  assert.equal((await revoked.closed)[0], 4009)
  // After the application has closed.
  t.after(async () => assert.equal((await other.closed)[0], 4200))
}

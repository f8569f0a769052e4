import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connectionsToEnd, trackWaitingConnections } from './retire.ts'

const LONG_MS = 60_000

/** A server whose responses keep the connection until `announceStop`, and a client that reuses connections. */
async function startServer(t: TestContext) {
  let isStopping = false
  const server = createServer((_request, response) => {
    if (isStopping) response.setHeader('connection', 'close')
    response.end('done')
  })
  const connections = trackWaitingConnections(server)
  const agent = new Agent({ keepAlive: true })
  t.after(() => {
    agent.destroy()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    agent,
    connections,
    announceStop: () => {
      isStopping = true
    },
    /** Sends a request, and returns whether its connection had been used before. */
    async call() {
      const request = get({ host: '127.0.0.1', port, agent })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'close')
      return request.reusedSocket
    },
  }
}

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise(setImmediate)
}

test('retire: a connection without a request counts until a response has announced its end', async (t) => {
  const server = await startServer(t)
  await server.call()
  await until(() => server.connections.size === 1)
  server.announceStop()
  assert.equal(await server.call(), true, 'the client reuses its connection')
  await until(() => server.connections.size === 0)
  assert.equal(await server.call(), false, 'the client opens another one')
})

test('retire: the wait ends when no connection counts', async (t) => {
  const counts = [2, 1, 1, 0, 7]
  const connections = {
    get size() {
      return counts.shift()!
    },
  }
  await connectionsToEnd(connections, t.signal, { noticeMs: 0, keepAliveMs: LONG_MS, checkMs: 1 })
  assert.deepEqual(counts, [7])
})

test('retire: a connection that its client closes, or that is idle for too long, is not waited for', async (t) => {
  const server = await startServer(t)
  await server.call()
  await until(() => server.connections.size === 1)
  await connectionsToEnd(server.connections, t.signal, { noticeMs: 0, keepAliveMs: 1, checkMs: 1 })
  assert.equal(server.connections.size, 1, 'the time of the connection is over')
  server.agent.destroy()
  await connectionsToEnd(server.connections, t.signal, { noticeMs: 0, keepAliveMs: LONG_MS, checkMs: 1 })
  assert.equal(server.connections.size, 0)
})

test('retire: the signal to stop ends the wait', async (t) => {
  const server = await startServer(t)
  await server.call()
  await until(() => server.connections.size === 1)
  const stop = new AbortController()
  const wait = connectionsToEnd(server.connections, stop.signal, {
    noticeMs: LONG_MS,
    keepAliveMs: LONG_MS,
    checkMs: 1,
  })
  stop.abort()
  await assert.rejects(wait, { name: 'AbortError' })
})

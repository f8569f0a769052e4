import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { findFreePort } from './free-port.ts'

test('A free port can be listened on, and is none that systems choose for outgoing connections', async () => {
  for (let round = 0; round < 20; round++) {
    const port = await findFreePort()
    assert.ok(port >= 1_024 && port < 32_768, String(port))
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
  }
})

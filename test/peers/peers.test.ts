import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { startNodeRed } from './node-red.ts'
import { startOidcProvider } from './oidc-provider.ts'
import { startParseServer } from './parse-server.ts'
import type { PeerControl } from './peer-process.ts'

describe('a peer', { timeout: 90_000, concurrency: true }, () => {
  it('leaves no process and no directory when it is stopped, or killed', async () => {
    const [nodeRed, stopped, killed] = await Promise.all([startNodeRed(), startIssuer(), startIssuer()])
    for (const peer of [nodeRed, stopped, killed]) assert.ok(isRunning(peer) && existsSync(peer.directory))
    await Promise.all([nodeRed.stop(), nodeRed.stop(), stopped.stop(), killed.kill()])
    for (const peer of [nodeRed, stopped, killed]) {
      assert.ok(!isRunning(peer), `process group ${peer.pid} is gone`)
      assert.ok(!existsSync(peer.directory), `${peer.directory} is gone`)
    }
    await assert.rejects(stopped.stats(), /has ended/)
  })

  it('can be ended while it is frozen', async () => {
    const peer = await startIssuer()
    process.kill(peer.pid, 'SIGSTOP')
    await peer.kill()
    assert.ok(!isRunning(peer))
  })

  it('that cannot start says why, with its last output', async () => {
    await assert.rejects(
      // Port 1 of this machine: refused at once.
      startParseServer({ databaseUrl: 'postgres://nobody:nothing@127.0.0.1:1/nothing' }),
      /^Error: parse-server did not start: connect ECONNREFUSED 127\.0\.0\.1:1\n--- last output ---\n[^]+ECONNREFUSED/,
    )
  })

  it('goes away, with its directory, when its starter is killed', async () => {
    const module = new URL('./oidc-provider.ts', import.meta.url).href
    const starter = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
      const { startOidcProvider } = await import(${JSON.stringify(module)})
      const { issuer, directory } = await startOidcProvider({ redirectUris: ['http://127.0.0.1:9/'] })
      console.log(JSON.stringify({ issuer, directory }))
    `,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [line] = await once(starter.stdout.setEncoding('utf8'), 'data', {
      signal: AbortSignal.timeout(30_000),
    })
    const { issuer, directory } = JSON.parse(line) as { issuer: string; directory: string }
    assert.ok(existsSync(directory))
    // The end of a connection tells of the end of a process that is not our child.
    const connection = connect(Number(new URL(issuer).port), '127.0.0.1').resume()
    await once(connection, 'connect', { signal: AbortSignal.timeout(5_000) })
    const closed = once(connection, 'close', { signal: AbortSignal.timeout(5_000) })
    starter.kill('SIGKILL')
    await closed
    assert.ok(!existsSync(directory))
  })
})

function startIssuer() {
  return startOidcProvider({ redirectUris: ['http://127.0.0.1:9/callback'] })
}

/** Whether anything lives in the peer's process group: itself or what it started. */
function isRunning(peer: PeerControl): boolean {
  try {
    return process.kill(-peer.pid, 0)
  } catch {
    return false
  }
}

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { launch, runToEnd, type ServerProcess, startServer } from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'

const ACCOUNTS = 200
/**
 * New credentials are tried at the application: one that rejects them at once costs no time, a name that nobody
 * resolves costs seconds.
 */
const NOWHERE = 'http://127.0.0.1:9/parse'

/** Accounts with a key each, on a server with the built-in database. */
async function connectedServer(t: TestContext): Promise<{ server: ServerProcess; ids: string[] }> {
  const server = await startServer(t, {
    env: { LOG_LEVEL: 'error', RATE_LIMIT_PER_MINUTE: '0' },
  })
  const config = (
    await server.call('POST', '/api/v3/auth_configs', {
      toolkit: { slug: 'parse' },
      auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} },
    })
  ).body as any
  const ids: string[] = []
  for (let at = 0; at < ACCOUNTS; at += 20) {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        server.call('POST', '/api/v3/connected_accounts', {
          auth_config: { id: config.auth_config.id },
          connection: {
            user_id: `u${at + i}`,
            state: {
              authScheme: 'API_KEY',
              val: {
                status: 'ACTIVE',
                server_url: NOWHERE,
                application_id: 'a',
                generic_api_key: `key-${at + i}`,
              },
            },
          },
        }),
      ),
    )
    ids.push(...made.map(({ body }) => body['id'] as string))
  }
  return { server, ids }
}

const keyIds = async (dataDir: string) =>
  (await readFile(join(dataDir, 'encryption.keys'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(':')[0])
const rotate = (dataDir: string, ...flags: string[]) => ({
  dataDir,
  args: ['keys', 'rotate-encryption', ...flags],
})

/** Calls the server without a pause. The function that is returned ends the calls and returns what failed. */
function startLoad(server: ServerProcess, ids: readonly string[]) {
  let isStopped = false
  let calls = 0
  const failures: unknown[] = []
  const load = (async () => {
    for (let i = 0; !isStopped; i++) {
      // One decrypts a stored value, the other encrypts a new one.
      const replies = await Promise.all([
        server.call('GET', `/api/v3/connected_accounts/${ids[i % ids.length]}`),
        server.call('POST', '/api/v3.1/tools/execute/UTILITIES_GENERATE_UUIDS', {
          user_id: 'u',
          arguments: {},
        }),
      ])
      calls += replies.length
      failures.push(
        ...replies
          .filter(({ status, body }) => status !== 200 || body['successful'] === false)
          .map(({ status, body }) => ({ status, body })),
      )
    }
  })()
  return async () => {
    isStopped = true
    await load
    return { calls, failures }
  }
}

test('a killed rotation is finished by the next one, while the server responds to every call', async (t) => {
  const { server, ids } = await connectedServer(t)
  const [first] = await keyIds(server.dataDir)
  const stopLoad = startLoad(server, ids)

  const killed = await launch(t, rotate(server.dataDir, '--values', '--portion=1'))
  await until('accounts are being sealed anew', () => /connected_accounts\.credentials/.test(killed.output()))
  killed.kill('SIGKILL')
  await killed.ended
  const [made, ...others] = await keyIds(server.dataDir)
  assert.deepEqual([made !== first, others], [true, [first]])

  const ended = await runToEnd(t, rotate(server.dataDir, '--values', '--json'))
  assert.equal(ended.code, 0, ended.output)
  const result = JSON.parse(ended.output.split('\n').find((line) => line.startsWith('{')) ?? '')
  assert.deepEqual(
    [result.ok, result.key, result.isNew, result.left, result.old],
    [true, made, false, 0, [first]],
  )
  assert.ok(result.resealed > 0, 'the killed run left something')
  const { calls, failures } = await stopLoad()
  assert.deepEqual(failures.slice(0, 3), [])
  assert.ok(calls > 20)

  // Without a server, the database is started for the time of the work.
  assert.equal((await server.stop()).code, 0)
  const retired = await runToEnd(t, rotate(server.dataDir, '--retire', '--portion=50'))
  assert.equal(retired.code, 0, retired.output)
  assert.match(retired.output, new RegExp(`Removed from the key file: ${first}`))
  assert.deepEqual(await keyIds(server.dataDir), [made])
  const again = await startServer(t, { dataDir: server.dataDir })
  assert.deepEqual(
    [
      ...new Set(
        (
          await Promise.all(
            ids.slice(0, 40).map((id) => again.call('GET', `/api/v3/connected_accounts/${id}`)),
          )
        ).map(({ status }) => status),
      ),
    ],
    [200],
  )
})

test('an unknown flag and a data directory without a database are rejected with a message', async (t) => {
  const wrong = await runToEnd(t, { args: ['keys', 'rotate-encryption', '--force'] })
  assert.deepEqual([wrong.code, /does not take --force/.test(wrong.output)], [2, true])
  const nowhere = await runToEnd(t, { args: ['keys', 'rotate-encryption'] })
  assert.deepEqual([nowhere.code, /There is no database in/.test(nowhere.output)], [1, true])
})

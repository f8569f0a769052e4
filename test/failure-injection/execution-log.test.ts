import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { queryOnce } from '../../src/platform/db/check.ts'
import { startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { type ServerProcess, startServer, temporaryDirectory } from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'
import { upstream } from '../fixtures/upstream.ts'

const ROUNDS = 2
const WRITERS = 16

test('kill -9 during calls: each call that reached the application as a possible write is in the log', async (t) => {
  const reached: string[] = []
  let pendingCount = 0
  const stub = await upstream(t, ({ method, body }) => {
    if (method !== 'POST') return {} // the credentials are tried when the account is made
    reached.push((JSON.parse(body) as { mark: string }).mark)
    // Some are never answered: the server is killed while they are under way for sure.
    return reached.length % 20 === 0
      ? (pendingCount++, new Promise(() => {}))
      : { status: 201, json: { objectId: 'made' } }
  })
  const dataDir = join(await temporaryDirectory(t), 'data')
  const answered = new Set<string>()
  let calls = 0
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer(t, {
      dataDir,
      env: { EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMIT_PER_MINUTE: '0' },
    })
    if (round === 0) await connect(server, stub.url)
    const [enough, before] = [reached.length + randomInt(30, 80), pendingCount]
    const writers = Array.from({ length: WRITERS }, () =>
      writeUntilKilled(server, () => `mark-${calls++}`, answered),
    )
    await until(
      'enough calls have reached the application',
      () => reached.length >= enough && pendingCount > before,
    )
    server.kill('SIGKILL')
    await Promise.all(writers)
  }
  assert.ok(
    answered.size > 0 && reached.length > answered.size,
    `${reached.length} calls reached the application, ${answered.size} were answered`,
  )
  await checkLog(dataDir, reached, answered)
})

/** Calls a tool that writes until the server is killed; adds the mark of each successful call to `answered`. */
async function writeUntilKilled(
  server: ServerProcess,
  nextMark: () => string,
  answered: Set<string>,
): Promise<void> {
  for (;;) {
    const mark = nextMark()
    const reply = await server
      .call(
        'POST',
        '/api/v3.1/tools/execute/PARSE_CREATE_OBJECT',
        { user_id: 'u1', arguments: { class_name: 'Order', data: { mark } } },
        {
          'x-api-key': (await server.keys()).project_api_key,
          'x-request-id': mark,
        },
      )
      .catch(() => undefined)
    if (!reply) return // It was killed.
    if (reply.body['successful'] === true) answered.add(mark)
  }
}

async function checkLog(dataDir: string, reached: string[], answered: ReadonlySet<string>): Promise<void> {
  const database = await startEmbedded({ dataDir })
  try {
    const rows = new Map(
      (
        await queryOnce<{ request_id: string; successful: boolean | null }>(
          database.url,
          'select request_id, successful from tool_executions',
        )
      ).map((row) => [row.request_id, row.successful]),
    )
    assert.deepEqual(
      reached.filter((mark) => !rows.has(mark)),
      [],
      'no call is missing',
    )
    assert.deepEqual(
      [...answered].filter((mark) => rows.get(mark) !== true),
      [],
      'and what was answered has its end',
    )
    assert.ok(
      reached.some((mark) => rows.get(mark) === null),
      'of some only the start is known',
    )
  } finally {
    await database.stop()
  }
}

async function connect(server: ServerProcess, url: string): Promise<void> {
  const config = await server.call('POST', '/api/v3.1/auth_configs', {
    toolkit: { slug: 'parse' },
    auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY' },
  })
  const made = await server.call('POST', '/api/v3.1/connected_accounts', {
    auth_config: { id: (config.body['auth_config'] as { id: string }).id },
    connection: {
      user_id: 'u1',
      state: {
        authScheme: 'API_KEY',
        val: { status: 'ACTIVE', server_url: url, application_id: 'app', generic_api_key: 'key-1' },
      },
    },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
}

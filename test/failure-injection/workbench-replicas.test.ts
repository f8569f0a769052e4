import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { queryOnce } from '../../src/platform/db/check.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'

const ENCRYPTION_KEYS = `a:${Buffer.alloc(32, 1).toString('base64')}`

interface CellReply {
  error: string | null
  data: { results: string; stdout: string; stderr: string; error: string }
}

/** Two servers with one database and one folder of files, and a session. */
async function startReplicas(t: TestContext) {
  const DATABASE_URL = await clonedDatabase(t, 'template1')
  const first = await startServer(t, { env: { DATABASE_URL, ENCRYPTION_KEYS } })
  const second = await startServer(t, { env: { DATABASE_URL, ENCRYPTION_KEYS } })
  const { project_api_key: key } = await first.keys()
  const headers = { 'x-api-key': key }
  const { body } = await first.call('POST', '/api/v3.1/tool_router/session', { user_id: 'ada' }, headers)
  const session = (body as { session_id?: string }).session_id
  assert.ok(session, JSON.stringify(body))
  const run = async (server: ServerProcess, code: string): Promise<CellReply> => {
    const path = `/api/v3.1/tool_router/session/${session}/execute`
    const args = { tool_slug: 'SERVICE_REMOTE_WORKBENCH', arguments: { code_to_execute: code } }
    const reply = await server.call('POST', path, args, headers)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body as unknown as CellReply
  }
  return { DATABASE_URL, first, second, run }
}

test('workbench on two servers: a session moves, and moves on when its server is killed during a run', async (t) => {
  const { DATABASE_URL, first, second, run } = await startReplicas(t)
  assert.equal((await run(first, 'x = 41\nx + 1')).data.results, '42')
  assert.equal((await run(first, 'x')).data.results, '41')
  const moved = await run(second, '"x" in globals()')
  assert.deepEqual(
    [moved.data.results, moved.data.stderr],
    ['False', 'Kernel was restarted; earlier variables are gone.'],
  )
  const back = await run(first, '1')
  assert.equal(back.data.stderr, 'Kernel was restarted; earlier variables are gone.')
  const lost = run(first, 'import time\ntime.sleep(150)').catch((error: unknown) => error)
  await until(
    'the first server runs code',
    async () =>
      (await queryOnce(DATABASE_URL, 'select 1 from session_sandboxes where busy_until > now()')).length > 0,
  )
  first.kill('SIGKILL')
  await lost
  // Its claim ends 20 seconds after the last renewal; this call waits for that.
  const after = await run(second, '6 * 7')
  assert.deepEqual([after.error, after.data.results], [null, '42'], JSON.stringify(after))
  assert.equal((await run(second, '"y" in globals()')).data.stderr, '')
})

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

test('workbench on two servers: a session keeps its sandbox, and moves when its server is killed', async (t) => {
  const { DATABASE_URL, first, second, run } = await startReplicas(t)
  assert.equal((await run(first, 'x = 41\nx + 1')).data.results, '42')
  const there = await run(second, 'y = x + 1\ny')
  assert.deepEqual([there.data.results, there.data.stderr, there.error], ['42', '', null])
  assert.equal((await run(first, 'y')).data.results, '42')
  const lost = run(second, 'import time\ntime.sleep(150)')
  await until(
    'the first server runs code',
    async () =>
      (await queryOnce(DATABASE_URL, 'select 1 from session_sandboxes where busy_until > now()')).length > 0,
  )
  first.kill('SIGKILL')
  // The claim of the first server ends 20 seconds after it was last extended.
  assert.match((await lost).error ?? '', /The server that ran the code stopped/)
  const after = await run(second, '"y" in globals()')
  assert.deepEqual(
    [after.error, after.data.results, after.data.stderr],
    [null, 'False', 'Kernel was restarted; earlier variables are gone.'],
  )
  assert.equal((await run(second, '6 * 7')).data.stderr, '')
  assert.equal((await second.stop()).code, 0)
  const owners = await queryOnce(DATABASE_URL, 'select owner, busy_until from session_sandboxes')
  assert.deepEqual(owners, [{ owner: '', busy_until: null }], 'a server that stops gives up its sessions')
})

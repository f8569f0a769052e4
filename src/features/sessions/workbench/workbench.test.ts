import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import { until } from '#fixtures/until.ts'
import { upstream } from '#fixtures/upstream.ts'
import { sandboxCache } from '../../../../test/sandbox/drivers.ts'
import { catalogFromSources } from '../../../catalog/index.ts'
import { createPolicy, deletePolicy } from '../../../contract/policies/index.ts'
import {
  createSession,
  deleteSession,
  downloadFromMount,
  executeInSession,
  executeMeta,
  listMountItems,
  updateSession,
} from '../../../contract/sessions/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { AppOptions } from '../../../app/options.ts'
import type { Model } from '../../../platform/llm/index.ts'
import { createWasmDriver } from '../../../sandbox/index.ts'

const model: Model = {
  complete: async ({ messages }) => ({
    text: JSON.stringify({ text: `echo ${messages.at(-1)!.content}` }),
    isCut: false,
  }),
  close: async () => {},
}
const workbench = (more: object = {}) => ({
  driver: createWasmDriver({
    cacheDir: sandboxCache(),
    brand: 'service',
    fileBytesMax: 10_000_000,
    diskBytesMax: 50_000_000,
    cpuSecondsMax: 300,
  }),
  limits: { idleMs: 600_000, maxAgeMs: 86_400_000, sandboxesMax: 4, warm: 0 },
  mountBytesMax: 200_000,
  ...more,
})

const catalogOf = (baseUrl: string) =>
  catalogFromSources([
    sampleSource(
      { slug: 'issues', name: 'Issues', auth: [{ scheme: 'NO_AUTH' }], base_url: baseUrl },
      [
        sampleTool({
          slug: 'ISSUES_GET',
          name: 'Get issue',
          description: 'Returns an issue by its id.',
          input: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          request: { method: 'GET', path: '/issues/{id}' },
        }),
        sampleTool({
          slug: 'ISSUES_DELETE',
          name: 'Delete issue',
          description: 'Deletes an issue for ever.',
          effect: 'delete',
          input: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          request: { method: 'DELETE', path: '/issues/{id}' },
        }),
      ],
      { slug: 'issues' },
    ),
  ])

async function openSession({ call }: TestApp, config: object = {}) {
  const { body } = await call(createSession, { body: { user_id: 'ada', ...config } })
  const params = { session_id: (body as { session_id: string }).session_id }
  const run = async (slug: string, args: object) => {
    const reply = await call(executeInSession, {
      params,
      body: { tool_slug: slug, arguments: args } as never,
    })
    return reply.body as unknown as { data: Record<string, any>; error: string | null; log_id: string }
  }
  return {
    params,
    body: body as unknown as { tool_router_tools: string[] },
    python: (code: string) => run('SERVICE_REMOTE_WORKBENCH', { code_to_execute: code }),
    bash: (command: string) => run('SERVICE_REMOTE_BASH_TOOL', { command }),
  }
}

const pythonOn = async ({ call }: TestApp, params: { session_id: string }, code: string) =>
  (
    await call(executeInSession, {
      params,
      body: { tool_slug: 'SERVICE_REMOTE_WORKBENCH', arguments: { code_to_execute: code } } as never,
    })
  ).body as unknown as { data: { results: string; stderr: string; error: string } }

/** The number of runs that a server performs for another one. */
const forwardedRuns = async ({ app }: TestApp): Promise<number> =>
  (await app.db.rows(sql`select id from sandbox_runs where state = 'running'`)).length

interface Stage {
  t: TestContext
  s: Awaited<ReturnType<typeof openSession>>
  app: TestApp
  server: Awaited<ReturnType<typeof upstream>>
  options: () => Partial<AppOptions>
}

/** Longer than any call of this file takes on a busy machine. */
const LONG_MS = 120_000
const SHORT_MS = 3_000

const CASES: readonly [title: string, run: (stage: Stage) => Promise<void>][] = [
  [
    'both tools are listed, keep their state and share their files',
    async ({ s }) => {
      assert.deepEqual(s.body.tool_router_tools.slice(-2), [
        'SERVICE_REMOTE_WORKBENCH',
        'SERVICE_REMOTE_BASH_TOOL',
      ])
      const first = await s.python('x = 41\nopen("/home/user/a.txt", "w").write("é")\nx + 1')
      assert.equal(first.error, null, JSON.stringify(first))
      assert.deepEqual(
        [first.data['results'], first.data['error'], first.data['results_file_path'], first.data['stderr']],
        ['42', '', null, ''],
      )
      assert.match(first.data['sandbox_id_suffix'], /^[0-9a-f]{4}$/)
      assert.match(first.data['session'].id, /^[a-z]+-[a-z]+$/)
      assert.equal((await s.python('x')).data['results'], '41')
      const shell = await s.bash('cat a.txt; echo b >&2; exit 3')
      assert.deepEqual(
        [
          shell.error,
          shell.data['stdout'],
          shell.data['stderr'],
          shell.data['exit_code'],
          shell.data['stdoutLines'],
        ],
        ['Command exited with status 3', 'é', 'b\n', 3, 1],
      )
      const failed = await s.python('1 / 0')
      assert.match(failed.error!, /ZeroDivisionError/)
      assert.equal(failed.error, failed.data['error'])
    },
  ],
  [
    'helpers run tools as calls of the session, in Python and bash',
    async ({ s, app }) => {
      const { data } = await s.python('run_service_tool("ISSUES_GET", {"id": 7})')
      assert.equal(data['results'], `({'data': {'id': 7, 'title': 'printer'}}, '')`)
      const many = await s.python(
        '[r["data"]["id"] for r, e in run_tools([("ISSUES_GET", {"id": i}) for i in range(20)])]',
      )
      assert.equal(
        many.data['results'],
        JSON.stringify(Array.from({ length: 20 }, (_, i) => i)).replaceAll(',', ', '),
      )
      assert.deepEqual(JSON.parse((await s.bash(`run_tool ISSUES_GET '{"id":3}'`)).data['stdout']).data.id, 3)
      const rows = await app.app.db.rows<{ session_id: string; parent_id: string | null }>({
        text: "select session_id, parent_id from tool_executions where tool_slug = 'ISSUES_GET'",
        values: [],
      } as never)
      assert.equal(rows.length, 22)
      assert.ok(rows.every(({ session_id: id, parent_id: parent }) => id === s.params.session_id && parent))
    },
  ],
  [
    'what the session does not show cannot be called from its code',
    async ({ s, server, app }) => {
      const { call } = app
      const errors = await s.python(
        '[run_tool("ISSUES_DELETE", {"id": 1})[1], run_tool("SERVICE_REMOTE_BASH_TOOL", {"command": "ls"})[1], ' +
          'run_tool("ISSUES_GET", {"id": "x"})[1], proxy_execute("GET", "/issues/1", "issues")[1], web_search("a")[1]]',
      )
      const texts = errors.data['results'] as string
      for (const expected of [
        /ISSUES_DELETE not found/,
        /is a meta tool/,
        /id/,
        /no connected accounts/,
        /not configured/,
      ])
        assert.match(texts, expected)
      assert.equal(server.requests.filter(({ method }) => method === 'DELETE').length, 0)
      assert.equal((await s.python('invoke_llm("hi")')).data['results'], `('echo hi', '')`)
      await call(updateSession, { params: s.params, body: { workbench: { enable_proxy_execution: false } } })
      assert.match(
        (await s.python('proxy_execute("GET", "/", "issues")[1]')).data['results'],
        /enable_proxy_execution is false/,
      )
    },
  ],
  [
    '/mnt/files is the mount of the session, with its quota',
    async ({ s, app }) => {
      const { call } = app
      await s.bash('mkdir -p /mnt/files/out; echo report > /mnt/files/out/r.txt')
      const items = await call(listMountItems, {
        params: { ...s.params, mount: 'files' },
        query: {} as never,
      })
      assert.deepEqual(
        (items.body as any).items.map((one: any) => [one.mount_relative_path, one.size]),
        [['out/r.txt', 7]],
      )
      const link = await call(downloadFromMount, {
        params: { ...s.params, mount: 'files' },
        body: { mount_relative_path: 'out/r.txt' },
      })
      assert.match((link.body as any).download_url, /^http/)
      const large = await s.python('print("y" * 30000)')
      const path = large.data['stdout_file_path'] as string
      assert.match(path, /^\/mnt\/files\/\.service\/output\/stdout_/)
      assert.equal((await s.bash(`wc -c < ${path}`)).data['stdout'].trim(), '30001')
      const tooLarge = await s.python('open("/mnt/files/big", "w").write("z" * 300_000)')
      assert.match(tooLarge.data['stderr'], /big was not stored: The files of a session/)
      await s.bash('rm /mnt/files/big /mnt/files/out/r.txt')
      const left = await call(listMountItems, { params: { ...s.params, mount: 'files' }, query: {} as never })
      assert.ok(!JSON.stringify(left.body).includes('r.txt'))
      const upload = await s.python(
        'open("u.csv","w").write("a")\nupload_local_file("u.csv")[0]["uploaded_file"]',
      )
      assert.equal(upload.data['results'], 'u.csv')
    },
  ],
  [
    'the same code twice at once runs once',
    async ({ s }) => {
      const code = 'import time\nn = globals().get("n", 0) + 1\ntime.sleep(0.5)\nn'
      const [one, two] = await Promise.all([s.python(code), s.python(code)])
      assert.deepEqual([one.data['results'], two.data['results']], ['1', '1'])
    },
  ],
  [
    'auto_offload_threshold decides what is cut and what goes to a file, which code can read',
    async ({ s, app }) => {
      const { call } = app
      await call(updateSession, {
        params: s.params,
        body: { workbench: { auto_offload_threshold: 2_000 } },
      })
      const long = await s.python('print("y" * 2_500)')
      assert.match(long.data['stdout'], /^y{2000}\n\[cut after 2000 of 2501 characters/)
      const batch = await call(executeMeta, {
        params: s.params,
        body: {
          slug: 'SERVICE_MULTI_EXECUTE_TOOL',
          arguments: {
            sync_response_to_workbench: true,
            tools: [{ tool_slug: 'ISSUES_GET', arguments: { id: 5 } }],
          },
        },
      })
      const { data } = batch.body as unknown as { data: { remote_file_info: Record<string, string> } }
      const { file_path: path, instructions } = data.remote_file_info
      assert.match(instructions!, /read_result/)
      const read = await s.python(`read_result(${JSON.stringify(path)})[0][0]["response"]["data"]["id"]`)
      assert.equal(read.data['results'], '5', JSON.stringify(read))
      await call(updateSession, {
        params: s.params,
        body: { workbench: { auto_offload_threshold: 20_000 } },
      })
    },
  ],
  [
    'a replaced sandbox says once that variables are gone, and keeps the mount',
    async ({ s, app }) => {
      const { call } = app
      await s.bash('echo kept > /mnt/files/kept.txt')
      await call(updateSession, { params: s.params, body: { workbench: { sandbox_size: 'medium' } } })
      const after = await s.python('open("/mnt/files/kept.txt").read() + str("x" in globals())')
      assert.deepEqual(
        [after.data['results'], after.data['stderr']],
        ['kept\nFalse', 'Kernel was restarted; earlier variables are gone.'],
      )
      assert.equal((await s.python('1')).data['stderr'], '')
    },
  ],
  [
    'code that arrives at another server runs in the sandbox of the session, with its variables and helpers',
    async ({ t, s, app, options }) => {
      const second = await testApp(t, { ...options(), sameDatabaseAs: app })
      await s.python('where = "first"')
      const there = await pythonOn(
        second,
        s.params,
        'there = run_tool("ISSUES_GET", {"id": 8})[0]["data"]["id"]\nopen("/mnt/files/kept.txt").read() + where',
      )
      assert.deepEqual([there.data.results, there.data.stderr], ['kept\nfirst', ''])
      const back = await s.python('there')
      assert.deepEqual([back.data['results'], back.data['stderr']], ['8', ''])
      assert.match((await pythonOn(second, s.params, '1 / 0')).data.error, /ZeroDivisionError/)
      assert.deepEqual(await app.app.db.rows(sql`select id from sandbox_runs`), [])
    },
  ],
  [
    'a session moves to another server if its own one does not reply',
    async ({ t, s, app, options }) => {
      const second = await testApp(t, { ...options(), sameDatabaseAs: app })
      await s.python('where = "first"')
      // The name of a server that was killed.
      await app.app.db.run(sql`update session_sandboxes set owner = 'killed'`)
      const moved = await pythonOn(
        second,
        s.params,
        'open("/mnt/files/kept.txt").read() + str("where" in globals())',
      )
      assert.deepEqual(
        [moved.data.results, moved.data.stderr],
        ['kept\nFalse', 'Kernel was restarted; earlier variables are gone.'],
      )
      assert.deepEqual(await app.app.db.rows(sql`select id from sandbox_runs`), [])
    },
  ],
  [
    'the same code that arrives at another server gets the outcome of the run in progress',
    async ({ t, s, app, server, options }) => {
      const second = await testApp(t, { ...options(), sameDatabaseAs: app })
      const barrier = Promise.withResolvers<void>()
      const { answer } = server
      server.answer = async (request) => {
        if (request.path.endsWith('/99')) await barrier.promise
        return answer(request)
      }
      // The code still runs when the other server has passed it on.
      const code =
        'import time\nwith open("/mnt/files/runs", "a") as f: f.write("x")\nrun_tool("ISSUES_GET", {"id": 99})\n' +
        'time.sleep(4)\n"only once"'
      const first = s.python(code)
      await until('the code runs', () => server.requests.some(({ path }) => path.endsWith('/99')))
      const before = await forwardedRuns(app)
      const there = pythonOn(second, s.params, code)
      await until('the other server forwards it', async () => (await forwardedRuns(app)) > before)
      barrier.resolve()
      assert.deepEqual(
        [(await there).data.results, (await first).data['results']],
        ['only once', 'only once'],
      )
      assert.equal((await s.python('open("/mnt/files/runs").read()')).data['results'], 'x')
      server.answer = answer
    },
  ],
  [
    'what code reads marks the session, and a policy on untrusted content stops the calls of code',
    async ({ s, app: { call } }) => {
      const read = await s.python('run_tool("ISSUES_GET", {"id": 1})[1]')
      assert.deepEqual([read.data['results'], read.error], ['', null])
      const { body } = await call(createPolicy, {
        body: {
          name: 'Nothing after reading',
          outcome: 'deny',
          when: { untrusted_content: { toolkits: ['issues'] } },
        },
      })
      const denied = await s.python('run_tool("ISSUES_GET", {"id": 1})[1]')
      assert.match(denied.data['results'], /Nothing after reading/)
      await call(deletePolicy, { params: { policy_id: body.id } })
    },
  ],
  [
    'workbench.enable false hides both tools, and a deleted session has no sandbox',
    async ({ s, app }) => {
      const { call } = app
      await call(updateSession, { params: s.params, body: { workbench: { enable: false } } })
      const reply = await call(executeMeta, {
        params: s.params,
        body: { slug: 'SERVICE_REMOTE_WORKBENCH', arguments: { code_to_execute: '1' } },
      })
      assert.equal(reply.status, 400)
      assert.equal((await call(deleteSession, { params: s.params })).status, 200)
    },
  ],
]

test('workbench: Python and bash in a session', async (t) => {
  const server = await upstream(t, ({ path }) => ({
    json: { id: Number(path.split('/').at(-1)), title: 'printer' },
  }))
  const files = temporaryFiles(t)
  const options = () => ({
    workbench: workbench({ timeoutMs: LONG_MS }),
    model,
    catalog: catalogOf(server.url),
    files,
  })
  const app = await testApp(t, options())
  const s = await openSession(app, { tools: { issues: { disable: ['ISSUES_DELETE'] } } })
  for (const [title, run] of CASES) await t.test(title, () => run({ t, s, app, server, options }))
})

test('workbench: a time limit ends the code, and keeps the variables', async (t) => {
  const app = await testApp(t, { workbench: workbench({ timeoutMs: SHORT_MS }), files: temporaryFiles(t) })
  const s = await openSession(app)
  assert.equal((await s.python('x = 41')).error, null)
  assert.match((await s.python('while True: pass')).error!, /TimeoutError/)
  assert.equal((await s.python('x')).data['results'], '41')
})

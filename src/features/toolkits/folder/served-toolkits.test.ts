import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { createToolkitsFolder, toolkitFiles } from '#fixtures/toolkits-folder.ts'
import { until } from '#fixtures/until.ts'
import { readSystem } from '../../../contract/system.ts'
import { readToolkit } from '../../../contract/toolkits/index.ts'
import { executeTool, listTools } from '../../../contract/tools/index.ts'

/** A server with a folder of toolkits. */
async function startServer(t: TestContext, files: Record<string, unknown>) {
  const folder = await createToolkitsFolder(t, files)
  const app = await testApp(t, { catalog: folder.builtIn, toolkitsFolder: folder.toolkits })
  const found = async (search: string) =>
    (await app.call(listTools, { query: { search } })).body.items.map(({ slug }) => slug)
  return { ...folder, ...app, found }
}

test('toolkits folder: a server lists, finds and removes its toolkits without a restart', async (t) => {
  const s = await startServer(t, toolkitFiles('shop'))
  const status = async (slug: string) => (await s.call(readToolkit, { params: { slug } })).status
  assert.deepEqual(
    [await status('shop'), await status('mail'), await s.found('zebra crossing')],
    [200, 404, []],
  )
  await s.write(toolkitFiles('mail', 'Counts every zebra crossing of a town.'))
  await s.settle()
  await until('the toolkit is served', async () => (await status('mail')) === 200)
  assert.deepEqual(await s.found('zebra crossing'), ['MAIL_GET'])
  await s.remove('mail')
  await s.settle()
  await until('the toolkit is gone', async () => (await status('mail')) === 404)
  assert.deepEqual(await s.found('zebra crossing'), [])
})

test('toolkits folder: code of a toolkit runs, and its ToolFailure is the failure of the tool', async (t) => {
  const { request: _, ...tool } = sampleTool({ slug: 'CALC_GET', name: 'Get', run: 'code' })
  const code = `class ToolFailure extends Error {
  name = 'ToolFailure'
  statusCode = 409
}
export const tools: Record<string, (args: Record<string, unknown>) => unknown> = {
  CALC_GET: (args) => {
    if (args['id'] === 'none') throw new ToolFailure('There is no such order.')
    return { order: args['id'] }
  },
}
`
  const s = await startServer(t, {
    ...toolkitFiles('calc', undefined, {
      auth: [{ scheme: 'NO_AUTH' }],
      base_url: 'https://calc.example',
    }),
    'calc/tools.json': { tools: [tool] },
    'calc/tools.ts': code,
  })
  assert.deepEqual(s.toolkits.problems(), [])
  const run = async (order: string) =>
    (
      await s.call(executeTool, {
        params: { tool_slug: 'CALC_GET' },
        body: { user_id: 'u1', version: 'latest', arguments: { id: order } } as never,
      })
    ).body
  const { data, successful } = await run('7')
  assert.deepEqual([data, successful], [{ order: '7' }, true])
  const failed = await run('none')
  assert.deepEqual([failed.successful, failed.error], [false, 'There is no such order.'])
})

test('toolkits folder: /readyz and the state of the system report invalid toolkits', async (t) => {
  const s = await startServer(t, { ...toolkitFiles('shop'), 'mail/toolkit.json': '{' })
  const readyz = async () => {
    const reply = await s.app.http.inject('/readyz')
    return [reply.statusCode, reply.json<{ warnings?: string[] }>().warnings]
  }
  const check = async () =>
    (await s.org(readSystem)).body.checks.find(({ name }) => name === 'toolkits folder')
  assert.deepEqual(await readyz(), [
    200,
    ['Invalid toolkits in TOOLKITS_DIR: 1. The log, `patchbay doctor` and GET /system say why.'],
  ])
  const failed = await check()
  assert.equal(failed?.status, 'fail')
  assert.match(failed?.detail ?? '', /mail\/toolkit\.json: is not JSON/)
  await s.remove('mail')
  await s.settle()
  assert.deepEqual(
    [await readyz(), await check()],
    [
      [200, undefined],
      { name: 'toolkits folder', status: 'ok', detail: 'Toolkits of TOOLKITS_DIR in use: 1', fix: null },
    ],
  )
})

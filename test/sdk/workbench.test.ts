import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWasmDriver } from '../../src/sandbox/index.ts'
import { temporaryFiles } from '../fixtures/files.ts'
import { sandboxCache } from '../sandbox/drivers.ts'
import { BRAND, stockSdk } from './stock-sdk.ts'
import { clientWithRunnableTools } from './runnable-tools.ts'

test('the stock SDK runs code in the workbench, and reads the files that it leaves', async (t) => {
  const driver = createWasmDriver({
    cacheDir: sandboxCache(),
    brand: BRAND,
    fileBytesMax: 10_000_000,
    diskBytesMax: 50_000_000,
    cpuSecondsMax: 300,
  })
  const limits = { idleMs: 600_000, maxAgeMs: 86_400_000, sandboxesMax: 2, warm: 0 }
  const s = await stockSdk(t, {
    files: temporaryFiles(t),
    workbench: { driver, limits, mountBytesMax: 10_000_000 },
  })
  const composio = clientWithRunnableTools(s)
  const session = await composio.create('ada', {
    workbench: { enable: true, sandboxSize: 'medium' },
  } as never)
  const tools = await session.tools()
  const run = (name: string, input: Record<string, unknown>) =>
    tools.find(({ slug }) => slug === `COMPOSIO_${name}`)!.run(input)

  const cell = await run('REMOTE_WORKBENCH', {
    code_to_execute:
      'result, error = run_composio_tool("UTILITIES_GET_CURRENT_TIME", {"timezone": "Europe/Lisbon"})\n' +
      'open("/mnt/files/zone.txt", "w").write(result["data"]["timezone"])\n(result["data"]["timezone"], error)',
  })
  assert.deepEqual([cell.error, cell.data['results']], [null, "('Europe/Lisbon', '')"], JSON.stringify(cell))
  const shell = await run('REMOTE_BASH_TOOL', { command: 'cat /mnt/files/zone.txt' })
  assert.deepEqual([shell.error, shell.data['stdout']], [null, 'Europe/Lisbon'])

  const direct = await session.execute('COMPOSIO_REMOTE_WORKBENCH', {
    code_to_execute: 'result["data"]["timezone"]',
  })
  assert.equal(
    (direct.data as Record<string, unknown>)['results'],
    'Europe/Lisbon',
    'the variables are still there',
  )

  const { items } = (await session.experimental.files.list()) as { items: { mountRelativePath: string }[] }
  assert.deepEqual(
    items.map(({ mountRelativePath: path }) => path),
    ['zone.txt'],
  )
  const without = await composio.create('ada', { workbench: { enable: false } } as never)
  assert.ok(!(await without.tools()).some(({ slug }) => slug.includes('REMOTE_')))
})

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { temporaryDirectory } from '#fixtures/server-process.ts'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { lintToolkits } from './lint-toolkits.ts'

async function lint(t: TestContext, tools: unknown[], ...flags: string[]) {
  const folder = await temporaryDirectory(t)
  mkdirSync(join(folder, 'shop'))
  for (const [name, text] of Object.entries({
    'toolkit.json': JSON.stringify(sampleToolkit()),
    'tools.json': JSON.stringify({ tools }),
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  }))
    writeFileSync(join(folder, 'shop', name), text)
  return runLint(folder, ...flags)
}

async function runLint(folder: string, ...flags: string[]) {
  let text = ''
  const code = await lintToolkits({
    args: [folder, ...flags],
    out: {
      write: (chunk) => {
        text += String(chunk)
        return true
      },
    },
  })
  return { code, text }
}

/** A tool whose input is larger than a model vendor accepts. */
function hugeTool() {
  const names = Array.from({ length: 3_000 }, (_, i) => `member_number_${i}`)
  return sampleTool({
    input: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: 'x' }])),
    },
    request: { method: 'POST', path: '/orders', body: names },
  })
}

test('toolkits lint: a valid folder has no problems', async (t) => {
  assert.deepEqual(await lint(t, [sampleTool()]), {
    code: 0,
    text: '\n  1 toolkit with 1 tool: no problems.\n\n',
  })
})

test('toolkits lint: every problem has file, position and reason, and the exit code is 1', async (t) => {
  const wrong = [
    sampleTool({ slug: 'STORE_GET' }),
    sampleTool({ request: { method: 'GET', path: '/orders' } }),
  ]
  const { code, text } = await lint(t, wrong)
  assert.equal(code, 1)
  assert.match(text, /✗ shop\/tools\.json \/tools\/0\/slug\n {6}must begin with `SHOP_`/)
  assert.match(text, /✗ shop\/tools\.json \/tools\/1\/input\/properties\/id\n {6}is not used/)
  assert.match(text, /2 problems to fix/)
  const asJson = JSON.parse((await lint(t, wrong, '--json')).text) as { ok: boolean; diagnostics: unknown[] }
  assert.deepEqual([asJson.ok, asJson.diagnostics.length], [false, 2])
})

test('toolkits lint: a warning names the file of a tool that has its own file', async (t) => {
  const folder = await temporaryDirectory(t)
  mkdirSync(join(folder, 'shop/tools'), { recursive: true })
  writeFileSync(join(folder, 'shop/toolkit.json'), JSON.stringify(sampleToolkit()))
  writeFileSync(join(folder, 'shop/icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'shop/tools/SHOP_GET_ORDER.json'), JSON.stringify(hugeTool()))
  const { text } = await runLint(folder)
  assert.match(text, /! shop\/tools\/SHOP_GET_ORDER\.json SHOP_GET_ORDER\n {6}is omitted/)
})

test('toolkits lint: a tool that a model vendor would reject is a warning', async (t) => {
  const { code, text } = await lint(t, [hugeTool()])
  assert.equal(code, 0)
  assert.match(
    text,
    /! shop\/tools\.json SHOP_GET_ORDER\n {6}is omitted from lists in the tool format gemini: .*characters/,
  )
})

test('toolkits lint: a missing folder is an error with a fix', async () => {
  for (const args of [[], ['--json'], ['a', 'b'], ['/nowhere/at/all']])
    await assert.rejects(lintToolkits({ args, out: { write: () => true } }), StartupError)
})

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { importInSteps } from './import-in-steps.ts'

test('importing in steps: each module is evaluated in a step of its own, after those that it imports', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'import-in-steps-'))
  t.after(() => rm(directory, { recursive: true }))
  const evaluated: string[] = []
  Object.assign(globalThis, { evaluatedModules: evaluated })
  t.after(() => Reflect.deleteProperty(globalThis, 'evaluatedModules'))
  const modules = {
    'entry.mjs':
      "import {\n  list,\n} from './list.mjs'\nimport fs from 'node:fs'\nexport * from './names.mjs'\n",
    'list.mjs': "import './shared.mjs'\nexport const list = []\n",
    'names.mjs': "export { shared } from './shared.mjs'\n",
    'shared.mjs': 'export const shared = 1\n',
  }
  for (const [name, text] of Object.entries(modules))
    await writeFile(join(directory, name), `${text}globalThis.evaluatedModules.push('${name}')\n`)
  const perStep: string[][] = []
  const rest = async () => {
    if (evaluated.length > 0) perStep.push(evaluated.splice(0))
  }
  await importInSteps(pathToFileURL(join(directory, 'entry.mjs')).href, rest, 0)
  assert.deepEqual(perStep, [['shared.mjs'], ['list.mjs'], ['names.mjs'], ['entry.mjs']])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToolkitsFolder, toolkitFiles } from '#fixtures/toolkits-folder.ts'
import { readConfig } from '../../platform/config.ts'
import { toolkitsFolderCheck } from './toolkits-folder.ts'

test('doctor: every problem of a toolkit in TOOLKITS_DIR is a failure, and the cache of the server stays as it is', async (t) => {
  const s = await createToolkitsFolder(t, { ...toolkitFiles('shop'), ...toolkitFiles('post') })
  const check = (env: Record<string, string>) =>
    toolkitsFolderCheck.run({ config: readConfig(env), catalog: s.builtIn, afterwards: [] })
  const env = { TOOLKITS_DIR: s.folder, DATA_DIR: s.cache }
  const [problem] = (await check(env)) as { status: string; detail: string; fix: string }[]
  assert.equal(problem?.status, 'fail')
  assert.match(problem?.detail ?? '', /^post: the program ships a toolkit with this slug/)
  assert.deepEqual(await check({ ...env, TOOLKITS_REPLACE: 'post' }), {
    status: 'ok',
    detail: `2 of ${s.folder}`,
  })
  assert.equal(((await check({})) as { status: string }).status, 'ok')
  const missing = (await check({ ...env, TOOLKITS_DIR: `${s.folder}/none` })) as {
    status: string
    detail: string
  }
  assert.equal(missing.status, 'fail')
  assert.match(missing.detail, /TOOLKITS_DIR cannot be read/)
})

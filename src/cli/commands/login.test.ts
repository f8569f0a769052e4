import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { commandLine } from '#fixtures/cli-app.ts'

async function start(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'patchbay-home-'))
  t.after(() => rmSync(home, { recursive: true }))
  const app = await testApp(t)
  const env = {
    PATCHBAY_API_KEY: '',
    PATCHBAY_ORG_API_KEY: '',
    HOME: home,
    XDG_CONFIG_HOME: '',
    DATA_DIR: '',
  }
  return { app, run: commandLine(t, app, env), file: join(home, '.config', 'patchbay', 'keys.json') }
}

test('login: a checked key serves every directory until logout, and only this user can read it', async (t) => {
  const { app, run, file } = await start(t)
  const { code, text } = await run('patchbay login --url http://localhost:3900', {
    input: `${app.keys.projectApiKey}\n`,
  })
  assert.equal(code, 0, text)
  assert.match(text, /Logged in to http:\/\/localhost:3900, project /)
  assert.ok(!text.includes(app.keys.projectApiKey), 'the key is not printed')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal((await run('patchbay tools list --limit 1')).code, 0)
  assert.equal((await run('patchbay logout')).code, 0)
  assert.equal(existsSync(file), false)
  assert.equal((await run('patchbay tools list --limit 1')).code, 2)
})

test('login: a wrong key is not stored, and an earlier login stays', async (t) => {
  const { app, run, file } = await start(t)
  assert.equal((await run(`patchbay login --api-key ${app.keys.projectApiKey}`)).code, 0)
  const before = readFileSync(file, 'utf8')
  const { code, text } = await run('patchbay login --api-key ak_wrong_0123456789abcdef')
  assert.equal(code, 1)
  assert.match(text, /HTTP 401/)
  assert.equal((await run('patchbay login')).code, 2, 'no key on standard input')
  assert.equal(readFileSync(file, 'utf8'), before)
})

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connectionOf } from './connection.ts'

const KEYS = { url: 'http://localhost:3999', project_api_key: 'ak_0123456789abcdef' }

/** A directory with `.patchbay/keys.json` one level above `cwd`. */
function sharedDirectory(t: TestContext) {
  const above = mkdtempSync(join(tmpdir(), 'patchbay-owner-'))
  t.after(() => rmSync(above, { recursive: true }))
  const cwd = join(above, 'work')
  mkdirSync(cwd)
  mkdirSync(join(above, '.patchbay'))
  const file = join(above, '.patchbay', 'keys.json')
  writeFileSync(file, JSON.stringify(KEYS))
  return { above, cwd, file, owner: statSync(file).uid }
}

test('keys file: a file of another user in a parent directory decides neither the server nor the key', (t) => {
  const { cwd, file, owner } = sharedDirectory(t)
  const other = owner + 1
  assert.throws(() => connectionOf({}, { env: {}, cwd, uid: other }), {
    message: `${file} belongs to another user, so it is not used.`,
  })
  const explicit = connectionOf({ url: 'https://patchbay.example' }, { env: {}, cwd, uid: other })
  assert.deepEqual(
    [explicit.url, explicit.apiKey, explicit.keysFile],
    ['https://patchbay.example', undefined, undefined],
  )
})

test('keys file: the own file is used, with sudo that of the caller, and a folder named by DATA_DIR', (t) => {
  const { above, cwd, owner } = sharedDirectory(t)
  const urlFor = (env: Record<string, string>, uid: number | undefined) =>
    connectionOf({}, { env, cwd, uid }).url
  assert.equal(urlFor({}, owner), KEYS.url)
  assert.equal(urlFor({}, undefined), KEYS.url, 'a system without user ids')
  assert.equal(urlFor({ DATA_DIR: join(above, '.patchbay') }, owner + 1), KEYS.url, 'named by its full path')
  if (owner !== 0) assert.equal(urlFor({ SUDO_UID: String(owner) }, 0), KEYS.url)
})

test('keys file: an unreadable file is no file, and the file of `patchbay login` is the last choice', (t) => {
  const { above, cwd, file, owner } = sharedDirectory(t)
  const home = join(above, 'home')
  mkdirSync(join(home, 'patchbay'), { recursive: true })
  writeFileSync(
    join(home, 'patchbay', 'keys.json'),
    JSON.stringify({ ...KEYS, url: 'https://login.example' }),
  )
  const url = () => connectionOf({}, { env: { XDG_CONFIG_HOME: home }, cwd, uid: owner }).url
  assert.equal(url(), KEYS.url)
  chmodSync(file, 0o000)
  if (owner !== 0) assert.equal(url(), 'https://login.example')
  rmSync(file)
  assert.equal(url(), 'https://login.example')
})

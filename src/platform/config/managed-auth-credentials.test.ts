import assert from 'node:assert/strict'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { problemsOf, settingsDirectory } from '#fixtures/config.ts'
import { readConfig } from '../config.ts'

test('managed auth: credentials come from a file or a variable, are never printed, and can be read once', (t) => {
  const cwd = settingsDirectory(t)
  const text = JSON.stringify({
    shop: { oauth2: { client_id: 'c', client_secret: 's3cret-1', scopes: ['a', 'b'] } },
  })
  writeFileSync(join(cwd, 'apps.json'), text, { mode: 0o640 })
  for (const source of [
    readConfig({ MANAGED_AUTH_FILE: 'apps.json' }, cwd).managedAuthFile,
    readConfig({ MANAGED_AUTH: text }).managedAuth,
  ]) {
    assert.doesNotMatch(
      `${inspect(source, { depth: 9, showHidden: true })}${JSON.stringify(source)}${String(source)}`,
      /s3cret/,
    )
    assert.deepEqual(source?.take(), [
      {
        toolkit: 'shop',
        scheme: 'OAUTH2',
        values: { client_id: 'c', client_secret: 's3cret-1', scopes: ['a', 'b'] },
      },
    ])
    assert.deepEqual(source?.take(), [])
  }
})

test('managed auth: a public or damaged file is rejected without showing its text', (t) => {
  const cwd = settingsDirectory(t)
  const problem = (text: string, mode = 0o600) => {
    rmSync(join(cwd, 'apps.json'), { force: true })
    writeFileSync(join(cwd, 'apps.json'), text)
    chmodSync(join(cwd, 'apps.json'), mode)
    return problemsOf(() => readConfig({ MANAGED_AUTH_FILE: 'apps.json' }, cwd)).join()
  }
  assert.match(
    problem('{}', 0o644),
    /all users of this machine may read it \(mode 644\); run `chmod 600` on it/,
  )
  assert.match(problem('{"shop": {"OAUTH2": {"client_secret": "s3cret" "x"}}}'), /it is not JSON(?!.*s3cret)/)
  assert.match(problem('{"shop": "s3cret"}'), /shop is not an object(?!.*s3cret)/)
  assert.match(
    problem('{"shop": {"OAUTH2": {"client_id": 7}}}'),
    /shop\.OAUTH2\.client_id must be a string or a list of strings/,
  )
  assert.doesNotMatch(problem('{"s3cret with spaces": 1}'), /s3cret/)
})

import assert from 'node:assert/strict'
import { chmod, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { until } from '#fixtures/until.ts'
import { createManagedAuth } from '../features/auth-configs/index.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'
import { ManagedAuthCredentials, readManagedAuthFile } from '../platform/config.ts'
import { watchManagedAuth } from './managed-auth-file-watcher.ts'

const client = (secret: string) => ({ client_id: 'operator', client_secret: secret })
const shop = (secret: string) => JSON.stringify({ shop: { OAUTH2: client(secret) } })

async function watched(t: TestContext, name = 'managed.json') {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-managed-'))
  t.after(() => rm(directory, { recursive: true }))
  const file = join(directory, name)
  const write = (text: string, mode = 0o600) => writeFile(file, text, { mode })
  await write(shop('first'))
  const managed = createManagedAuth(exampleCatalog(), [
    readManagedAuthFile(file),
    new ManagedAuthCredentials('MANAGED_AUTH', [{ toolkit: 'mail', scheme: 'API_KEY', values: {} }]),
  ])
  const lines: string[] = []
  const note = (fields: unknown, text: string) => {
    lines.push(`${text} ${JSON.stringify(fields)}`)
  }
  const watch = watchManagedAuth({
    file,
    managed,
    log: { info: note as never, error: note as never },
    lookMs: 5,
  })
  t.after(() => watch.close())
  const secret = () => {
    try {
      return managed.credentials('shop', 'OAUTH2')['client_secret']
    } catch {
      return undefined
    }
  }
  return { directory, file, write, managed, lines, secret }
}

test('managed auth file: a changed file is used without a restart, next to the variable', async (t) => {
  const s = await watched(t)
  assert.equal(s.secret(), 'first')
  await s.write(shop('second'))
  await until('the new secret is used', () => s.secret() === 'second')
  assert.deepEqual([s.managed.schemes('shop'), s.managed.schemes('mail')], [['OAUTH2'], ['API_KEY']])
  await s.write('{}')
  await until('the toolkit is taken out', () => s.managed.schemes('shop').length === 0)
  assert.throws(() => s.managed.credentials('shop', 'OAUTH2'), /MANAGED_AUTH_FILE/)
})

test('managed auth file: an invalid file changes nothing and is logged without its values', async (t) => {
  const s = await watched(t)
  const other = {
    shop: { OAUTH2: { ...client('secret-in-file'), extra: 'secret-extra' } },
    nope: { OAUTH2: client('x') },
    mail: { API_KEY: {} },
  }
  const cases: [string, () => Promise<unknown>, RegExp][] = [
    ['half a file', () => s.write(shop('secret-in-file').slice(0, -5)), /not JSON/],
    [
      'of everybody',
      async () => {
        // The watcher must not read this valid file before everybody may.
        const other = join(s.directory, 'other.json')
        await writeFile(other, shop('secret-in-file'))
        await chmod(other, 0o644)
        await rename(other, s.file)
      },
      /chmod 600/,
    ],
    [
      'faults',
      async () => {
        await s.write(JSON.stringify(other))
        await chmod(s.file, 0o600)
      },
      /unknown field extra.*nope\.OAUTH2 is for an unknown toolkit.*mail\.API_KEY is configured twice/s,
    ],
    ['gone', () => rm(s.file), /cannot be read \(ENOENT\)/],
  ]
  for (const [what, spoil, expected] of cases) {
    await spoil()
    await until(`${what} is logged`, () => s.lines.some((line) => expected.test(line)))
    assert.deepEqual([what, s.secret()], [what, 'first'])
  }
  assert.doesNotMatch(s.lines.join(), /secret-/)
  assert.ok(s.lines.some((line) => line.includes('the previous credentials stay in use')))
  await s.write(shop('third'))
  await until('the good file is used', () => s.secret() === 'third')
})

test('managed auth file: a link that points to another file is a change, as in a mounted secret', async (t) => {
  const s = await watched(t)
  await writeFile(join(s.directory, 'other.json'), shop('other'), { mode: 0o600 })
  await symlink('other.json', join(s.directory, 'link'))
  await rename(join(s.directory, 'link'), s.file)
  await until('what the link leads to is used', () => s.secret() === 'other')
})

import assert from 'node:assert/strict'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { StartupError } from '../../startup-error.ts'
import { binariesIn, completeLinks, findBinaries } from './binaries.ts'

test('built-in PostgreSQL: other platforms need their own PostgreSQL', async () => {
  for (const [platform, arch] of [
    ['win32', 'ia32'],
    ['linux', 'riscv64'],
  ] as const) {
    await assert.rejects(
      findBinaries(platform, arch),
      (error: unknown) => error instanceof StartupError && /DATABASE_URL/.test(error.fix),
    )
  }
})

test('built-in PostgreSQL: the files of a package have the names of its platform', async (t) => {
  const root = await fakePackage(t)
  await writeFile(join(root, 'package.json'), JSON.stringify({ version: '18.4.0-beta.17' }))
  const namesOn = async (platform: string) =>
    (await binariesIn(root, platform)).reads.map((path) => basename(path))
  assert.deepEqual(await namesOn('linux'), ['libpq.so.5', 'plpgsql.so', 'postgres.bki'])
  assert.deepEqual(await namesOn('darwin'), ['libpq.5.dylib', 'plpgsql.dylib', 'postgres.bki'])
  assert.deepEqual(await namesOn('win32'), ['libpq.dll', 'plpgsql.dll', 'postgres.bki'])
  const { major, postgres, initdb, pgCtl } = await binariesIn(root, 'win32')
  assert.equal(major, 18)
  assert.deepEqual(
    [postgres, initdb, pgCtl].map((path) => basename(path)),
    ['postgres.exe', 'initdb.exe', 'pg_ctl.exe'],
  )
})

test('built-in PostgreSQL: missing and broken links are created, and existing ones are not changed', async (t) => {
  const root = await fakePackage(t)
  await symlink('nowhere', join(root, 'native/lib/liba.so.1'))
  await writeFile(join(root, 'native/lib/liba.so.2'), 'a copy that some installer made')
  await completeLinks(root)
  const made = lstatSync(join(root, 'native/lib/liba.so')).ino
  await completeLinks(root)
  assert.equal(lstatSync(join(root, 'native/lib/liba.so')).ino, made)
  assert.equal(readlinkSync(join(root, 'native/lib/liba.so')), 'liba.so.1.0')
  assert.equal(readFileSync(join(root, 'native/lib/liba.so.1'), 'utf8'), 'the library')
  assert.equal(readFileSync(join(root, 'native/lib/liba.so.2'), 'utf8'), 'a copy that some installer made')
})

test('built-in PostgreSQL: a link that cannot be created is named', async (t) => {
  const root = await fakePackage(t)
  await writeFile(
    join(root, 'native/pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/liba.so.1.0', target: 'native/gone/liba.so' }]),
  )
  await assert.rejects(
    completeLinks(root),
    (error: unknown) => error instanceof StartupError && error.message.includes('native/gone/liba.so'),
  )
})

async function fakePackage(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'patchbay-binaries-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'native/lib'), { recursive: true })
  await writeFile(join(root, 'native/lib/liba.so.1.0'), 'the library')
  const links = ['liba.so', 'liba.so.1', 'liba.so.2'].map((name) => ({
    source: 'native/lib/liba.so.1.0',
    target: `native/lib/${name}`,
  }))
  await writeFile(join(root, 'native/pg-symlinks.json'), JSON.stringify(links))
  return root
}

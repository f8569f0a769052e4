import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryCache } from '#fixtures/files.ts'
import type { Pack } from './packs.ts'
import { openSource } from './source.ts'
import { tarGz } from '#fixtures/packs.ts'

const FILES = [
  { name: 'package/package.json', text: '{}' },
  { name: 'package/api/a.com.json', text: '{"a":1}' },
  { name: `package/api/${'b'.repeat(60)}.com/${'c'.repeat(60)}.json`, text: '{"b":1}' },
  { name: 'package/api/../../outside.json', text: 'out' },
  { name: 'package/api/link.json', text: '', type: 'symlink' as const },
  { name: 'package/api/_index.js', text: 'no' },
]
const packOf = (integrity: string): Pack => ({
  name: 'sample',
  package: 'sample-package',
  version: '1.0.0',
  integrity,
  contents: '',
  documents: 2,
  description: 'A few',
})

test('pack archive: the known archive is unpacked, and no file is written outside the folder', async (t) => {
  const cache = temporaryCache(t)
  const { bytes, integrity } = await tarGz(FILES)
  await writeFile(join(cache, 'given.tgz'), bytes)
  const steps: string[] = []
  const source = await openSource(packOf(integrity), {
    path: join(cache, 'given.tgz'),
    cache,
    onStep: (text) => steps.push(text),
  })
  assert.deepEqual(
    source.documents.map(({ key, bytes: length }) => [key, length]),
    [
      ['a.com', 7],
      [`${'b'.repeat(60)}.com/${'c'.repeat(60)}`, 7],
    ],
  )
  assert.equal(await readFile(source.documents[1]!.file, 'utf8'), '{"b":1}')
  assert.deepEqual(steps, ['unpacking sample-package 1.0.0'])
  await source.close(true)
  assert.deepEqual(await readdir(cache), ['given.tgz'], 'what was given stays')
})

test('pack archive: an earlier download is reused, and removed if its checksum differs', async (t) => {
  const cache = temporaryCache(t)
  const { bytes, integrity } = await tarGz(FILES)
  const cached = join(cache, 'sample-1.0.0.tgz')
  await writeFile(cached, bytes)
  const source = await openSource(packOf(integrity), { path: undefined, cache, onStep() {} })
  await source.close(false)
  assert.deepEqual(await readdir(cache), ['sample-1.0.0.tgz'], 'kept for the next run')
  await writeFile(cached, (await tarGz([...FILES, { name: 'package/api/evil.json', text: '{}' }])).bytes)
  await assert.rejects(
    openSource(packOf(integrity), { path: undefined, cache, onStep() {} }),
    /is not sample-package 1\.0\.0 as it was published: its checksum is sha512-.*Nothing was added/,
  )
  assert.deepEqual(await readdir(cache), [])
})

test('pack archive: an invalid, truncated or hostile archive is rejected with a fix', async (t) => {
  const cache = temporaryCache(t)
  const { bytes } = await tarGz(FILES)
  const wrong: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.from('no archive'), /cannot be unpacked/],
    [bytes.subarray(0, bytes.length - 40), /cannot be unpacked/],
    [Buffer.alloc(0), /^$|no documents|cannot be unpacked/],
    [
      (await tarGz([{ name: 'package/api/a.json', text: 'x', size: 3 * 1024 ** 3 }])).bytes,
      /holds more than/,
    ],
    [
      (await tarGz([{ name: 'package/api/a.json', text: 'x', size: 1_000_000 }])).bytes,
      /ends in the middle of a file/,
    ],
    [
      (await tarGz([{ name: 'package/other', text: 'x', size: 1_000_000 }])).bytes,
      /ends in the middle of a file/,
    ],
  ]
  for (const [content, message] of wrong) {
    const file = join(cache, 'wrong.tgz')
    await writeFile(file, content)
    const integrity = `sha512-${(await import('node:crypto')).createHash('sha512').update(content).digest('base64')}`
    const opened = openSource(packOf(integrity), { path: file, cache, onStep() {} }).then((source) => {
      throw new Error(source.documents.length === 0 ? 'There are no documents' : 'it was taken')
    })
    await assert.rejects(opened, message)
    assert.deepEqual(
      (await readdir(cache)).filter((name) => name !== 'wrong.tgz'),
      [],
    )
  }
  await assert.rejects(openSource(packOf(''), { path: join(cache, 'nothing'), cache, onStep() {} }), {
    message: /does not exist/,
    fix: /--from/,
  })
  await assert.rejects(openSource(packOf(''), { path: cache, cache, onStep() {} }), /has no documents/)
})

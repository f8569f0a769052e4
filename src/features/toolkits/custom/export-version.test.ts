import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { exportToolkitVersion, importToolkit, listToolkitVersions } from '../../../contract/toolkits/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { sampleImport } from '#fixtures/custom-toolkits.ts'
import { builtIn, NOW, start } from '#fixtures/own-toolkits.ts'
import { EXPORT_BYTES_MAX } from './export-version.ts'

const wares = () => sampleImport('wares', [['WARES_COUNT', 'Count crates']])
const document = {
  openapi: '3.1.0',
  info: { title: 'Wares', version: '1' },
  servers: [{ url: 'https://wares.example' }],
  paths: { '/crates': { get: { operationId: 'listCrates', responses: {} } } },
}

test('toolkit export: returns the content of the version; only of a toolkit of the own project', async (t) => {
  const { call, other, own, one, app } = await start(t, { catalog: builtIn() })
  const { version } = await own.put(one, wares(), { kind: 'openapi' }, NOW)
  const read = async (client: typeof call, slug: string, name: string) => {
    const { status, body } = await client(exportToolkitVersion, { params: { slug, version: name } })
    return status === 200 ? body : `${status} ${body.error.slug}`
  }
  const body = await read(call, 'wares', 'latest')
  assert.ok(typeof body === 'object')
  const [row] = (await call(listToolkitVersions, { params: { slug: 'wares' } })).body.items
  assert.deepEqual([body.version, body.digest, body.source], [version, row!.digest, row!.source])
  const content = JSON.parse(gunzipSync(Buffer.from(body.content_gzip, 'base64')).toString())
  assert.deepEqual(
    [content.toolkit.slug, content.tools.map(({ slug }: { slug: string }) => slug)],
    ['wares', ['WARES_COUNT']],
  )
  assert.deepEqual(await read(call, 'Wares', version), body)
  assert.deepEqual(
    [
      await read(call, 'wares', '20200101_00'),
      await read(call, 'post', 'latest'),
      await read(call, 'nothing', 'latest'),
      await read(other, 'wares', 'latest'),
    ],
    [
      '404 Toolkit_VersionNotFound',
      '403 Toolkit_NotOwn',
      '404 Toolkit_ToolkitNotFound',
      '404 Toolkit_ToolkitNotFound',
    ],
  )
  await app.db.run(sql`update toolkit_versions set size = ${EXPORT_BYTES_MAX + 1} where version = ${version}`)
  assert.equal(await read(call, 'wares', version), '413 Toolkit_DocumentTooLarge')
})

test('toolkit import: a version number is used as it is, and must be a day and newer than all versions', async (t) => {
  const { call } = await start(t)
  const put = async (version: string, more: object = {}) => {
    const { status, body } = await call(importToolkit, { body: { content: document, version, ...more } })
    return status < 300 ? `${body.version} ${body.created}` : `${status} ${body.error.message}`
  }
  assert.equal(await put('20250102_03', { dry_run: true }), '20250102_03 true')
  assert.equal(await put('20250102_03'), '20250102_03 true')
  assert.equal(await put('20250102_03'), '20250102_03 false')
  const changed = {
    content: { ...document, info: { title: 'Wares', version: '1', description: 'All of the crates.' } },
  }
  for (const more of [{}, { dry_run: true }])
    assert.match(
      await put('20250102_03', { ...changed, ...more }),
      /^409 wares has a version 20250102_03 with other content/,
    )
  assert.match(await put('20250101_99', changed), /^409 .* is older than its newest version, 20250102_03/)
  assert.equal(
    await put('20250102_04'),
    '20250102_04 true',
    'equal content under another number is a version',
  )
  assert.match(await put('20250231_00'), /^400 .*2025-02-31 is not a day/)
  assert.match(await put('99990101_00'), /^400 .*9999-01-01 is in the future/)
  assert.match(await put('latest'), /^400 /)
})

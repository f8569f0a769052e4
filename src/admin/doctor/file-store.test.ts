import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import S3rver from 's3rver'
import { readConfig } from '../../platform/config.ts'
import type { CheckResult } from './check.ts'
import { fileStoreChecks } from './file-store.ts'

async function objectStore(t: TestContext): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'patchbay-doctor-store-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await server.run()
  t.after(async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return `http://127.0.0.1:${port}`
}

const check = async (settings: Record<string, string>): Promise<CheckResult> =>
  (await fileStoreChecks[0]!.run({ config: readConfig(settings), afterwards: [] })) as CheckResult

test('doctor: an object is written to the bucket, read and removed; each cause of a failure is named', async (t) => {
  const settings = {
    FILES_S3_BUCKET: 'files',
    FILES_S3_ENDPOINT: await objectStore(t),
    FILES_S3_PATH_STYLE: 'true',
    FILES_S3_ACCESS_KEY_ID: 'S3RVER',
    FILES_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  assert.deepEqual(await check(settings), {
    status: 'ok',
    detail: 'bucket files: a test object was written, read and removed',
  })
  const failures = [
    [{ FILES_S3_ACCESS_KEY_ID: 'another' }, /rejected the request \(403 InvalidAccessKeyId/],
    [{ FILES_S3_BUCKET: 'missing' }, /bucket missing: .*\(404 NoSuchBucket/],
    [{ FILES_S3_ENDPOINT: 'http://127.0.0.1:9' }, /the object store does not respond/],
  ] as const
  for (const [changed, detail] of failures) {
    const result = await check({ ...settings, ...changed })
    assert.equal(result.status, 'fail', JSON.stringify(changed))
    assert.match(result.detail, detail)
    assert.match(result.fix!, /permission to put, get and delete objects/)
  }
  const incomplete = await check({ FILES_S3_BUCKET: 'files', FILES_S3_ACCESS_KEY_ID: 'S3RVER' })
  assert.match(incomplete.detail, /The credentials for FILES_S3_BUCKET are incomplete/)
})

test('doctor: without a bucket, the directory of files is named', async () => {
  assert.deepEqual(await check({ DATA_DIR: '/srv/data' }), { status: 'ok', detail: 'in /srv/data/files' })
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperationsFile } from '../../src/catalog/manifest/load/operations/index.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')

test('generated tools: slashes in resource names of Google stay as they are', () => {
  const file = OperationsFile.open(join(FOLDER, 'google_analytics', 'operations.bin'))
  const paths = [...file.manifests()].map(({ request }) => request!.path)
  const withName = paths.filter((path) => /\/v1beta\/\{/.test(path))
  assert.ok(withName.length > 20, `${withName.length} paths with a resource name`)
  assert.deepEqual(
    withName.filter((path) => !/\/v1beta\/\{\+\w+\}/.test(path)),
    [],
  )
})

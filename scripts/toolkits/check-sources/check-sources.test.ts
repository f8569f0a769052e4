import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { OPERATION_FILE, type OperationFile, readOperationFile } from '../operation-files/index.ts'
import { checkFile, requestsDigest } from './check-file.ts'
import { findRequest } from './find-request.ts'
import { readCheckedSources } from './result.ts'

const TOOLKITS = join(import.meta.dirname, '..', '..', '..', 'toolkits')

test('check of sources: a path is found in a template, a concatenation and a list, with its method', () => {
  const found: [text: string, method: string, path: string][] = [
    [
      'request({ path: `/v2/lists/${encode(id)}/entries`, method: "post" })',
      'POST',
      '/v2/lists/{list_id}/entries',
    ],
    ["call(this, 'GET', '/lists/' + id + '/entries')", 'GET', '/lists/{id}/entries'],
    ['http.delete(`${BASE}/lists/${id}`)', 'DELETE', '/lists/{list_id}'],
    ['return this.send({ path: "lists" })', 'GET', '/lists'],
    ['GET /lists/{listId}\nPOST /lists', 'GET', '/lists/{list_id}'],
    ['paths:\n  /lists/{listId}:\n    delete:\n', 'DELETE', '/lists/{list_id}'],
  ]
  for (const [text, method, path] of found) assert.equal(findRequest(text, method, path), 'request', text)
})

test('check of sources: another path, method or a word of the same name is not found', () => {
  assert.equal(
    findRequest('send({ path: `/lists/${id}/entries`, method: "POST" })', 'POST', '/lists/{id}'),
    undefined,
  )
  assert.equal(findRequest('const lists = ["lists"]', 'GET', '/lists'), undefined)
  assert.equal(findRequest('send({ path: "/lists", method: "POST" })', 'DELETE', '/lists'), 'path')
})

test('check of sources: the beginning of a path may be in another file, and must be somewhere', () => {
  const text = 'this.get(`/lists/${id}/entries`)'
  assert.equal(
    findRequest(text, 'GET', '/api/v2/lists/{id}/entries', `${text} https://x.com/api/v2`),
    'request',
  )
  assert.equal(
    findRequest(text, 'GET', '/api/v3/lists/{id}/entries', `${text} https://x.com/api/v2`),
    undefined,
  )
})

test('check of sources: an operation is found where enough of its sources state it', () => {
  const at = (owner: string) => `github:${owner}/x@0123456789:a.ts`
  const file: OperationFile = {
    sources: { a: { by: 'other', at: at('a') }, b: { by: 'other', at: at('b') } },
    operations: ['LISTS', 'USERS'].map((name) => ({
      slug: `SHOP_GET_${name}`,
      request: `GET /${name.toLowerCase()}`,
      description: 'Returns what the shop has, for a test of this check.',
      sources: ['a', 'b'],
    })),
  }
  const texts: Record<string, string[]> = {
    [at('a')]: ['get("/lists"); get("/users")'],
    [at('b')]: ['get("/lists")'],
  }
  const { found, read } = checkFile('shop', file, (place) => texts[place])
  assert.deepEqual([found, read], [1, ['SHOP_GET_USERS']])
})

test('check of sources: each shipped operation was looked for as it is now. Run npm run check:sources', () => {
  const checked = readCheckedSources()
  const files = globSync(`*/${OPERATION_FILE}`, { cwd: TOOLKITS })
  assert.ok(files.length > 0)
  for (const path of files) {
    const file = readOperationFile(join(TOOLKITS, path))!
    const { digest, operations, found, read } = checked.get(dirname(path)) ?? {}
    assert.equal(digest, requestsDigest(file), path)
    assert.equal(operations, file.operations.length, path)
    assert.equal(found! + read!.length, operations, path)
  }
  assert.equal(checked.size, files.length, 'the table has no toolkit without such a file')
})

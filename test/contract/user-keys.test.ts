import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../fixtures/app.ts'

test('user keys: an operation for them names the operation with the same answer, which works as it is named', async (t) => {
  const { app, keys } = await testApp(t)
  const headers: Readonly<Record<string, Record<string, string>>> = {
    '/org/list': { 'x-api-key': keys.projectApiKey },
    '/org/project/list': { 'x-org-api-key': keys.organizationApiKey },
  }
  const replies = new Map<string, any>()
  for (const version of ['v3', 'v3.1'])
    for (const path of Object.keys(headers)) {
      const url = `/api/${version}${path}`
      const reply = await app.http.inject({ url, headers: { 'x-user-api-key': 'uak_01234567890123456789' } })
      const { error } = reply.json()
      assert.deepEqual([reply.statusCode, error.slug], [404, 'HTTP_NotFound'])
      assert.equal(error.message, `${url} needs a user key, and this server issues none.`)
      const [, operation] = /^Use GET (\S+) /.exec(error.suggested_fix) ?? []
      const answer = await app.http.inject({ url: operation!, headers: headers[path]! })
      assert.equal(answer.statusCode, 200, answer.body)
      replies.set(path, answer.json())
    }
  assert.match(replies.get('/org/list').project.org.id, /^org_/)
  assert.deepEqual(
    replies.get('/org/project/list').data.map(({ id }: { id: string }) => id),
    [keys.projectId],
  )
})

import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import Fastify from 'fastify'
import { registerReferenceRoutes } from './reference-routes.ts'

function served(t: TestContext) {
  const asked: string[] = []
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  registerReferenceRoutes(app, {
    document: (versions) => {
      asked.push(versions.join())
      return { openapi: '3.1.0', versions }
    },
  })
  t.after(() => app.close())
  return { asked, get: (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers }) }
}

test('api reference: the document is created when it is first read, once for each choice of versions', async (t) => {
  const { asked, get } = served(t)
  assert.deepEqual(asked, [])
  for (const url of ['/openapi.json', '/openapi.json', '/openapi.json?api=v3', '/openapi.json?api=v3'])
    assert.equal((await get(url)).statusCode, 200)
  assert.deepEqual(asked, ['v3,v3.1', 'v3'])
  assert.deepEqual((await get('/openapi.json?api=v3.1')).json().versions, ['v3.1'])
})

test('api reference: an unknown version is not found', async (t) => {
  const { get } = served(t)
  for (const url of ['/openapi.json?api=v4', '/openapi.json?api=', '/openapi.json?api=v3&api=v3.1'])
    assert.equal((await get(url)).statusCode, 404, url)
})

test('api reference: an unchanged document is not sent again', async (t) => {
  const { get } = served(t)
  const { headers } = await get('/openapi.json')
  assert.equal((await get('/openapi.json', { 'if-none-match': String(headers.etag) })).statusCode, 304)
})

test('api reference: the page loads its own files only, and has no inline script', async (t) => {
  const { get } = served(t)
  const page = await get('/reference')
  assert.match(page.body, /<title>Patchbay API<\/title>/)
  assert.doesNotMatch(page.body, /https?:|<script>|style=/)
  assert.match(
    String(page.headers['content-security-policy']),
    /default-src 'none'; script-src 'self'; style-src 'self'/,
  )
  for (const [, file] of page.body.matchAll(/(?:src|href)="(reference\/[^"]+)"/g)) {
    const answer = await get(`/${file}`)
    assert.equal(answer.statusCode, 200, file)
    assert.match(
      String(answer.headers['content-type']),
      file?.endsWith('.css') ? /^text\/css/ : /^text\/javascript/,
    )
  }
  assert.equal((await get('/reference/')).headers.location, '../reference')
})

test('api reference: large files are compressed and cached', async (t) => {
  const { get } = served(t)
  const whole = await get('/reference/swagger-ui-bundle.js')
  const small = await get('/reference/swagger-ui-bundle.js', { 'accept-encoding': 'gzip' })
  assert.equal(small.headers['content-encoding'], 'gzip')
  assert.ok(small.rawPayload.length < whole.rawPayload.length / 2)
  assert.equal(
    (await get('/reference/swagger-ui-bundle.js', { 'if-none-match': String(whole.headers.etag) }))
      .statusCode,
    304,
  )
})

test('api reference: no other file can be read', async (t) => {
  const { get } = served(t)
  for (const file of ['package.json', '..%2fpackage.json', 'constructor', '__proto__', 'index.html'])
    assert.equal((await get(`/reference/${file}`)).statusCode, 404, file)
})

import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import Fastify from 'fastify'
import { registerReferenceRoutes } from './reference-routes.ts'

const PATHS = { '/one': { get: { operationId: 'things.list', summary: 'List things', tags: ['things'] } } }

function served(t: TestContext, consolePath?: string) {
  const asked: string[] = []
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  registerReferenceRoutes(app, {
    consolePath,
    document: (versions) => {
      asked.push(versions.join())
      return { openapi: '3.1.0', versions, tags: [], paths: PATHS, components: {} }
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

test('api reference: operations are listed, and one can be read alone', async (t) => {
  const { asked, get } = served(t)
  const list = await get('/openapi/operations.json?api=v3.1')
  assert.deepEqual(list.json().items, [
    {
      id: 'things.list',
      method: 'GET',
      path: '/one',
      summary: 'List things',
      tag: 'things',
      isDeprecated: false,
    },
  ])
  const one = await get('/openapi.json?api=v3.1&operation=things.list')
  assert.deepEqual(Object.keys(one.json().paths), ['/one'])
  assert.deepEqual(asked, ['v3.1'])
  for (const query of [
    'operation=things.none',
    'operation=',
    'operation=toString',
    'operation=a&operation=b',
  ])
    assert.equal((await get(`/openapi.json?${query}`)).statusCode, 404, query)
  assert.equal((await get('/openapi/operations.json?api=v4')).statusCode, 404)
})

test('api reference: a server with the console leads to the reference of the console', async (t) => {
  const { get } = served(t, 'console/docs/api')
  assert.equal((await get('/reference')).headers.location, './console/docs/api')
  assert.equal((await get('/reference/')).headers.location, '../console/docs/api')
})

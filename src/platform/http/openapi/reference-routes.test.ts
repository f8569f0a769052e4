import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import Fastify from 'fastify'
import { registerReferenceRoutes } from './reference-routes.ts'

const PATHS = {
  '/one': {
    get: {
      operationId: 'things.list',
      summary: 'List things',
      tags: ['things'],
      parameters: [
        {
          name: 'limit',
          in: 'query',
          required: true,
          description: 'Most things.',
          schema: { type: 'integer' },
        },
      ],
      responses: {
        '200': {
          description: 'The things.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['items'],
                properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
              },
            },
          },
        },
        '404': { $ref: '#/components/responses/Missing' },
      },
    },
  },
}
const COMPONENTS = {
  schemas: {
    Thing: {
      type: 'object',
      properties: {
        parts: {
          type: 'array',
          description: 'Parts of it.',
          items: { $ref: '#/components/schemas/Thing' },
        },
      },
    },
  },
  responses: { Missing: { description: 'No such thing.' } },
}
const TAGS = [{ name: 'things', description: 'Things of a project.' }]

function served(t: TestContext, consolePath?: string) {
  const asked: string[] = []
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  registerReferenceRoutes(app, {
    consolePath,
    document: (versions) => {
      asked.push(versions.join())
      return { openapi: '3.1.0', versions, tags: TAGS, paths: PATHS, components: COMPONENTS }
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

test('api reference: the list and each operation are Markdown, with the fields of bodies and responses', async (t) => {
  const { asked, get } = served(t)
  const list = await get('/reference.md')
  assert.equal(list.headers['content-type'], 'text/markdown; charset=utf-8')
  assert.match(list.body, /^# API reference\n/)
  assert.match(
    list.body,
    /## things\n\nThings of a project\.\n\n- \[List things\]\(reference\/things\.list\.md\): `GET \/one`\n/,
  )
  const page = await get('/reference/things.list.md')
  assert.equal(page.headers['content-type'], 'text/markdown; charset=utf-8')
  assert.match(page.body, /^# List things\n\n`GET \/one`\n/)
  assert.match(page.body, /- `limit` \(query, integer, required\): Most things\./)
  assert.match(
    page.body,
    /- `items` \(array of object, required\)\n {2}- `parts` \(array of object\): Parts of it\./,
  )
  assert.match(page.body, /### 404\n\nNo such thing\./)
  assert.deepEqual(asked, ['v3.1'])
  for (const file of [
    'things.none.md',
    'package.json',
    '..%2fpackage.json',
    'constructor',
    '__proto__.md',
    '%00.md',
  ])
    assert.equal((await get(`/reference/${file}`)).statusCode, 404, file)
  assert.equal((await get('/reference.md?api=v4')).statusCode, 404)
  assert.equal((await get('/reference.md', { 'if-none-match': String(list.headers.etag) })).statusCode, 304)
})

test('api reference: a schema that contains itself ends after a few levels', async (t) => {
  const { get } = served(t)
  const { body } = await get('/reference/things.list.md')
  assert.equal(body.match(/`parts`/g)?.length, 4)
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
      isAudited: false,
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

test('api reference: a server without the console leads to the Markdown', async (t) => {
  const { get } = served(t)
  assert.equal((await get('/reference')).headers.location, './reference.md')
  assert.equal((await get('/reference/')).headers.location, '../reference.md')
})

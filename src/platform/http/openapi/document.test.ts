import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../../contract/index.ts'
import { API_VERSIONS } from '../../../contract/route.ts'
import { openApiDocument } from './document.ts'
import { documentOfOperation, listOperations } from './operation-index.ts'

type Any = any
const publicUrl = 'http://localhost:3900'
const document = JSON.parse(JSON.stringify(openApiDocument(routes, { publicUrl }))) as Any
const METHODS = ['get', 'put', 'post', 'delete', 'patch']
const operations: [path: string, method: string, operation: Any][] = Object.entries<Any>(
  document.paths,
).flatMap(([path, item]) =>
  Object.entries<Any>(item).map(([method, operation]): [string, string, Any] => [path, method, operation]),
)

/** Yields every value of the document with its path. */
function* entriesOf(value: Any, at = '#'): Generator<[at: string, value: Any]> {
  yield [at, value]
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* entriesOf(item, `${at}/${key}`)
}

test('OpenAPI document: every route is in it, under the prefix of each version', () => {
  for (const version of API_VERSIONS) {
    for (const route of routes) {
      const path = `/api/${version}${route.path.replace(/:(\w+)/g, '{$1}')}`
      assert.ok(document.paths[path]?.[route.method.toLowerCase()], `${route.method} ${path}`)
    }
  }
  assert.equal(
    operations.filter(([path]) => path.startsWith('/api/')).length,
    routes.length * API_VERSIONS.length,
  )
  for (const path of ['/healthz', '/readyz', '/metrics'])
    assert.deepEqual(document.paths[path].get.security, [])
})

test('OpenAPI document: the root, paths and operations have the fields that OpenAPI 3.1 requires', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/)
  assert.ok(document.info.title && document.info.version)
  assert.deepEqual(document.servers, [{ url: publicUrl }])
  for (const [path, method, operation] of operations) {
    assert.match(path, /^\//)
    assert.ok(METHODS.includes(method), `${method} ${path}`)
    assert.ok(operation.summary && Object.keys(operation.responses).length > 0, `${method} ${path}`)
    for (const [status, response] of Object.entries<Any>(operation.responses)) {
      assert.match(status, /^[1-5]\d\d$/)
      assert.ok(response.$ref || typeof response.description === 'string', `${method} ${path} ${status}`)
    }
    if (operation.requestBody)
      assert.ok(
        !['get', 'delete'].includes(method) && operation.requestBody.content['application/json'].schema,
      )
  }
})

test('OpenAPI document: operation ids are unique, and tags and security schemes are declared', () => {
  const ids = operations.map(([, , operation]) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
  const tags = document.tags.map(({ name }: Any) => name)
  assert.equal(new Set(tags).size, tags.length)
  for (const [, , operation] of operations) {
    for (const tag of operation.tags) assert.ok(tags.includes(tag), tag)
    for (const scheme of operation.security.flatMap(Object.keys))
      assert.ok(document.components.securitySchemes[scheme], scheme)
  }
})

test('OpenAPI document: path parameters are those of the path, and no parameter is declared twice', () => {
  const shapes = new Set<string>()
  for (const [path, method, { parameters = [] }] of operations) {
    const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(
      parameters
        .filter((one: Any) => one.in === 'path')
        .map((one: Any) => one.name)
        .sort(),
      places.sort(),
      path,
    )
    assert.equal(new Set(parameters.map((one: Any) => `${one.in} ${one.name}`)).size, parameters.length, path)
    for (const one of parameters)
      assert.ok(
        one.schema && ['path', 'query', 'header'].includes(one.in) && (one.in !== 'path' || one.required),
        path,
      )
    const shape = `${method} ${path.replace(/\{\w+\}/g, '{}')}`
    assert.ok(!shapes.has(shape), `two paths differ only in the name of a parameter: ${shape}`)
    shapes.add(shape)
  }
})

test('OpenAPI document: every reference resolves, and every component is used', () => {
  const used = new Set<string>()
  for (const [at, value] of entriesOf(document)) {
    if (!at.endsWith('/$ref')) continue
    const target = (value as string)
      .slice(2)
      .split('/')
      .reduce((one, key) => one?.[key], document)
    assert.ok(target, `${at} → ${value}`)
    used.add(value)
  }
  for (const kind of ['schemas', 'responses', 'headers'])
    for (const name of Object.keys(document.components[kind]))
      assert.ok(used.has(`#/components/${kind}/${name}`), name)
})

test('OpenAPI document: a named schema is written once, and no $id is left', () => {
  assert.ok(document.components.schemas.Tool.properties.slug)
  assert.deepEqual(
    document.paths['/api/v3.1/tools/{tool_slug}'].get.responses[200].content['application/json'].schema,
    { $ref: '#/components/schemas/Tool' },
  )
  assert.equal([...entriesOf(document)].filter(([at]) => at.endsWith('/$id')).length, 0)
})

test('OpenAPI document: an operation has its credential, its permission and its errors', () => {
  const execute = document.paths['/api/v3.1/tools/execute/{tool_slug}'].post
  assert.deepEqual(execute.security, [{ ApiKeyAuth: [] }])
  assert.deepEqual(execute['x-permission'], { area: 'tool_execution', level: 'write' })
  assert.deepEqual(
    [execute['x-audited'], document.paths['/api/v3.1/policies'].post['x-audited']],
    [undefined, true],
    'executions are in another log',
  )
  assert.match(
    execute.responses[404].description,
    /`Tool_ToolNotFound` \(2401\)[^]*`ActionExecute_ConnectedAccountNotFound` \(1810\)/,
  )
  assert.match(execute.responses[429].description, /`ActionExecute_ModelBusy`/)
  assert.deepEqual(document.paths['/api/v3.1/tools/{tool_slug}'].get.responses[429], {
    $ref: '#/components/responses/Error429',
  })
  assert.deepEqual(document.paths['/api/v3/org/owner/project/list'].get.security, [{ OrgApiKeyAuth: [] }])
})

test('OpenAPI document: a document of one version has only that version, with plain ids', () => {
  const { paths } = openApiDocument(routes, { publicUrl, versions: ['v3'] }) as Any
  assert.ok(!Object.keys(paths).some((path) => path.startsWith('/api/v3.1/')))
  assert.equal(paths['/api/v3/tools'].get.operationId, 'tools.list')
})

test('OpenAPI document: parameters, bodies and responses have the spelling of the wire', () => {
  const seen: object[] = []
  openApiDocument(routes.slice(0, 1), {
    publicUrl,
    versions: ['v3'],
    brand: (schema) => {
      seen.push(schema)
      return schema
    },
  })
  for (const part of ['params', 'query', 'body', 'reply'] as const)
    assert.ok(seen.includes(routes[0]![part]), part)
})

test('OpenAPI document: one operation has exactly the components that it needs', () => {
  const whole = JSON.parse(JSON.stringify(openApiDocument(routes, { publicUrl, versions: ['v3.1'] })))
  for (const { id, method, path } of listOperations(whole).items) {
    const one = JSON.parse(JSON.stringify(documentOfOperation(whole, id))) as Any
    assert.deepEqual(Object.keys(one.paths), [path])
    assert.deepEqual(Object.keys(one.paths[path]), [method.toLowerCase()])
    const used = new Set<string>()
    for (const [at, value] of entriesOf(one)) {
      if (!at.endsWith('/$ref')) continue
      const [, , kind, name] = (value as string).split('/') as [string, string, string, string]
      assert.ok(one.components[kind]?.[name], `${id}: ${value}`)
      used.add(`${kind}/${name}`)
    }
    for (const kind of ['schemas', 'responses', 'headers'])
      for (const name of Object.keys(one.components[kind] ?? {}))
        assert.ok(used.has(`${kind}/${name}`), `${id}: ${kind}/${name}`)
  }
  assert.equal(documentOfOperation(whole, 'tools.nothing'), undefined)
  assert.ok(JSON.stringify(documentOfOperation(whole, 'tools.list')).length < 60_000)
})

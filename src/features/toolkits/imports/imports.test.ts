import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { PreparedVersion } from '../../../catalog/importers/index.ts'
import type { ToolkitImport, ToolkitImportReport } from '../../../contract/toolkits/index.ts'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api, Call } from '../../../platform/http/call.ts'
import { sdkServer } from '#fixtures/mcp-client.ts'
import { type ImportDeps, importRoutes } from './routes.ts'

type Json = Record<string, unknown>
const shop = (
  paths: Json = { '/things': { get: { operationId: 'listThings', responses: {} } } },
  more: Json = {},
): Json => ({
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.shop.example' }],
  paths,
  ...more,
})

/** Keeps what is put, as the real one does. */
function memory() {
  const stored = new Map<string, { version: PreparedVersion; source: unknown }[]>()
  const versionsOf = (projectId: string | null, slug: string) => stored.get(`${projectId}/${slug}`) ?? []
  const resultOf = ({ toolkit, quarantined, compared }: PreparedVersion) => ({
    slug: toolkit.slug,
    created: true,
    quarantined,
    difference: compared?.difference,
  })
  const own: ImportDeps['customToolkits'] = {
    async put(projectId, version, source) {
      const { slug } = version.toolkit
      const versions = versionsOf(projectId, slug)
      stored.set(`${projectId}/${slug}`, [...versions, { version, source }])
      return { ...resultOf(version), version: `20261121_0${versions.length}` }
    },
    preview: async (_, version) => ({ ...resultOf(version), version: null }),
    findNewest: async (projectId, slug) => versionsOf(projectId, slug).at(-1)?.version,
  }
  return { own, stored }
}

function startImports(t: TestContext, { allow = '127.0.0.0/8', timeMs = 40_000 } = {}) {
  const egress = createEgress({ allow: parseAllowRules(allow) })
  t.after(() => egress.close())
  const { own, stored } = memory()
  const deps = { customToolkits: own, egress, clock: { now: () => 0 }, limits: { timeMs } }
  const { handle, checkBeforeBody } = importRoute(deps)
  const { signal } = new AbortController()
  const run = (body: ToolkitImport, projectId = 'p1') =>
    handle({ projectId, permissions: null, signal, body } as Call<never>) as Promise<ToolkitImportReport>
  const rejectionOf = (body: ToolkitImport) =>
    run(body).then(
      () => assert.fail('was imported'),
      (error: unknown) => {
        assert.ok(error instanceof ApiError, String((error as Error).stack))
        return { slug: error.slug, message: error.message, details: error.details }
      },
    )
  return { run, rejectionOf, stored, checkBeforeBody: (projectId: string) => checkBeforeBody({ projectId }) }
}

/** Returns the handler of the route, and what it checks before the body of a request is read. */
function importRoute(deps: ImportDeps) {
  const routes: Parameters<Api['on']>[] = []
  importRoutes({ on: (...added) => void routes.push(added as never) } as Api, deps)
  const [[, handle, options]] = routes as [Required<Parameters<Api['on']>>]
  return { handle, checkBeforeBody: options.checkBeforeBody as (caller: { projectId: string }) => void }
}

async function serve(
  t: TestContext,
  answer: (
    request: IncomingMessage,
    origin: string,
  ) => { status?: number; body: string | Buffer; headers?: Record<string, string> },
) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    const { status = 200, body, headers = {} } = answer(request, origin)
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, seen }
}

test('import: stores the document with its source, counts the results, and a dry run stores nothing', async (t) => {
  const { run, stored } = startImports(t)
  const dry = await run({
    content: shop({
      '/things': { get: { operationId: 'listThings', responses: {} } },
      '/bad/{x': { get: { responses: {} } },
    }),
    dry_run: true,
  })
  assert.deepEqual(
    [dry.version, dry.dry_run, dry.counts, dry.refused[0]?.cause, stored.size],
    [null, true, { operations: 2, tools: 1, refused: 1, quarantined: 0 }, 'bad_path', 0],
  )
  const made = await run({
    content: JSON.stringify(shop()),
    url: 'https://docs.shop.example/openapi.json?key=secret',
  })
  assert.deepEqual(
    [made.slug, made.type, made.version, made.tools, made.difference, made.auth_schemes],
    ['shop', 'openapi', '20261121_00', ['SHOP_LIST_THINGS'], null, ['NO_AUTH']],
  )
  assert.deepEqual(stored.get('p1/shop')![0]!.source, {
    kind: 'openapi',
    address: 'https://docs.shop.example/openapi.json',
  })
  const packed = await run({
    content_gzip: gzipSync('type Query { thing(id: ID!): Int }').toString('base64'),
    slug: 'graph',
    name: 'Graph',
    server: 'https://api.shop.example/graphql',
    auth: { type: 'api_key', name: 'X-Key', prefix: 'Token' },
  })
  assert.deepEqual(
    [packed.slug, packed.name, packed.type, packed.tools],
    ['graph', 'Graph', 'graphql', ['GRAPH_GET_THING']],
  )
  assert.deepEqual(stored.get('p1/graph')![0]!.version.toolkit.auth, [
    { scheme: 'API_KEY', apply: { headers: { 'x-key': 'Token {generic_api_key}' } } },
  ])
})

test('import: a faulty document is rejected with a hint, and imported with its faults as notes by lenient', async (t) => {
  const { run, rejectionOf, stored } = startImports(t)
  const content =
    'openapi: 3.0.3\ninfo: {title: Shop, version: 1}\nservers: [{url: "https://api.shop.example"}]\n' +
    'paths:\n  /things: {get: {operationId: listThings, responses: {}, responses: {}}}\n'
  assert.match((await rejectionOf({ content })).message, /repeats a key, line 5.*`lenient` \(--lenient\)/)
  assert.equal(stored.size, 0)
  const report = await run({ content, lenient: true })
  assert.equal(report.counts.tools, 1)
  assert.match(report.notes[0] ?? '', /^A YAML mapping repeats a key, line 5\./)
})

test('import: a further import keeps tool slugs after a renamed operation and reports breaking changes', async (t) => {
  const { run } = startImports(t)
  await run({
    content: shop({
      '/things': { get: { operationId: 'listThings', responses: {} } },
      '/old': { get: { operationId: 'old', responses: {} } },
    }),
  })
  const again = await run({
    content: shop({
      '/things': {
        get: {
          operationId: 'fetchThings',
          parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }],
          responses: {},
        },
      },
      '/new': { get: { operationId: 'brandNew', responses: {} } },
    }),
  })
  assert.deepEqual(again.tools, ['SHOP_LIST_THINGS', 'SHOP_BRAND_NEW'])
  assert.deepEqual(again.difference, {
    counts: { added: 1, removed: 1, changed: 1, breaking: 2 },
    added: ['SHOP_BRAND_NEW'],
    removed: ['SHOP_OLD'],
    changed: [
      {
        slug: 'SHOP_LIST_THINGS',
        breaking: ['`q` is new and required.'],
        other: again.difference!.changed[0]!.other,
      },
    ],
    toolkit: { breaking: [], other: [] },
  })
})

test('import: headers are sent only to the origin of the given URL', async (t) => {
  const other = await serve(t, () => ({ body: '{"get": {"operationId": "far", "responses": {}}}' }))
  const { origin, seen } = await serve(t, ({ url, headers }) =>
    headers['x-pass'] !== 'hush'
      ? { status: 401, body: '' }
      : url === '/openapi.json'
        ? {
            body: gzipSync(
              JSON.stringify(
                shop(
                  { '/a': { $ref: 'near.json' }, '/b': { $ref: `${other.origin}/far.json` } },
                  { servers: [] },
                ),
              ),
            ),
            headers: { 'content-encoding': 'gzip' },
          }
        : { body: '{"get": {"operationId": "near", "responses": {}}}' },
  )
  const { run, rejectionOf, stored } = startImports(t)
  const made = await run({ url: `${origin}/openapi.json`, headers: { 'x-pass': 'hush' } })
  assert.deepEqual(made.tools, ['SHOP_NEAR', 'SHOP_FAR'])
  assert.deepEqual(
    [seen.map(({ headers }) => headers['x-pass']), other.seen.map(({ headers }) => headers['x-pass'])],
    [['hush', 'hush'], [undefined]],
  )
  assert.equal(JSON.stringify([...stored]).includes('hush'), false)
  const { slug, message, details } = await rejectionOf({ url: `${origin}/openapi.json` })
  assert.equal(slug, 'Toolkit_DocumentUnreachable')
  assert.match(message, /returned status 401; send the required header/)
  assert.match(details[0]!, /^Error in payload\.url: /)
})

test('import: reads the schema of a GraphQL endpoint, or reports why it is not available', async (t) => {
  const { origin } = await serve(t, ({ url, method }) =>
    url === '/closed/graphql'
      ? { status: 400, body: '{"errors":[{"message":"introspection is disabled"}]}' }
      : method === 'GET'
        ? { status: 405, body: '' }
        : {
            body: JSON.stringify({
              data: {
                __schema: {
                  queryType: { name: 'Q' },
                  types: [
                    {
                      kind: 'OBJECT',
                      name: 'Q',
                      fields: [
                        {
                          name: 'ping',
                          args: [],
                          type: { kind: 'SCALAR', name: 'Int' },
                          isDeprecated: false,
                        },
                      ],
                      interfaces: [],
                    },
                    { kind: 'SCALAR', name: 'Int' },
                  ],
                  directives: [],
                },
              },
            }),
          },
  )
  const { run, rejectionOf, stored } = startImports(t)
  const made = await run({ url: `${origin}/api`, slug: 'pings' })
  assert.deepEqual([made.type, made.tools], ['graphql', ['PINGS_GET_PING']])
  assert.equal(stored.get('p1/pings')![0]!.version.toolkit.base_url, origin)
  assert.match((await rejectionOf({ url: `${origin}/closed/graphql` })).message, /introspection is disabled/)
})

test('import: the egress guard applies to every URL', async (t) => {
  const { origin, seen } = await serve(t, () => ({ body: '{}' }))
  const { rejectionOf, run } = startImports(t, { allow: '' })
  assert.equal((await rejectionOf({ url: `${origin}/openapi.json` })).slug, 'Toolkit_DocumentUnreachable')
  const inner = await run({
    content: shop({
      '/a': { $ref: `${origin}/a.json` },
      '/b': { $ref: 'file:///etc/passwd' },
      '/c': { get: { responses: {} } },
    }),
  })
  assert.deepEqual(
    [inner.counts, inner.refused.map(({ cause, count }) => [cause, count])],
    [{ operations: 3, tools: 1, refused: 2, quarantined: 0 }, [['external_reference', 2]]],
  )
  assert.equal(seen.length, 0)
})

test('what cannot be imported is rejected with the field and the reason, and nothing is stored', async (t) => {
  const { rejectionOf, stored } = startImports(t)
  for (const [body, slug, detail] of [
    [{}, 'HTTP_BadRequest', /give url, content/],
    [{ content: '{}', content_gzip: 'eA==' }, 'HTTP_BadRequest', /content_gzip/],
    [{ url: 'https://a:b@x.example/' }, 'HTTP_BadRequest', /payload\.url/],
    [
      { content: 'a', auth: { type: 'none' }, auth_schemes: [{ scheme: 'BASIC' }] },
      'HTTP_BadRequest',
      /auth_schemes/,
    ],
    [{ content: '<html>' }, 'Toolkit_DocumentRefused', /payload\.content: not_openapi/],
    [
      { content_gzip: gzipSync(Buffer.alloc(80 * 1024 * 1024)).toString('base64') },
      'Toolkit_DocumentTooLarge',
      /payload\.content_gzip: too_large/,
    ],
    [{ content: shop(), server: 'http://a b' }, 'Toolkit_DocumentRefused', /payload\.server: no_address/],
    [
      { content: shop(), auth_schemes: [{ scheme: 'MAGIC' }] },
      'Toolkit_DocumentRefused',
      /payload\.auth: manifest/,
    ],
    [
      {
        content: shop(),
        auth: {
          type: 'oauth2',
          authorization_url: 'https://x.example/{a}',
          token_url: 'https://x.example/t',
        },
        type: 'postman',
      },
      'Toolkit_DocumentRefused',
      /not_postman/,
    ],
  ] as [ToolkitImport, string, RegExp][]) {
    const error = await rejectionOf(body)
    assert.equal(error.slug, slug, error.message)
    assert.match(error.details.join(), detail)
  }
  assert.equal(stored.size, 0)
})

test('import: has a time limit, and concurrent imports are limited per project and server', async (t) => {
  const { origin } = await serve(t, () => ({ body: JSON.stringify(shop()) }))
  const { run, rejectionOf, checkBeforeBody } = startImports(t)
  checkBeforeBody('p1')
  const first = run({ url: `${origin}/a.json` })
  assert.deepEqual((await rejectionOf({ content: shop() })).slug, 'HTTP_TooManyRequests')
  assert.throws(() => checkBeforeBody('p1'), { slug: 'HTTP_TooManyRequests' })
  checkBeforeBody('p2')
  const second = run({ url: `${origin}/a.json` }, 'p2')
  await assert.rejects(run({ content: shop() }, 'p3'), { slug: 'HTTP_ServiceUnavailable' })
  assert.throws(() => checkBeforeBody('p3'), { slug: 'HTTP_ServiceUnavailable' })
  await Promise.all([first, second])
  checkBeforeBody('p1')
  const slow = startImports(t, { timeMs: 1 })
  const error = await slow.rejectionOf({ content: shop() })
  assert.deepEqual(
    [error.slug, error.details],
    ['Toolkit_DocumentRefused', ['Error in payload.content: too_slow']],
  )
})

test('import: lists the tools of a remote MCP server, also if its type is not given', async (t) => {
  const { origin } = await serve(t, ({ method, url }) =>
    method !== 'POST' || url === '/nothing' ? { status: 405, body: '' } : { status: 404, body: '' },
  )
  const { rejectionOf, run, stored } = startImports(t)
  const peer = await sdkServer(
    t,
    (it) => {
      it.registerTool(
        'get_sample',
        { description: 'Returns one sample, with all that is known of it.' },
        () => ({ content: [] }),
      )
    },
    { json: true, before: ({ method }, response) => method === 'POST' || !response.writeHead(405).end() },
  )
  for (const url of [peer.url, peer.url.replace('/mcp', '/ask?token=hush')]) {
    const made = await run({ url, slug: 'samples', headers: { 'x-pass': 'hush' } })
    assert.deepEqual([made.type, made.tools, made.counts.tools], ['mcp', ['SAMPLES_GET_SAMPLE'], 1])
  }
  assert.equal(JSON.stringify([...stored]).includes('hush'), false)
  assert.match((await rejectionOf({ url: `${origin}/mcp` })).message, /does not answer as an MCP server/)
  assert.equal((await rejectionOf({ content: '{}', type: 'mcp' })).slug, 'HTTP_BadRequest')
  assert.match(
    (await rejectionOf({ url: `${origin}/nothing` })).message,
    /returned status 405/,
    'what is none of all says what the address itself answered',
  )
})

test('import: a form field with a pattern of exponential time is rejected', async (t) => {
  const { rejectionOf, stored } = startImports(t)
  const withPattern = (pattern: string): ToolkitImport => ({
    content: shop(),
    auth_schemes: [
      {
        scheme: 'API_KEY',
        fields: {
          connected_account_initiation: [{ name: 'x', display_name: 'x', description: 'A key.', pattern }],
        },
        apply: { headers: { 'x-key': '{x}' } },
      } as { scheme: string },
    ],
  })
  for (const pattern of ['^(a|a)*$', '^(a+)+$', '^(?=a)a$', 'a'.repeat(201)]) {
    const { slug, message, details } = await rejectionOf(withPattern(pattern))
    assert.equal(slug, 'Toolkit_DocumentRefused')
    assert.match(message, /pattern/)
    assert.deepEqual(details, ['Error in payload.auth: manifest'])
  }
  assert.equal(stored.size, 0)
})

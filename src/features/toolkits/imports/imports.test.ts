import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { differenceOf, type Imported } from '../../../catalog/importers/index.ts'
import type { ToolkitImport } from '../../../contract/toolkits/index.ts'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { sdkServer } from '#fixtures/mcp-client.ts'
import { type ImportDeps, importService } from './service.ts'

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
  const kept = new Map<string, { imported: Imported; source: unknown }[]>()
  const judged = (projectId: string | null, imported: Imported) => {
    const before = kept.get(`${projectId}/${imported.toolkit.slug}`)?.at(-1)
    return {
      slug: imported.toolkit.slug,
      created: true,
      quarantined: [],
      difference: before && differenceOf(before.imported, imported),
    }
  }
  const own: ImportDeps['customToolkits'] = {
    async put(projectId, imported, source) {
      const answer = judged(projectId, imported)
      const versions = kept.get(`${projectId}/${imported.toolkit.slug}`) ?? []
      kept.set(`${projectId}/${imported.toolkit.slug}`, [...versions, { imported, source }])
      return { ...answer, version: `20261121_0${versions.length}` }
    },
    preview: async (projectId, imported) => ({ ...judged(projectId, imported), version: null }),
    formerSlugs: async (projectId, slug) =>
      new Map(Object.entries(kept.get(`${projectId}/${slug}`)?.at(-1)?.imported.origins ?? {})),
  }
  return { own, kept }
}

function stage(t: TestContext, options: { allow?: string; timeMs?: number } = {}) {
  const egress = createEgress({ allow: parseAllowRules(options.allow ?? '127.0.0.0/8') })
  t.after(() => egress.close())
  const { own, kept } = memory()
  const service = importService({
    customToolkits: own,
    egress,
    clock: { now: () => 0 },
    limits: options.timeMs === undefined ? {} : { timeMs: options.timeMs },
  })
  const run = (body: ToolkitImport, projectId = 'p1') =>
    service.importToolkit({ projectId, signal: new AbortController().signal }, body)
  const refused = (body: ToolkitImport) =>
    run(body).then(
      () => assert.fail('was imported'),
      (error: unknown) => {
        assert.ok(error instanceof ApiError, String((error as Error).stack))
        return { slug: error.slug, message: error.message, details: error.details }
      },
    )
  return { run, refused, kept }
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

test('a document is kept with where it came from; what is told is counted, and a dry run keeps nothing', async (t) => {
  const { run, kept } = stage(t)
  const dry = await run({
    content: shop({
      '/things': { get: { operationId: 'listThings', responses: {} } },
      '/bad/{x': { get: { responses: {} } },
    }),
    dry_run: true,
  })
  assert.deepEqual(
    [dry.version, dry.dry_run, dry.counts, dry.refused[0]?.cause, kept.size],
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
  assert.deepEqual(kept.get('p1/shop')![0]!.source, {
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
  assert.deepEqual(kept.get('p1/graph')![0]!.imported.toolkit.auth, [
    { scheme: 'API_KEY', apply: { headers: { 'x-key': 'Token {generic_api_key}' } } },
  ])
})

test('imported again, tools keep their slugs though the operation is renamed, and what breaks is told', async (t) => {
  const { run } = stage(t)
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

test('an address is fetched with the headers that it needs, which go nowhere else', async (t) => {
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
  const { run, refused, kept } = stage(t)
  const made = await run({ url: `${origin}/openapi.json`, headers: { 'x-pass': 'hush' } })
  assert.deepEqual(made.tools, ['SHOP_NEAR', 'SHOP_FAR'])
  assert.deepEqual(
    [seen.map(({ headers }) => headers['x-pass']), other.seen.map(({ headers }) => headers['x-pass'])],
    [['hush', 'hush'], [undefined]],
  )
  assert.equal(JSON.stringify([...kept]).includes('hush'), false)
  const { slug, message, details } = await refused({ url: `${origin}/openapi.json` })
  assert.equal(slug, 'Toolkit_DocumentUnreachable')
  assert.match(message, /returned status 401; send the required header/)
  assert.match(details[0]!, /^Error in payload\.url: /)
})

test('a GraphQL endpoint is asked for its schema; one that does not tell says why', async (t) => {
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
  const { run, refused, kept } = stage(t)
  const made = await run({ url: `${origin}/api`, slug: 'pings' })
  assert.deepEqual([made.type, made.tools], ['graphql', ['PINGS_GET_PING']])
  assert.equal(kept.get('p1/pings')![0]!.imported.toolkit.base_url, origin)
  assert.match((await refused({ url: `${origin}/closed/graphql` })).message, /introspection is disabled/)
})

test('nothing beyond the guard is reached, whoever names it', async (t) => {
  const { origin, seen } = await serve(t, () => ({ body: '{}' }))
  const { refused, run } = stage(t, { allow: '' })
  assert.equal((await refused({ url: `${origin}/openapi.json` })).slug, 'Toolkit_DocumentUnreachable')
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

test('what cannot be imported is refused with the field and the reason, and nothing is kept', async (t) => {
  const { refused, kept } = stage(t)
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
    const error = await refused(body)
    assert.equal(error.slug, slug, error.message)
    assert.match(error.details.join(), detail)
  }
  assert.equal(kept.size, 0)
})

test('an import that takes too long ends; a project has one at a time, and the server a few', async (t) => {
  const { origin } = await serve(t, () => ({ body: JSON.stringify(shop()) }))
  const { run, refused } = stage(t)
  const first = run({ url: `${origin}/a.json` })
  assert.deepEqual((await refused({ content: shop() })).slug, 'HTTP_ServiceUnavailable')
  const second = run({ url: `${origin}/a.json` }, 'p2')
  await assert.rejects(run({ content: shop() }, 'p3'), { slug: 'HTTP_ServiceUnavailable' })
  await Promise.all([first, second])
  const slow = stage(t, { timeMs: 1 })
  const error = await slow.refused({ content: shop() })
  assert.deepEqual(
    [error.slug, error.details],
    ['Toolkit_DocumentRefused', ['Error in payload.content: too_slow']],
  )
})

test('a remote MCP server is asked for its tools, named as such or found to be one', async (t) => {
  const { origin } = await serve(t, ({ method, url }) =>
    method !== 'POST' || url === '/nothing' ? { status: 405, body: '' } : { status: 404, body: '' },
  )
  const { refused, run, kept } = stage(t)
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
  assert.equal(JSON.stringify([...kept]).includes('hush'), false)
  assert.match((await refused({ url: `${origin}/mcp` })).message, /does not answer as an MCP server/)
  assert.equal((await refused({ content: '{}', type: 'mcp' })).slug, 'HTTP_BadRequest')
  assert.match(
    (await refused({ url: `${origin}/nothing` })).message,
    /returned status 405/,
    'what is none of all says what the address itself answered',
  )
})

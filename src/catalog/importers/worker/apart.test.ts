import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as graphql from 'graphql'
import { type ImportSource, importFrom } from '../import-source.ts'
import { faultOfTool } from '../../manifest/load/quarantine.ts'
import { SHOP } from '#fixtures/graphql-documents.ts'
import type { FetchText } from '../import.ts'
import { ImportRejected } from '../import-rejected.ts'
import { oneOperation, sampleDocument } from '#fixtures/openapi-documents.ts'
import { createRequestTurns, runInTurn } from '../../../platform/http/turns/request-turns.ts'
import { Unreachable } from './messages.ts'
import { type ApartLimits, importInWorker } from './run.ts'
import { countLoopTurns } from '../../../../test/fixtures/loop-turns.ts'

const document = JSON.stringify(oneOperation({}))
const nothing: FetchText = async (address) => {
  throw new Unreachable(`${address} is not there`)
}
const read = (source: Partial<ImportSource>, fetchText = nothing) =>
  importFrom({ kind: 'auto', ...source }, {}, fetchText)
const importSource = (source: Partial<ImportSource>, fetchText = nothing, limits: ApartLimits = {}) =>
  importInWorker({ kind: 'auto', ...source }, {}, fetchText, limits)
const why = (outcome: Promise<unknown>) =>
  outcome.then(
    () => undefined,
    (error: unknown) => (error instanceof ImportRejected ? error.why : (error as Error).message),
  )

test('import worker: a document is given as text, compressed data or URL', async () => {
  const kinds = await Promise.all([
    read({ text: document }),
    read({ gzip: gzipSync(document) }),
    read({ address: 'https://x.example/api.json' }, async () => document),
    read({ text: SHOP }),
    read({ text: '{"info":{"name":"Pets"},"item":[{"name":"Feed","request":"https://x.example/a"}]}' }),
  ])
  assert.deepEqual(
    kinds.map(({ kind, imported }) => [kind, imported.tools[0]!.slug]),
    [
      ['openapi', 'SHOP_DO_IT'],
      ['openapi', 'SHOP_DO_IT'],
      ['openapi', 'SHOP_DO_IT'],
      ['graphql', 'GRAPHQL_GET_ORDER'],
      ['postman', 'PETS_FEED'],
    ],
  )
  assert.deepEqual(
    await Promise.all([
      why(read({})),
      why(read({ gzip: gzipSync(Buffer.alloc(80 * 1024 * 1024)) })),
      why(read({ gzip: Buffer.from('no gzip') })),
    ]),
    ['not_readable', 'too_large', 'not_readable'],
  )
})

test('import worker: it starts, and sends each portion of many tools, when it is the turn of the project', async (t) => {
  const operation = (n: number) => ({
    get: { operationId: `read${n}`, responses: { 200: { description: 'ok' } } },
  })
  const paths = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`/things${n}`, operation(n)]))
  const source = { text: JSON.stringify(sampleDocument(paths)) }
  const turnOfLoop = countLoopTurns(t)
  const waitedAt: number[] = []
  const hasNeighbour = () => {
    waitedAt.push(turnOfLoop())
    return false
  }
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const turn = await turns.start('a', 'import', () => new AbortController().signal, 0)
  const shared = Object.assign(turn, { isShared: () => true, hasNeighbour })
  const { imported } = await runInTurn(shared, () => importSource(source))
  const expected = await read(source)
  assert.deepEqual(
    imported.tools.map(({ slug }) => slug),
    expected.imported.tools.map(({ slug }) => slug),
  )
  assert.deepEqual([imported.tools.length, waitedAt.length, new Set(waitedAt).size], [90, 5, 5])
})

test('import worker: a thread starts the process, so that the server does not wait for it', async () => {
  let resources: string[] = []
  const { kind } = await importSource({ address: 'https://x.example/api.json' }, async () => {
    resources = process.getActiveResourcesInfo()
    return document
  })
  assert.equal(kind, 'openapi')
  assert.deepEqual(
    resources.filter((one) => one === 'ProcessWrap'),
    [],
    'processes that this thread started',
  )
})

test('import worker: a URL without a document is tried as GraphQL, and a web page is reported', async () => {
  const schema = JSON.stringify({ data: graphql.introspectionFromSchema(graphql.buildSchema(SHOP)) })
  const server: FetchText = async (_, json) => {
    if (json === undefined) throw new Unreachable('It answers 405.')
    return schema
  }
  const page: FetchText = async (_, json) => {
    if (json !== undefined) throw new Unreachable('no')
    return '<!doctype html><html>'
  }
  const [found, byName] = await Promise.all([
    read({ address: 'https://x.example/api' }, server),
    read({ address: 'https://x.example/graphql' }, server),
  ])
  assert.deepEqual(
    [found.kind, found.imported.toolkit.base_url, byName.kind],
    ['graphql', 'https://x.example', 'graphql'],
  )
  assert.deepEqual(
    await Promise.all([
      why(read({ address: 'https://x.example/api' })),
      why(read({ address: 'https://x.example' }, page)),
      why(read({ kind: 'openapi', address: 'https://x.example/api' })),
    ]),
    ['https://x.example/api is not there', 'not_openapi', 'https://x.example/api is not there'],
  )
})

test('import worker: the process checks whether model vendors accept the tools', async () => {
  const parameters = Array.from({ length: 800 }, (_, n) => ({
    name: `p${n}`,
    in: 'query',
    description: 'x'.repeat(60),
    schema: { type: 'string' },
  }))
  const operation = { operationId: 'huge', parameters, responses: {} }
  const small = { operationId: 'small', responses: {} }
  const source = {
    text: JSON.stringify(sampleDocument({ '/huge': { get: operation }, '/small': { get: small } })),
  }
  const [{ faults }, { imported }] = await Promise.all([importSource(source), read(source)])
  const expected = imported.tools.flatMap((tool) => {
    const fault = faultOfTool(tool)
    return fault === undefined ? [] : [[tool.slug, fault] as const]
  })
  assert.deepEqual([[...faults], expected.length], [expected, 1])
})

test('import worker: many tools arrive in several messages, complete and in their order', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`/things${n}`, { get: { operationId: `do${n}`, responses: {} } }]),
  )
  const source = { text: JSON.stringify(sampleDocument(paths)) }
  const [{ imported }, here] = await Promise.all([importSource(source), read(source)])
  assert.equal(imported.tools.length, 60)
  assert.deepEqual(imported, here.imported)
})

test('import worker: it fetches only through its parent and stops at its time and memory limits', async () => {
  const files: Record<string, string> = {
    'https://x.example/api.json': JSON.stringify({
      ...(JSON.parse(document) as object),
      paths: { '/things': { $ref: 'paths.json' } },
    }),
    'https://x.example/paths.json': '{"get": {"operationId": "far", "responses": {}}}',
  }
  const found = await importSource(
    { address: 'https://x.example/api.json' },
    async (address) => files[address] ?? assert.fail(address),
  )
  assert.equal(found.imported.tools[0]!.slug, 'SHOP_FAR')
  const endless: FetchText = () => new Promise(() => {})
  const large = `{"a": [${'[],'.repeat(3_000_000)}[]]}`
  assert.deepEqual(
    await Promise.all([
      why(importSource({ address: 'https://x.example/a' }, endless, { timeMs: 200 })),
      why(importSource({ text: large }, nothing, { memoryMb: 32 })),
      why(importSource({ address: 'https://x.example/a' })),
      why(importSource({ text: document }, nothing, { signal: AbortSignal.abort() })),
    ]),
    ['too_slow', 'too_large', 'https://x.example/a is not there', 'The client disconnected.'],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as graphql from 'graphql'
import { type ImportSource, importFrom } from '../import-source.ts'
import { SHOP } from '#fixtures/graphql-documents.ts'
import type { FetchText } from '../import.ts'
import { ImportRejected } from '../import-rejected.ts'
import { oneOperation, sampleDocument } from '#fixtures/openapi-documents.ts'
import { createRequestTurns, runInTurn } from '../../../platform/http/turns/request-turns.ts'
import { Unreachable } from './messages.ts'
import { prepareVersion, type PreviousVersion } from '../versions/prepared-version.ts'
import { type ApartLimits, importInWorker, type ImportServer } from './run.ts'

const document = JSON.stringify(oneOperation({}))
const nothing: FetchText = async (address) => {
  throw new Unreachable(`${address} is not there`)
}
const read = (source: Partial<ImportSource>, fetchText = nothing) =>
  importFrom({ kind: 'auto', ...source }, {}, fetchText)
const importSource = (
  source: Partial<ImportSource>,
  { fetchText = nothing, readPrevious = async () => undefined }: Partial<ImportServer> = {},
  limits: ApartLimits = {},
) => importInWorker({ kind: 'auto', ...source }, {}, { fetchText, readPrevious }, limits)
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

test('import worker: it starts when it is the turn of the project', async (t) => {
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const turn = await turns.start('a', 'import', () => new AbortController().signal, 0)
  let waits = 0
  const hasNeighbour = () => {
    waits++
    return false
  }
  t.after(() => turn.end())
  const shared = Object.assign(turn, { isShared: () => true, hasNeighbour })
  const { kind } = await runInTurn(shared, () => importSource({ text: document }))
  assert.deepEqual([kind, waits], ['openapi', 1])
})

test('import worker: a thread starts the process, so that the server does not wait for it', async () => {
  let resources: string[] = []
  const fetchText = async () => {
    resources = process.getActiveResourcesInfo()
    return document
  }
  const { kind } = await importSource({ address: 'https://x.example/api.json' }, { fetchText })
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

const things = (description: string) => {
  const operation = (n: number) => ({ get: { operationId: `do${n}`, description, responses: {} } })
  const paths = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`/things${n}`, operation(n)]))
  return { text: JSON.stringify(sampleDocument(paths)) }
}

test('import worker: the process prepares the version, and requests the previous one to compare them', async () => {
  const before = await prepareVersion((await read(things('Old.'))).imported, undefined)
  const requested: string[] = []
  const readPrevious = async (toolkit: string): Promise<PreviousVersion> => {
    requested.push(toolkit)
    return before
  }
  const [{ kind, version }, here] = await Promise.all([
    importSource(things('New.'), { readPrevious }),
    read(things('New.')),
  ])
  const expected = await prepareVersion(here.imported, before)
  assert.deepEqual(
    { ...version, content: Buffer.from(version.content) },
    { ...expected, content: Buffer.from(expected.content) },
  )
  assert.deepEqual(
    [kind, requested, version.tools.length, version.compared?.difference.changed.length],
    ['openapi', ['shop'], 60, 60],
  )
})

test('import worker: a previous version that cannot be read is a fault, and not a fault of the document', async () => {
  const readPrevious = () => Promise.reject(new Error('the database is gone'))
  await assert.rejects(importSource({ text: document }, { readPrevious }), /^Error: the database is gone$/)
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
    { fetchText: async (address) => files[address] ?? assert.fail(address) },
  )
  assert.deepEqual(found.version.tools, ['SHOP_FAR'])
  const endless: FetchText = () => new Promise(() => {})
  const large = `{"a": [${'[],'.repeat(3_000_000)}[]]}`
  assert.deepEqual(
    await Promise.all([
      why(importSource({ address: 'https://x.example/a' }, { fetchText: endless }, { timeMs: 200 })),
      why(importSource({ text: large }, {}, { memoryMb: 32 })),
      why(importSource({ address: 'https://x.example/a' })),
      why(importSource({ text: document }, {}, { signal: AbortSignal.abort() })),
    ]),
    ['too_slow', 'too_large', 'https://x.example/a is not there', 'The client disconnected.'],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHOP } from '#fixtures/graphql-documents.ts'
import { imported as fromMcp, tool } from '#fixtures/mcp-import.ts'
import { importedFrom, sampleDocument } from '#fixtures/openapi-documents.ts'
import { one as fromPostman } from '#fixtures/postman-import.ts'
import { importGraphQl } from '../graphql/ask.ts'
import { importFrom } from '../import-source.ts'
import type { Imported, ImportOptions } from '../imported.ts'
import { ImportRejected } from '../import-rejected.ts'
import { snapshotPieces } from './snapshot.ts'

const contentOf = (imported: Imported) => [...snapshotPieces(imported)].join('')
const noFetch = () => assert.fail('nothing is fetched')
const read = (text: string, options: ImportOptions = {}) =>
  importFrom({ kind: 'auto', text }, options, noFetch)

const list = { parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }], responses: {} }
const shop = (): Imported =>
  importedFrom(
    sampleDocument({
      '/orders': {
        get: { operationId: 'listOrders', ...list },
        post: { operationId: 'addOrder', responses: {} },
      },
    }),
  )

test('toolkit document: content of an import is read as the same content', async () => {
  const graphql = await importGraphQl(SHOP, { slug: 'shop', address: 'https://x.example/graphql' })
  const postman = fromPostman({ method: 'GET', url: '{{baseUrl}}/things?page=1' })
  for (const imported of [shop(), graphql, postman, fromMcp([tool('find_order')])]) {
    const text = contentOf(imported)
    const outcome = await read(text)
    assert.equal(outcome.kind, 'toolkit')
    assert.deepEqual(outcome.imported.report.refused, [])
    assert.equal(contentOf(outcome.imported), text)
  }
})

type Change = (content: { toolkit: Record<string, unknown>; tools: Record<string, never>[] }) => void

/** The content of a toolkit after a change. */
function changed(change: Change): string {
  const content = JSON.parse(contentOf(shop()))
  change(content)
  return JSON.stringify(content)
}

const rejectionOf = (text: string, options: ImportOptions = {}) =>
  read(text, options).then(
    ({ imported }) => assert.fail(`was imported: ${imported.tools.length} tools`),
    (error: unknown) => {
      assert.ok(error instanceof ImportRejected, String((error as Error).stack))
      return `${error.why} ${error.message}`
    },
  )

test('toolkit document: fields that no import writes are rejected, because they could send credentials elsewhere', async () => {
  for (const field of ['identity', 'request', 'rate_limit', 'deprecated'])
    assert.match(
      await rejectionOf(changed(({ toolkit }) => (toolkit[field] = {}))),
      new RegExp(`^manifest The toolkit has \`${field}\`, which no import writes`),
    )
  for (const change of [
    { run: 'code' },
    { source: { document: 'x', tier: 'vendor' } },
    { pagination: { by: 'cursor', argument: 'page', items: 'items', next: 'next', pattern: '^(a+)+$' } },
    { response: { file: { member: 'file' } } },
    {
      input: { type: 'object', properties: { a: { type: 'string', description: 'A.', pattern: '^(a+)+$' } } },
    },
    { input: { type: 'object', dependentSchemas: { a: { pattern: '^(a+)+$' } } } },
    { output: { type: 'object', unevaluatedProperties: { pattern: '^(a+)+$' } } },
  ]) {
    const { imported } = await read(changed(({ tools }) => Object.assign(tools[0]!, change)))
    assert.equal(imported.tools.length, 1, JSON.stringify(change))
    assert.match(imported.report.refused[0]!.reason!, /which no import writes/)
  }
})

test('toolkit document: the rules of manifests apply to its tools, and slugs stay those of the toolkit', async () => {
  const { imported } = await read(
    changed(({ tools }) => {
      tools.push({ ...tools[0]! }, { ...tools[1]!, slug: 'OTHER_TOOL' as never }, null as never)
    }),
  )
  assert.equal(imported.tools.length, 2)
  assert.match(imported.report.refused.map(({ reason }) => reason).join('\n'), /Another tool has its slug/)
  assert.equal(imported.report.refused.length, 3)
  assert.match(await rejectionOf(changed(({ tools }) => tools.splice(0))), /^no_operations/)
  assert.match(await rejectionOf(changed(({ toolkit }) => (toolkit['slug'] = 'A B'))), /^manifest/)
  assert.match(
    await rejectionOf(changed((content) => Object.assign(content, { format: 2 }))),
    /^not_toolkit .*must be 1/,
  )
  const text = contentOf(shop())
  assert.match(await rejectionOf(text, { slug: 'other' }), /^not_toolkit The toolkit is `shop`/)
  assert.match(await rejectionOf(text, { server: 'https://y.example' }), /^not_toolkit .*Omit `server`/)
})

test('toolkit document: operations of tools that are left out are forgotten', async () => {
  const { imported } = await read(
    changed((content) =>
      Object.assign(content, {
        origins: { 'GET /orders': 'SHOP_LIST_ORDERS', 'GET /x': 'SHOP_X', 'GET /y': 7 },
      }),
    ),
  )
  assert.deepEqual(imported.origins, { 'GET /orders': 'SHOP_LIST_ORDERS' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedFrom } from '#fixtures/openapi-documents.ts'
import type { Json } from '../json.ts'
import { connectionPaging } from './paging.ts'

const number = { type: 'integer' }
const text = { type: 'string' }
const list = { type: 'array', items: { type: 'object', properties: { id: text } } }
const pageOf = (properties: Json) => ({ type: 'object', properties })

function pagingOf(
  parameters: Record<string, object>,
  schema: object,
  { method = 'get', headers }: { method?: string; headers?: object } = {},
) {
  const { tools } = importedFrom({
    openapi: '3.0.0',
    info: { title: 'Data', version: '1' },
    servers: [{ url: 'https://data.example' }],
    paths: {
      '/items': {
        [method]: {
          operationId: 'items',
          parameters: Object.entries(parameters).map(([name, one]) => ({ name, in: 'query', schema: one })),
          responses: {
            200: { ...(headers && { headers }), content: { 'application/json': { schema } } },
          },
        },
      },
    },
    components: {
      headers: { link: { example: '<https://data.example/items?page=2>; rel="next"', schema: text } },
    },
  })
  return tools[0]!.pagination
}

test('imported paging: cursors, pages and offsets are recognized from the arguments and the result', () => {
  assert.deepEqual(pagingOf({ cursor: text, limit: number }, pageOf({ data: list, next_cursor: text })), {
    by: 'cursor',
    argument: 'cursor',
    next: 'next_cursor',
    items: 'data',
    size: 'limit',
  })
  assert.deepEqual(pagingOf({ page: number, per_page: number }, list), {
    by: 'page',
    argument: 'page',
    size: 'per_page',
    items: 'items',
  })
  assert.deepEqual(pagingOf({ page: { ...number, minimum: 0 }, size: number }, list)?.first, 0)
  assert.deepEqual(pagingOf({ offset: number, limit: number }, pageOf({ results: list, total: number })), {
    by: 'offset',
    argument: 'offset',
    size: 'limit',
    items: 'results',
  })
})

test('imported paging: nothing is declared where names and result leave a doubt', () => {
  assert.equal(pagingOf({ cursor: text }, pageOf({ data: list })), undefined)
  assert.equal(pagingOf({ page: number }, list), undefined)
  assert.equal(pagingOf({ page: number, per_page: number }, pageOf({ a: list, b: list })), undefined)
  assert.equal(pagingOf({ page: number, per_page: number }, list, { method: 'post' }), undefined)
})

test('imported paging: a declared Link header leads to the next page', () => {
  const declared = { headers: { Link: { schema: text } } }
  const withExample = { headers: { link: { $ref: '#/components/headers/link' } } }
  const ofPage = { by: 'link', argument: 'page', items: 'items' }
  assert.deepEqual(pagingOf({ page: number }, list, declared), ofPage)
  assert.deepEqual(pagingOf({ after: text, per_page: number }, list, declared), {
    by: 'link',
    argument: 'after',
    items: 'items',
    size: 'per_page',
  })
  // Where the header is known to have pages, it is preferred to counting them.
  assert.equal(pagingOf({ page: number, per_page: number }, list, declared)?.by, 'page')
  assert.deepEqual(pagingOf({ page: number, per_page: number }, list, withExample), {
    ...ofPage,
    size: 'per_page',
  })
  assert.equal(pagingOf({ tag: text }, list, withExample), undefined)
  const unknown = { headers: { link: { $ref: '#/components/headers/other' } } }
  assert.equal(pagingOf({ page: number }, list, unknown), undefined)
})

test('imported paging: relay connections of GraphQL are read by their cursor', () => {
  const info = pageOf({ hasNextPage: { type: 'boolean' }, endCursor: text })
  assert.deepEqual(
    connectionPaging('read', pageOf({ after: text, first: number }), pageOf({ nodes: list, pageInfo: info })),
    {
      by: 'cursor',
      argument: 'after',
      next: 'pageInfo.endCursor',
      more: 'pageInfo.hasNextPage',
      items: 'nodes',
      size: 'first',
    },
  )
  assert.equal(connectionPaging('read', pageOf({}), pageOf({ nodes: list, pageInfo: info })), undefined)
})

test('imported paging: an offset next to a total repeats that of the request and is no cursor', () => {
  const page = { data: list, offset: text }
  assert.equal(pagingOf({ offset: text, limit: number }, pageOf({ ...page, total: number })), undefined)
  assert.equal(pagingOf({ offset: text, limit: number }, pageOf(page))?.by, 'cursor')
})

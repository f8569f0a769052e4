import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lintFiles } from './lint-files.ts'
import { catalogFromSources } from '../load/load.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'

type Parts = Record<string, unknown>
const any = (type = 'string') => ({ type, description: 'Any.' })
const list = (more: Parts = {}) =>
  sampleTool({
    slug: 'SHOP_LIST',
    input: { type: 'object', properties: { cursor: any(), limit: any('integer'), brief: any('boolean') } },
    output: { type: 'object', properties: { orders: {}, next: {} } },
    request: { method: 'GET', path: '/orders', query: ['cursor', 'limit', 'brief'] },
    ...more,
  })
const write = (more: Parts = {}) =>
  sampleTool({
    slug: 'SHOP_MAKE',
    effect: 'create',
    input: { type: 'object', properties: { key: any() } },
    request: { method: 'POST', path: '/orders', body: ['key'] },
    ...more,
  })

/** What is wrong with a toolkit of these tools, as text. */
function diagnosticsOf(tools: unknown[], toolkit: Parts = {}): string {
  try {
    catalogFromSources([sampleSource(toolkit, tools)])
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
const paged = (pagination: Parts, more: Parts = {}) =>
  diagnosticsOf([
    list({ pagination: { by: 'cursor', argument: 'cursor', items: 'orders', ...pagination }, ...more }),
    sampleTool(),
  ])

test('manifest checks: unusable pagination is rejected with the place and a correction', () => {
  assert.equal(paged({ next: 'next' }), '')
  for (const [change, reason, more] of [
    [{}, /pagination: declare where the value for the next call is: either `next` or `next_header`/],
    [{ next: 'next', next_header: 'x' }, /either `next` or/],
    [{ next: 'next', argument: 'after' }, /pagination\/argument: `after` is not a property of the input/],
    [
      { next: 'next', items: 'nodes' },
      /pagination\/items: `nodes` is not a property of the output, which has orders, next/,
    ],
    [{ next: 'next', items: '$' }, /is in a key of `data`/],
    [
      { next: 'next', total: 'n' },
      /pagination\/total: is not used by `"by": "cursor"`, which has next, next_header, pattern, size/,
    ],
    [{ next: 'next', pattern: 'x' }, /pattern: must have exactly one group/],
    [{ next: 'next', pattern: '(' }, /pattern: has a `\(` without its/],
    [{ next: 'next', pattern: '(.*x.*)y' }, /pattern: has several repeated parts/],
    [{ by: 'link', also: { page: 'Page' } }, /also: `page` is not a property/],
    [{ by: 'page' }, /declare how the last page is recognized: one of/],
    [{ by: 'offset', size: 'per_page' }, /size: `per_page` is not a property/],
    [{ by: 'pages' }, /pagination\/by/],
    [{ next: 'next', nxt: 1 }, /unknown key `nxt`/],
    [{ next: 'next', tool: 'SHOP_MORE' }, /`SHOP_MORE` is not a tool of this toolkit/],
    [{ next: 'next', tool: 'SHOP_GET_ORDER' }, /`cursor` is not a property of the input of SHOP_GET_ORDER/],
    [{ by: 'page', size: 'limit', tool: 'SHOP_LIST' }, /another tool needs a value from the response/],
    [{ next: 'next' }, /only for tools with the effect `read`; this one has `update`/, { effect: 'update' }],
  ] as [Parts, RegExp, Parts?][])
    assert.match(paged(change, more), reason)
})

test('manifest checks: idempotency keys, limits and waits without effect are rejected', () => {
  const key = (idempotency_key: Parts, more: Parts = {}) =>
    diagnosticsOf([write({ idempotency_key, ...more })])
  for (const place of [
    { header: 'x-key' },
    { body: 'a.b' },
    { argument: 'key' },
    { header: 'x-key', format: 'hex' },
  ])
    assert.equal(key(place), '')
  assert.match(key({}), /idempotency_key: declare where the key is sent: one of/)
  assert.match(key({ header: 'a', body: 'b' }), /one of `header`, `body`, `argument`/)
  assert.match(key({ argument: 'kay' }), /`kay` is not a property of the input/)
  assert.match(
    key({ argument: 'key' }, { input: { type: 'object', properties: { key: any() }, required: ['key'] } }),
    /must not be required/,
  )
  assert.match(
    diagnosticsOf([list({ idempotency_key: { header: 'x' } })]),
    /reads are repeated without a key/,
  )
  assert.match(
    key({ body: 'key' }, { request: { method: 'POST', path: '/x', body: { $: 'key' }, body_type: 'text' } }),
    /is only for requests with a JSON or form body/,
  )
  const limit = (wait: Parts) => diagnosticsOf([sampleTool()], { rate_limit: { wait: [wait] } })
  assert.equal(limit({ header: 'x-reset', unit: 'timestamp' }), '')
  assert.match(limit({ unit: 'seconds' }), /rate_limit\/wait\/0: declare the wait: one of `header`, `body`/)
  assert.match(limit({ header: 'x', unit: 'fortnights' }), /wait\/0\/unit: must be seconds, milliseconds/)
  assert.match(limit({ header: 'x', unit: 'seconds', pattern: 'after \\d+' }), /must have exactly one group/)
  assert.match(limit({ header: 'x', unit: 'seconds', pattern: '(' }), /has a `\(` without its/)
  assert.match(
    diagnosticsOf([sampleTool()], { idempotency: { header: 'x', methods: [] } }),
    /idempotency\/methods/,
  )
})

test('manifest checks: aliases and replacements must not collide with tools', () => {
  const names = (...tools: Parts[]) => diagnosticsOf(tools)
  assert.equal(
    names(
      sampleTool({ aliases: ['SHOP_READ_ORDER'] }),
      list({ deprecated: { replaced_by: 'SHOP_GET_ORDER', reason: 'Slow.' } }),
    ),
    '',
  )
  assert.match(
    names(sampleTool({ aliases: ['SHOP_LIST'] }), list()),
    /aliases\/0: `SHOP_LIST` is the slug of a tool of this version/,
  )
  assert.match(names(sampleTool({ aliases: ['STORE_GET'] })), /aliases\/0: must begin with `SHOP_`/)
  assert.match(
    names(sampleTool({ aliases: ['SHOP_OLD'] }), list({ aliases: ['SHOP_OLD'] })),
    /`SHOP_OLD` is also an alias of SHOP_GET_ORDER/,
  )
  assert.match(
    names(sampleTool({ deprecated: { replaced_by: 'SHOP_NEW' } })),
    /`SHOP_NEW` is not a tool of this version/,
  )
  assert.match(names(sampleTool({ deprecated: { replaced_by: 'SHOP_GET_ORDER' } })), /must be another tool/)
  assert.match(
    names(sampleTool({ deprecated: { gone: true }, important: true })),
    /is not allowed for a tool with/,
  )
  const other = {
    slug: 'store',
    icon: '<svg/>',
    toolkit: { ...(sampleSource().toolkit as Parts), slug: 'store' },
    tools: { tools: [sampleTool({ slug: 'STORE_A', aliases: ['SHOP_GET_ORDER'] })] },
  }
  assert.throws(
    () => catalogFromSources([sampleSource(), other]),
    /`SHOP_GET_ORDER` is also a tool of `shop`/,
  )
})

test('manifest checks: `omit` and `rename` name existing properties, and downloadable files are objects', async () => {
  const answer = (response: Parts, output: Parts = {}) =>
    diagnosticsOf([list({ response, output: { type: 'object', properties: { orders: {}, ...output } } })])
  assert.equal(
    answer({
      omit: { paths: ['_links', 'orders[*].links.self'], asked_by: 'brief' },
      rename: { next: 'cursor' },
    }),
    '',
  )
  assert.match(
    answer({ omit: { paths: ['a'], asked_by: 'limit' } }),
    /asked_by: `limit` must be a boolean property of the input/,
  )
  assert.match(answer({ omit: { paths: ['a[0]'], asked_by: 'brief' } }), /omit\/paths\/0/)
  assert.match(answer({ rename: { a: 'x', b: 'x' } }), /two properties the same name/)
  const file = {
    type: 'object',
    file_downloadable: true,
    properties: { name: any(), mimetype: any(), s3url: any() },
  }
  assert.equal(
    answer({ file: { member: 'file', content: 'data', encoding: 'base64url', name: '{cursor}' } }, { file }),
    '',
  )
  assert.match(
    answer({ file: { member: 'file' } }),
    /`file` must be a property of the output with `"file_downloadable": true`/,
  )
  const linted: string[] = []
  const upload = {
    type: 'object',
    description: 'A file.',
    file_uploadable: true,
    properties: { name: any(), mimetype: any() },
  }
  await lintFiles(
    {
      toolkit: {},
      tools: {
        tools: [
          list({
            input: { type: 'object', properties: { a: upload, b: { ...upload, type: 'string' } } },
            output: { type: 'object', properties: { file: { ...file, file_uploadable: true } } },
          }),
        ],
      },
    },
    () => ({ add: (path, reason) => void linted.push(`${path}: ${reason}`) }),
  )
  assert.deepEqual(
    linted.map((one) => one.replace(/ needs an object.*; /, ' … ')),
    [
      '/tools/0/input/properties/a: `file_uploadable` … s3key is missing.',
      '/tools/0/input/properties/b: `file_uploadable` … s3key is missing.',
      '/tools/0/output/properties/file: `file_uploadable` is for the input. Write `file_downloadable`.',
    ],
  )
})

test('response shaping: fields are left out as the manifest declares, and only when the call requests it', () => {
  const tool = catalogFromSources([
    sampleSource({}, [
      list({
        response: {
          omit: {
            paths: ['_links', 'orders[*].links', 'orders[*].customer.url', 'orders.x'],
            asked_by: 'brief',
          },
          rename: { total_count: 'total' },
        },
      }),
    ]),
  ]).tool('SHOP_LIST', 'latest')!.tool
  const data = () => ({
    _links: 1,
    total_count: 2,
    orders: [{ id: 1, links: [], customer: { url: 'u', id: 7 } }, 'odd', null, { id: 2 }],
  })
  assert.deepEqual(tool.response.tidy!(data(), { brief: true }), {
    total: 2,
    orders: [{ id: 1, customer: { id: 7 } }, 'odd', null, { id: 2 }],
  })
  const { total_count: total, ...rest } = data()
  for (const args of [{}, { brief: false }, { brief: 'true' }])
    assert.deepEqual(tool.response.tidy!(data(), args), { total, ...rest })
})

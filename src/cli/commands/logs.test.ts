import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cli } from '#fixtures/cli.ts'

const entry = (id: string, more: object = {}) => ({
  id,
  timestamp: new Date().toISOString(),
  type: 'tool.execution',
  status: 'success',
  level: 'info',
  message: '',
  metadata: { tool_slug: 'SHOP_GET_ORDER', user_id: 'u1' },
  metrics: { duration_ms: 12 },
  parent: null,
  ...more,
})

test('logs list: flags become filters, and each execution is a line', async (t) => {
  const { run } = cli(t, {
    body: {
      logs: [entry('log_1'), entry('log_2', { status: 'failed', message: '403 Client Error' })],
      next_cursor: 'abc',
    },
  })
  const { code, out, err, seen } = await run(
    'logs',
    'list',
    '--tool',
    'SHOP_GET_ORDER',
    '--status',
    'failed',
    '--since',
    '2h',
    '--limit',
    '5',
  )
  assert.equal(code, 0, err)
  const { time_range: range, ...body } = seen[0]!.body as { time_range: { from: number; to: number } }
  assert.deepEqual(
    [seen[0]!.url.pathname, body],
    [
      '/api/v3.1/logs/tool_execution',
      {
        limit: 5,
        filters: [
          { operator: '==', field: 'tool_slug', value: 'SHOP_GET_ORDER' },
          { operator: '==', field: 'status', value: 'failed' },
        ],
      },
    ],
  )
  assert.equal(Math.round((range.to - range.from) / 3_600_000), 2)
  assert.match(
    out,
    /log_1 +success +SHOP_GET_ORDER +u1 +12 +—\n.*log_2 +failed +SHOP_GET_ORDER +u1 +12 +403 Client Error/,
  )
  assert.match(err, /--cursor abc/)
  const json = await run('logs', 'list', '--json')
  assert.equal((JSON.parse(json.out) as { logs: unknown[] }).logs.length, 2)
  for (const wrong of [
    ['--since', 'yesterday'],
    ['--limit', '0'],
  ])
    assert.equal((await run('logs', 'list', ...wrong)).code, 2)
})

test('logs tail: each ended execution is printed once, as JSON lines with --json, over all pages', async (t) => {
  const now = Date.now()
  const pages: Record<string, object> = {
    none: { items: [], last_event_id: `${now}000`, missed: false },
    [`${now}000`]: {
      items: [
        entry('log_0', { timestamp: new Date(now - 10_000).toISOString() }),
        entry('log_1', {
          timestamp: new Date(now - 300_000).toISOString(),
          metrics: { duration_ms: 301_000 },
        }),
        entry('log_3', { status: 'started', metrics: {} }),
      ],
      last_event_id: `${now}000.${now}000.${now}000.log_3`,
      missed: false,
    },
    [`${now}000.${now}000.${now}000.log_3`]: {
      items: [entry('log_1', { timestamp: new Date(now).toISOString() }), entry('log_2')],
      last_event_id: `${now}001`,
      missed: false,
    },
  }
  const { run } = cli(t, ({ url }) => ({ body: pages[url.searchParams.get('last_event_id') ?? 'none'] }))
  const { code, out, seen } = await run('logs', 'tail', '--for', '0s', '--json', '--user', 'u1')
  assert.deepEqual(
    [
      code,
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ],
    [0, ['log_1', 'log_2']],
  )
  assert.deepEqual(
    seen.map(({ url }) => [url.pathname, url.searchParams.get('user_id')]),
    Array(3).fill(['/api/v3.1/logs/stream', 'u1']),
  )
  assert.match((await run('logs', 'tail', '--for', '0s')).out, /log_1.*\n.*log_2/)
  const { run: fail } = cli(t, { status: 401, body: { error: { message: 'Invalid API key' } } })
  assert.notEqual((await fail('logs', 'tail', '--for', '0s')).code, 0)
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { cli } from '#fixtures/cli.ts'
import { relativeTime, textWidth } from './table.ts'

const tool = (slug: string, description: string) => ({
  slug,
  name: 'Get item',
  toolkit: { slug: 'hackernews' },
  version: '20261121_00',
  description,
})
const page = {
  items: [
    tool('HACKERNEWS_GET_ITEM', 'Reads one item of any kind, with its text and its children'),
    tool('HACKERNEWS_漢字', ''),
  ],
  next_cursor: 'next',
  total_pages: 2,
  current_page: 1,
  total_items: 3,
}

test('cli output: a page is a table, and the hint for the next page goes to stderr', async (t) => {
  const { out, err } = await cli(t, { body: page }).run('tools', 'list')
  assert.equal(
    out,
    [
      'SLUG                 NAME      TOOLKIT     VERSION      DESCRIPTION',
      'HACKERNEWS_GET_ITEM  Get item  hackernews  20261121_00  Reads one item of any kind, with its text ' +
        'and its children',
      'HACKERNEWS_漢字      Get item  hackernews  20261121_00  —',
      '',
    ].join('\n'),
  )
  assert.equal(err, '2 of 3 shown. Next page: --cursor next; all pages: --all\n')
})

test('cli output: lines fit the terminal, and secondary columns are shortened first', async (t) => {
  for (const terminal of [100, 80, 60]) {
    const { out } = await cli(t, { body: page }, { terminal, env: { NO_COLOR: '1' } }).run('tools', 'list')
    for (const line of out.split('\n')) assert.ok(textWidth(line) <= terminal, line)
    assert.match(out, terminal < 80 ? /…/ : /HACKERNEWS_GET_ITEM {2}Get item {2}hackernews {2}.*…/)
  }
})

test('cli output: colour is used on terminals only, and NO_COLOR disables it', async (t) => {
  const isColoured = async (options: Parameters<typeof cli>[2]) =>
    (await cli(t, { body: page }, options).run('tools', 'list')).out.includes('\u001b[')
  assert.deepEqual(
    [
      await isColoured({}),
      await isColoured({ terminal: 80 }),
      await isColoured({ terminal: 80, env: { NO_COLOR: '1' } }),
    ],
    [false, true, false],
  )
})

test('cli output: --json prints the response unchanged, and --all reads every page', async (t) => {
  assert.deepEqual(JSON.parse((await cli(t, { body: page }).run('tools', 'list', '--json')).out), page)
  const { out, seen } = await cli(t, ({ url }) => ({
    body: url.searchParams.has('cursor') ? { ...page, items: [tool('LAST', '')], next_cursor: null } : page,
  })).run('tools', 'list', '--all', '--json', '--limit', '2')
  assert.deepEqual(
    seen.map(({ url }) => url.search),
    ['?limit=2', '?limit=2&cursor=next'],
  )
  assert.deepEqual(
    JSON.parse(out).items.map(({ slug }: { slug: string }) => slug),
    ['HACKERNEWS_GET_ITEM', 'HACKERNEWS_漢字', 'LAST'],
  )
})

test('cli output: --all follows the cursor of the older API', async (t) => {
  const { out, seen } = await cli(t, ({ body }) => ({
    body: (body as { cursor?: number } | undefined)?.cursor
      ? { data: [{ id: 'log_2' }], nextCursor: null }
      : { data: [{ id: 'log_1' }], nextCursor: 20 },
  })).run('logs', 'internal', '--all', '--json')
  assert.equal(seen.length, 2)
  assert.deepEqual(JSON.parse(out), {
    data: [{ id: 'log_1' }, { id: 'log_2' }],
    next_cursor: null,
    nextCursor: null,
  })
})

test('cli output: an object is printed as names and values, with nested ones indented', async (t) => {
  const body = {
    id: 'ac_1',
    name: null,
    toolkit: { slug: 'github', tags: ['a', 'b'] },
    fields: [{ name: 'x', required: true }],
    note: 'two\nlines',
    data: {},
  }
  const { out } = await cli(t, { body }).run('auth-configs', 'read', 'ac_1')
  assert.equal(
    out,
    [
      'id    ac_1',
      'name  —',
      'toolkit',
      '  slug  github',
      '  tags  a, b',
      'fields',
      '  - name      x',
      '    required  true',
      'note',
      '  two',
      '  lines',
      'data  —',
      '',
    ].join('\n'),
  )
})

test('cli output: a list of words has one word per line, and an empty response prints Done', async (t) => {
  assert.equal((await cli(t, { body: ['A', 'B'] }).run('tools', 'enum')).out, 'A\nB\n')
  assert.deepEqual(
    await cli(t)
      .run('auth-configs', 'delete', 'ac_1')
      .then(({ out, err }) => [out, err]),
    ['', 'Done.\n'],
  )
})

test('cli output: text of a server cannot control the terminal', async (t) => {
  const evil = 'a\u001b[2Jb\u009b31m\u202ec'
  const body = { items: [tool(evil, evil)], next_cursor: evil, extra: evil }
  for (const args of [
    ['tools', 'list'],
    ['tools', 'read', 'X'],
  ]) {
    const { out, err } = await cli(t, { body: args.includes('list') ? body : tool(evil, evil) }).run(...args)
    assert.doesNotMatch(out + err, /[\u001b\u009b\u202e]/)
  }
  const { err } = await cli(t, {
    status: 400,
    body: { error: { message: evil, errors: [evil], slug: evil, suggested_fix: evil, request_id: evil } },
  }).run('tools', 'list')
  assert.doesNotMatch(err, /[\u001b\u009b\u202e]/)
})

test('cli output: a terminal shows relative times, a pipe shows full ones', async (t) => {
  const timestamp = new Date(Date.now() - 150_000).toISOString()
  const log = {
    id: 'log_7hQ2vLk9TmXa',
    timestamp,
    status: 'failed',
    message: '127.0.0.1:1880: the connection failed.',
    metadata: { tool_slug: 'NODERED_LIST_FLOWS', user_id: 'ada' },
    metrics: { duration_ms: 12 },
  }
  const body = { logs: [log], next_cursor: null }
  const options = { terminal: 80, env: { NO_COLOR: '1' } }
  const narrow = (await cli(t, { body }, options).run('logs', 'list')).out
  assert.match(narrow, /^TIME +STATUS/)
  assert.match(narrow, /\n2m ago +failed +NODERED_LIST_FLOWS +ada +12 +127\.0\.0\.1:1880: the connec/)
  assert.match((await cli(t, { body }, options).run('logs', 'list', '--wide')).out, /TIME +LOG/)
  assert.match((await cli(t, { body }).run('logs', 'list')).out, new RegExp(`${timestamp} +log_7hQ2vLk9TmXa`))
  assert.deepEqual(
    [relativeTime('2026-01-01T00:00:00Z', Date.parse('2026-01-03T05:00:00Z')), relativeTime('v1', 0)],
    ['2d ago', 'v1'],
  )
  assert.equal(relativeTime('1970-01-01T03:00:00.000Z', 0), 'in 3h')
})

test('cli output: secrets that the API masks in part are masked whole', async (t) => {
  const body = {
    id: 'ca_1',
    state: { val: { username: 'ada', password: 'pass...', api_key: 'sk_l...', note: 'and...' } },
  }
  const { out } = await cli(t, { body }).run('connected-accounts', 'read', 'ca_1')
  assert.match(out, /username +ada\n/)
  assert.match(out, /password +••••••\n/)
  assert.match(out, /api_key +••••••\n/)
  assert.match(out, /note +and\.\.\.\n/)
})

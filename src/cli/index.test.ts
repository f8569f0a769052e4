import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { routes } from '../contract/index.ts'
import { grouped } from './program.ts'
import { cli } from '#fixtures/cli.ts'

const refusal = {
  error: {
    message: 'No tool NOPE.',
    code: 2401,
    slug: 'Tool_ToolNotFound',
    status: 404,
    request_id: 'req-1',
    suggested_fix: 'List the tools.',
    errors: ['version: latest'],
  },
}

test('cli: every operation of the API is a command with a unique name', () => {
  const names = [...grouped()].flatMap(([group, operations]) =>
    operations.map(({ name }) => `${group} ${name}`),
  )
  assert.equal(new Set(names).size, routes.length)
  for (const operations of grouped().values()) {
    for (const { flags, route } of operations)
      assert.equal(new Set(flags.map(({ name }) => name)).size, flags.length, route.id)
  }
})

test('cli: the help of every command has an example', async (t) => {
  const { run } = cli(t)
  for (const [group, operations] of grouped()) {
    for (const { name } of operations) {
      const { code, out } = await run(group, name, '--help')
      assert.equal(code, 0)
      assert.match(
        out,
        new RegExp(`Usage: patchbay ${group} ${name}[^]*Example:\n  patchbay ${group} ${name}`),
      )
    }
  }
})

test('cli: path parameters are arguments, query parameters flags, and lists repeated or with commas', async (t) => {
  const { run } = cli(t)
  const {
    seen: [list],
  } = await run(
    'tools',
    'list',
    '--toolkit-slug',
    'github,slack',
    '--toolkit-slug',
    'linear',
    '--include-deprecated',
    '--limit',
    '5',
    '--toolkit-versions',
    '{"github": "latest"}',
  )
  assert.equal(list?.url.pathname, '/api/v3.1/tools')
  assert.deepEqual(Object.fromEntries(list?.url.searchParams ?? []), {
    toolkit_slug: 'github,slack,linear',
    include_deprecated: 'true',
    limit: '5',
    'toolkit_versions[github]': 'latest',
  })
  const {
    seen: [read],
  } = await run('tools', 'read', 'a/b', '--api-version', 'v3')
  assert.equal(read?.url.pathname, '/api/v3/tools/a%2Fb')
})

test('cli: body fields are flags, which override the fields of --data', async (t) => {
  const { run, cwd } = cli(t, {}, { input: '{"alias": "old", "connection": {}}' })
  const {
    seen: [executed],
  } = await run(
    'tools',
    'execute',
    'HN_GET',
    '--arguments',
    '{"id": 1}',
    '--user-id',
    'u1',
    '--no-allow-tracing',
  )
  assert.deepEqual(executed?.body, { arguments: { id: 1 }, user_id: 'u1', allow_tracing: false })
  const {
    seen: [updated],
  } = await run('connected-accounts', 'update', 'ca_1', '--data', '-', '--alias', 'new')
  assert.deepEqual(updated?.body, { alias: 'new', connection: {} })
  writeFileSync(join(cwd, 'args.json'), '{"id": 2}')
  assert.deepEqual((await run('tools', 'execute', 'HN_GET', '--arguments', '@args.json')).seen[0]?.body, {
    arguments: { id: 2 },
  })
  assert.deepEqual((await run('projects', 'create', 'billing')).seen[0]?.body, { name: 'billing' })
})

test('cli: a boolean flag needs no value and never takes the next argument', async (t) => {
  const { run } = cli(t)
  const enabled = async (...args: string[]) =>
    (await run('connected-accounts', 'set-status', ...args)).seen.map(({ url, body }) => [
      url.pathname.split('/').at(-2),
      body,
    ])
  for (const args of [
    ['--enabled', 'ca_1'],
    ['ca_1', '--enabled'],
    ['--enabled', 'true', 'ca_1'],
    ['ca_1', '--enabled=true'],
  ])
    assert.deepEqual(await enabled(...args), [['ca_1', { enabled: true }]], args.join(' '))
  for (const args of [
    ['--no-enabled', 'ca_1'],
    ['ca_1', '--enabled', 'false'],
    ['--enabled=false', 'ca_1'],
  ])
    assert.deepEqual(await enabled(...args), [['ca_1', { enabled: false }]], args.join(' '))
})

test('cli: a call sends only the credential header of its route', async (t) => {
  const { run } = cli(t)
  const credentials = async (...args: string[]) =>
    Object.entries((await run(...args)).seen[0]?.headers ?? {}).filter(([name]) => name.includes('key'))
  assert.deepEqual(await credentials('tools', 'list'), [['x-api-key', 'ak_test']])
  assert.deepEqual(await credentials('projects', 'list'), [['x-org-api-key', 'oak_test']])
  assert.deepEqual(await credentials('--api-key', 'ak_flag', 'tools', 'list'), [['x-api-key', 'ak_flag']])
  assert.deepEqual(await credentials('tools', 'list', '--api-key', 'ak_flag'), [['x-api-key', 'ak_flag']])
})

test('cli: an error response prints message, details, fix and request id, and exits with 1', async (t) => {
  const { run } = cli(t, { status: 404, body: refusal })
  const { code, out, err } = await run('tools', 'read', 'NOPE')
  assert.deepEqual([code, out], [1, ''])
  assert.equal(
    err,
    'error: No tool NOPE.\n  - version: latest\nfix: List the tools.\nTool_ToolNotFound (2401) · HTTP ' +
      '404 · request req-1\n',
  )
  const json = await run('tools', 'read', 'NOPE', '--json')
  assert.deepEqual([json.code, JSON.parse(json.out), json.err], [1, refusal, ''])
})

test('cli: a server error exits with 4, and an unreachable server with 3', async (t) => {
  assert.equal(
    (await cli(t, { status: 500, body: { error: { message: 'Broken.' } } }).run('tools', 'list')).code,
    4,
  )
  assert.equal((await cli(t, { status: 502, body: '<html>' }).run('tools', 'list')).code, 4)
  const { code, err } = await cli(t, () => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
  }).run('tools', 'list')
  assert.equal(code, 3)
  assert.equal(
    err,
    'error: The server at http://localhost:3900 cannot be reached (ECONNREFUSED).\nfix: Start it with ' +
      '`patchbay start`, or set --url or PATCHBAY_URL.\n',
  )
})

test('cli: a redirect is not followed, so the key stays with the server', async (t) => {
  const { code, err, seen } = await cli(t, {
    status: 302,
    headers: { location: 'https://elsewhere.example' },
    body: '',
  }).run('tools', 'list')
  assert.deepEqual([code, seen.length], [3, 1])
  assert.match(err, /redirects to https:\/\/elsewhere\.example/)
})

test('cli: a tool that fails has its own exit code', async (t) => {
  const body = {
    successful: false,
    data: { status: 503 },
    error: 'The application is down.',
    log_id: 'log_1',
  }
  const { code, out, err } = await cli(t, { body }).run('tools', 'execute', 'HN_GET')
  assert.deepEqual(
    [code, out, err],
    [5, 'status  503\n', 'tool failed: The application is down.\nlog log_1\n'],
  )
  assert.equal(
    (await cli(t, { body: { ...body, successful: true, error: null } }).run('tools', 'execute', 'HN_GET'))
      .code,
    0,
  )
})

test('cli: incorrect usage exits with 2, makes no call, and says what to type', async (t) => {
  const { run } = cli(t)
  const lines: [string[], RegExp][] = [
    [['tols', 'list'], /unknown command 'tols'\n\(Did you mean tools\?\)/],
    [['tools', 'lst'], /Did you mean list\?/],
    [['tools', 'list', '--limt', '3'], /Did you mean --limit\?/],
    [['tools', 'read'], /missing required argument 'tool_slug'/],
    [['tools', 'list', '--limit', 'many'], /--limit takes a number, not "many"/],
    [['tools', 'execute', 'X', '--arguments', '{id: 1}'], /--arguments is not valid JSON/],
    [['tools', 'execute', 'X', '--arguments', '@none.json'], /--arguments: File not found: .*none\.json\./],
    [
      ['connected-accounts', 'set-status', 'ca_1', '--enabled=maybe'],
      /--enabled takes true or false, not "maybe"/,
    ],
    [['tools', 'list', '--url', 'localhost'], /"localhost" is not the URL of a server/],
    [['tools', 'list', '--api-version', 'v2'], /v3 or v3\.1/],
    [['tools'], /Usage: patchbay tools/],
  ]
  for (const [args, expected] of lines) {
    const { code, err, out, seen } = await run(...args)
    assert.deepEqual([code, out, seen.length], [2, '', 0], args.join(' '))
    assert.match(err, expected)
  }
})

test('cli: the first help screen lists all commands in order', async (t) => {
  const { run } = cli(t)
  const { code, out } = await run()
  assert.equal(code, 0)
  assert.match(
    out,
    /The server:\n {2}start[^]*doctor[^]*Projects and keys:\n {2}keys[^]*Toolkits and tools:[^]*Accounts of users:[^]*Exit codes:/,
  )
  assert.equal((await run('--help')).out, out)
  assert.match((await run('help', 'tools', 'list')).out, /Usage: patchbay tools list/)
  assert.match((await run('--version')).out, /^\d+\.\d+\.\d+/)
})

test('cli: the keys file is found in a parent directory or in DATA_DIR', async (t) => {
  const { run, cwd } = cli(t, {}, { env: { PATCHBAY_API_KEY: '', PATCHBAY_ORG_API_KEY: '' } })
  assert.match((await run('tools', 'list')).err, /needs a project key for http:\/\/localhost:3900/)
  mkdirSync(join(cwd, '.patchbay'))
  writeFileSync(
    join(cwd, '.patchbay', 'keys.json'),
    JSON.stringify({
      url: 'http://localhost:3999',
      project_id: 'proj_1',
      project_api_key: 'ak_0123456789abcdef',
      organization_api_key: 'oak_0123456789abcdef',
    }),
  )
  const {
    seen: [request],
  } = await run('tools', 'list')
  assert.deepEqual(
    [request?.url.origin, request?.headers['x-api-key']],
    ['http://localhost:3999', 'ak_0123456789abcdef'],
  )
  const elsewhere = await run('tools', 'list', '--url', 'https://patchbay.example')
  assert.deepEqual(
    [elsewhere.code, elsewhere.seen.length],
    [2, 0],
    'the key of one server is not sent to another',
  )
  assert.equal((await run('tools', 'list', '--url', 'http://127.0.0.1:3999')).code, 0)
})

test('cli: keys show prints the path of the keys file and masked keys', async (t) => {
  const { run, cwd } = cli(t, {}, { env: { DATA_DIR: 'data' } })
  assert.equal((await run('keys', 'show')).code, 2)
  mkdirSync(join(cwd, 'data'))
  writeFileSync(
    join(cwd, 'data', 'keys.json'),
    JSON.stringify({
      url: 'http://localhost:3900',
      project_id: 'proj_1',
      project_api_key: 'ak_0123456789abcdef',
      organization_api_key: 'oak_0123456789abcdef',
    }),
  )
  const masked = await run('keys', 'show')
  assert.match(masked.out, /project_api_key +ak_…cdef\n/)
  assert.doesNotMatch(masked.out + masked.err, /0123456789abcdef/)
  assert.match((await run('keys', 'show', '--reveal')).out, /ak_0123456789abcdef/)
})

test('cli: keys create takes permissions by name, and a project', async (t) => {
  const { run } = cli(t, { status: 201, body: { id: 'key_1' } })
  const {
    seen: [created],
  } = await run(
    'keys',
    'create',
    '--project',
    'proj_1',
    '--name',
    'reader',
    '--permission',
    'connected_accounts:read',
    '--permission',
    'tools:read',
    '--allow-ip',
    '10.0.0.0/8',
  )
  assert.equal(created?.url.pathname, '/api/v3.1/org/owner/project/proj_1/api_keys')
  assert.deepEqual(created?.body, {
    name: 'reader',
    permissions: { connected_accounts: ['read'], tools: ['read'] },
    allowed_ips: ['10.0.0.0/8'],
  })
  assert.deepEqual(
    (await run('keys', 'revoke', 'key_1', '--project', 'proj_1')).seen.map(
      ({ method, url }) => `${method} ${url.pathname}`,
    ),
    ['DELETE /api/v3.1/org/owner/project/proj_1/api_keys/key_1'],
  )
  assert.match((await run('keys', 'list')).err, /Use --project/)
  assert.match(
    (await run('keys', 'create', '--project', 'proj_1', '--permission', 'tools:write')).err,
    /For tools write tools:read/,
  )
})

test('cli: status shows whether the server is alive and ready', async (t) => {
  assert.equal(
    (await cli(t, { body: { status: 'ok' } }).run('status')).out,
    'server  http://localhost:3900\nalive   yes\nready   yes\n',
  )
  const { code, out } = await cli(t, ({ url }) =>
    url.pathname === '/readyz' ? { status: 503, body: { reason: 'no database' } } : {},
  ).run('status')
  assert.equal(code, 4)
  assert.match(out, /ready {3}no\nreason {2}no database/)
})

test('cli: a text sets the only required field of an object', async (t) => {
  const { run } = cli(t)
  const created = await run('auth-configs', 'create', '--toolkit', 'github')
  assert.deepEqual(created.seen[0]?.body, { toolkit: { slug: 'github' } })
  const account = await run(
    'connected-accounts',
    'create',
    '--auth-config',
    'ac_1',
    '--connection',
    '{"user_id": "u"}',
  )
  assert.deepEqual(account.seen[0]?.body, { auth_config: { id: 'ac_1' }, connection: { user_id: 'u' } })
  assert.deepEqual((await run('auth-configs', 'create', '--toolkit', '{"slug": "slack"}')).seen[0]?.body, {
    toolkit: { slug: 'slack' },
  })
})

test('cli: an application that cannot be reached is no fault of the server', async (t) => {
  const error = { slug: 'ActionExecute_UpstreamUnreachable', message: '127.0.0.1:1880: not allowed.' }
  assert.equal((await cli(t, { status: 502, body: { error } }).run('tools', 'execute', 'A')).code, 1)
  assert.equal((await cli(t, { status: 502, body: {} }).run('tools', 'execute', 'A')).code, 4)
  assert.equal((await cli(t, { status: 500, body: { error } }).run('tools', 'execute', 'A')).code, 4)
})

test('cli: commands for older clients work but are not listed, and whoami names the project', async (t) => {
  const { run } = cli(t, { body: { project: { id: 'proj_1' } } })
  const { out } = await run('--help')
  assert.match(out, /\n {2}whoami /)
  assert.doesNotMatch(out, /\n {2}(session|project-keys|migration) /)
  assert.equal((await run('whoami')).seen[0]?.url.pathname, '/api/v3.1/auth/session/info')
  assert.match((await run('webhooks', '--help')).out, /update /)
  assert.doesNotMatch((await run('webhooks', '--help')).out, /read-project/)
  assert.equal((await run('webhooks', 'read-project')).seen.length, 1)
})

test('cli: a document that does not exist is reported with the name that was typed', async (t) => {
  const { code, err } = await cli(t).run('toolkits', 'import', './nope.yaml')
  assert.equal(code, 2)
  assert.match(err, /error: File not found: \.\/nope\.yaml\./)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXIT } from '../io.ts'
import { cli } from '#fixtures/cli.ts'

const item = (revocation: string) => ({
  connected_account_id: `ca_${revocation}`,
  toolkit: { slug: 'shop' },
  user_id: 'u1',
  tools_count: 3,
  revocation,
  requested_scopes: ['read'],
  revoked_tokens: [],
  last_error: revocation === 'done' ? null : 'no way',
})
const answer =
  (endings: string[]) =>
  ({ method }: { method: string }) => ({
    status: method === 'POST' ? 201 : 200,
    body: {
      id: 'inc_1',
      frozen: endings.length,
      revocations: {
        pending: 0,
        done: 0,
        failed: 0,
        unsupported: 0,
        ...Object.fromEntries(endings.map((one) => [one, endings.filter((other) => other === one).length])),
      },
      revoked: { keys: 2, mcp_grants: 0, sessions: 1, webhook_subscriptions: 0 },
      ...(method === 'POST'
        ? {}
        : {
            items: endings.map(item),
            next_cursor: null,
            total_items: endings.length,
            total_pages: 1,
            current_page: 1,
          }),
    },
  })

test('panic: accounts are frozen and listed, and the exit code is 0 if all access was revoked', async (t) => {
  const { code, out, err, seen } = await cli(t, answer(['done', 'done'])).run(
    'panic',
    '--toolkit',
    'shop',
    '--user',
    'u1',
    '--reason',
    'leak',
    '--yes',
  )
  assert.equal(code, 0, err)
  assert.deepEqual(
    [seen[0]?.method, seen[0]?.url.pathname, seen[0]?.body],
    ['POST', '/api/v3.1/org/incidents', { toolkit_slug: 'shop', user_id: 'u1', reason: 'leak' }],
  )
  assert.equal(seen[0]?.headers['x-org-api-key'], 'oak_test')
  assert.match(out, /ACCOUNT +TOOLKIT +USER +TOOLS +AT THE PROVIDER/)
  assert.match(out, /2 frozen, 2 revoked at the provider, 0 to be revoked by hand, 0 in progress/)
})

test('panic: access that could not be revoked exits with 6, also with --json', async (t) => {
  const { code, out } = await cli(t, answer(['done', 'unsupported', 'failed'])).run(
    'panic',
    '--project',
    'proj_1',
    '--yes',
    '--json',
  )
  assert.equal(code, 6)
  assert.deepEqual(
    (JSON.parse(out) as { items: { revocation: string }[] }).items.map(({ revocation }) => revocation),
    ['done', 'unsupported', 'failed'],
  )
  assert.equal(
    (await cli(t, answer(['pending'])).run('panic', '--user', 'u1', '--yes', '--wait', '0')).code,
    6,
  )
})

test('panic: the exit code shows whether accounts are frozen if the server becomes unreachable', async (t) => {
  const gone = () => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
  }
  for (const lost of [gone, () => ({ status: 503, body: {} })]) {
    const { code, err } = await cli(t, (request) =>
      request.method === 'POST' ? answer(['pending'])(request) : lost(),
    ).run('panic', '--user', 'u1', '--yes')
    assert.equal(code, EXIT.notAllRevoked)
    assert.match(err, /The accounts are frozen, but the incident inc_1 cannot be read/)
    assert.match(err, /patchbay incidents read inc_1/)
  }
  assert.equal((await cli(t, gone).run('panic', '--user', 'u1', '--yes')).code, EXIT.unreachable)
  assert.equal(new Set(Object.values(EXIT)).size, Object.keys(EXIT).length)
})

test('panic: nothing is sent without a selection and a confirmation', async (t) => {
  for (const args of [['--yes'], ['--user', 'u1'], ['--user', 'u1', '--yes', '--wait', 'long']]) {
    const { code, seen } = await cli(t).run('panic', ...args)
    assert.equal(code, 2, args.join(' '))
    assert.equal(seen.length, 0)
  }
})

test('panic: --revoke selects keys and sessions too, and an unknown kind is a usage error', async (t) => {
  const { code, out, err, seen } = await cli(t, answer(['done'])).run(
    ...['panic', '--project', 'proj_1', '--revoke', 'keys,sessions', '--yes'],
  )
  assert.equal(code, 0, err)
  assert.deepEqual(seen[0]?.body, { project_id: 'proj_1', revoke: ['keys', 'sessions'] })
  assert.match(out, /revoked: 2 keys, 1 sessions/)
  const wrong = await cli(t, answer([])).run(
    'panic',
    '--project',
    'proj_1',
    '--revoke',
    'everything',
    '--yes',
  )
  assert.deepEqual([wrong.code, wrong.seen.length], [EXIT.usage, 0])
})

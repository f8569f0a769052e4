import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMetaTools, type MetaTools } from '#fixtures/meta-tools-session.ts'

test('meta tools: connections', async (t) => {
  const fixture = await startMetaTools(t)
  await t.test(
    'meta tool manage connections: handles toolkits separately, continues started connections, and lists, renames ' +
      'and removes accounts',
    () => checkConnections(fixture),
  )

  await t.test(
    'meta tool wait for connections: ends when all or any are connected, or after 45 seconds',
    () => checkWait(fixture),
  )
})

async function checkConnections({ s }: MetaTools): Promise<void> {
  s.accounts = [s.account('mail'), s.account('chat', { id: 'ca_old', status: 'EXPIRED' })]
  const { data, error } = await s.run('MANAGE_CONNECTIONS', {
    toolkits: ['mail', 'CHAT', 'weather', 'nope', { name: 'mail', action: 'remove', account: 'ca_mail' }],
  })
  assert.deepEqual(
    [error, data.summary],
    [null, { total_toolkits: 5, active_connections: 2, initiated_connections: 1, failed_connections: 2 }],
  )
  assert.deepEqual(
    [data.results.mail.connected_account_id, data.results.chat.connected_account_id, s.links.at(-1)],
    ['ca_mail', 'ca_old', { toolkit: 'chat', again: 'ca_old' }],
  )
  assert.match(data.results['mail:ca_mail'].error_message, /needs a session with several accounts/)
  const again = await s.run('MANAGE_CONNECTIONS', { toolkits: ['mail'], reinitiate_all: true })
  assert.deepEqual(
    [
      again.data.results.mail.status,
      again.data.results.mail.was_reinitiated,
      again.data.results.mail.has_active_connection,
    ],
    ['initiated', true, true],
  )
  await checkSeveralAccounts({ s })
}

async function checkSeveralAccounts({ s }: Pick<MetaTools, 's'>): Promise<void> {
  const many = { multi_account: { enable: true, require_explicit_selection: true } }
  s.accounts = [
    s.account('mail', { alias: 'work' }),
    s.account('mail', { id: 'ca_two', word_id: 'two' }),
    s.account('mail', { id: 'ca_theirs', user_id: 'u2' }),
  ]
  const several = await s.run('SEARCH_TOOLS', { queries: [{ use_case: 'fetch emails' }] }, many)
  const [status] = several.data.toolkit_connection_statuses
  assert.deepEqual(
    [status.account_selection, status.accounts.map(({ id, is_default }: any) => [id, is_default])],
    [
      'required',
      [
        ['ca_mail', true],
        ['ca_two', false],
      ],
    ],
  )
  const must = await s.run(
    'MULTI_EXECUTE_TOOL',
    { tools: [{ tool_slug: 'MAIL_FETCH_EMAILS', arguments: {} }], sync_response_to_workbench: false },
    many,
  )
  assert.match(must.data.results[0].error, /pass "account" with one of: word_mail \(work\), two/)
  const act = async (wish: Record<string, unknown>, config: object = many) =>
    (await s.run('MANAGE_CONNECTIONS', { toolkits: [wish] }, config)).data.results.mail
  assert.equal((await act({ name: 'mail', action: 'list' })).accounts.length, 2)
  assert.equal((await act({ name: 'mail', action: 'rename', account: 'two', alias: 'home' })).alias, 'home')
  assert.deepEqual(s.changed, ['ca_two=home'])
  assert.match(
    (await act({ name: 'mail', action: 'remove', account: 'ca_theirs' })).error_message,
    /Pass account with one of: word_mail \(work\), two/,
  )
  assert.match(
    (
      await act(
        { name: 'mail', action: 'remove', account: 'two' },
        { ...many, manage_connections: { enable_connection_removal: false } },
      )
    ).error_message,
    /may not remove/,
  )
  assert.deepEqual(
    [(await act({ name: 'mail', action: 'remove', account: 'two' })).status, s.accounts.map(({ id }) => id)],
    ['active', ['ca_mail', 'ca_theirs']],
  )
  assert.equal((await act({ name: 'mail', action: 'add' })).status, 'initiated', 'one more')
  assert.equal((await act({ name: 'mail' })).status, 'active')
}

async function checkWait({ s }: MetaTools): Promise<void> {
  s.accounts = [s.account('mail'), s.account('chat', { status: 'INITIATED' })]
  const before = s.now
  const late = await s.run('WAIT_FOR_CONNECTIONS', { toolkits: ['mail', 'chat', 'nope'] })
  assert.deepEqual(
    [
      s.now - before,
      late.error,
      late.data.results.chat.status,
      late.data.results.mail.status,
      late.data.results.nope.status,
    ],
    [45_000, null, 'INITIATED', 'ACTIVE', 'NOT_FOUND'],
  )
  assert.match(late.data.message, /^Still waiting for the user: chat/)
  assert.match(
    (await s.run('WAIT_FOR_CONNECTIONS', { toolkits: ['mail', 'chat'], mode: 'any' })).data.message,
    /^Connected: mail/,
  )
  s.accounts = [s.account('mail'), s.account('chat')]
  assert.equal(
    (await s.run('WAIT_FOR_CONNECTIONS', { toolkits: ['mail', 'chat', 'weather'] })).data.message,
    'All connected',
  )
  assert.equal(s.now - before, 45_000)
}

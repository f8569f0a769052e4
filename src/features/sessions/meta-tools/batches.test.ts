import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../platform/db/sql.ts'
import { startMetaTools, type MetaTools } from '#fixtures/meta-tools-session.ts'

test('meta tools: batches', async (t) => {
  const fixture = await startMetaTools(t)
  await t.test(
    'meta tool batch: items of one missing connection share a link, the others run, and memory is stored per user',
    () => checkSharedLinks(fixture),
  )

  await t.test(
    'meta tool batch: accepts strict schema format arguments with null fields and objects as text',
    () => checkStrictArguments(fixture),
  )

  await t.test(
    'meta tool batch: reports pending approvals, also in recipe steps, and rejects LOCAL_ tools',
    () => checkPendingApprovals(fixture),
  )

  await t.test('meta tool batch: large results are stored in a file, and their beginnings are returned', () =>
    checkLargeResults(fixture),
  )
})

const callOf = (tool_slug: string, args = {}) => ({ tool_slug, arguments: args })

async function checkSharedLinks(fixture: MetaTools): Promise<void> {
  const { connect, s } = fixture
  connect('mail')
  s.answer = async ({ toolSlug }) => ({ data: { from: toolSlug }, error: null, successful: true })
  const linked = s.links.length
  const { data, error } = await s.run('MULTI_EXECUTE_TOOL', {
    tools: [
      callOf('CHAT_LIST_CHANNELS'),
      callOf('MAIL_FETCH_EMAILS'),
      callOf('CHAT_DELETE_MESSAGE', { id: '1' }),
      callOf('WEATHER_FORECAST', { city: 'Bern' }),
    ],
    sync_response_to_workbench: false,
    memory: {
      mail: ['Writes to ada@example.com often', 'The password is hunter2'],
      chat: ['The channel #ops is C0123'],
      nothing: ['is here'],
    },
  })
  assert.deepEqual(
    [error, data.total_count, data.success_count, data.error_count, data.remote_file_info],
    ['2 out of 4 tools failed', 4, 2, 2, null],
  )
  assert.deepEqual(
    data.results.map((one: any) => one.response?.successful),
    [false, true, false, true],
  )
  assert.match(
    data.results[0].error,
    /^No active connection for chat\. Show the user this link.*https:\/\/connect\.example\/link\/lk_/,
  )
  assert.equal(data.results[0].response.data.redirect_url, data.results[2].response.data.redirect_url)
  assert.equal(s.links.length - linked, 1)
  assert.match(data.next_steps, /links for chat/)
  await checkConnectPages(fixture)
  await checkMemory(fixture)
}

/** A connect page belongs to the response when every call of the batch needs the same connection. */
async function checkConnectPages({ s }: MetaTools): Promise<void> {
  const only = async (...slugs: string[]) =>
    (
      await s.run('MULTI_EXECUTE_TOOL', {
        tools: slugs.map((one) => callOf(one, { id: '1' })),
        sync_response_to_workbench: false,
      })
    ).visit
  assert.deepEqual(await only('CHAT_DELETE_MESSAGE', 'CHAT_LIST_CHANNELS'), {
    id: 'ca_new',
    message: 'No active connection for chat. Connect it here, then call the tools again.',
    url: `https://connect.example/link/lk_${s.links.length}`,
  })
  assert.equal(await only('CHAT_LIST_CHANNELS', 'MAIL_FETCH_EMAILS'), undefined, 'the tool that ran is named')
  s.answer = async () => ({
    data: { toolkit: 'mail', redirect_url: 'https://evil.example', connected_account_id: 'x' },
    error: 'no',
    successful: false,
  })
  assert.equal(await only('MAIL_FETCH_EMAILS'), undefined, 'an application hands out no links')
  assert.deepEqual(
    [s.executed.at(-1)!.parent, s.executed.at(-1)!.version],
    [{ sessionId: 'trs_1', logId: 'log_meta' }, 'latest'],
  )
}

/** Memory without secrets is stored for one user of one project. */
async function checkMemory({ s }: MetaTools): Promise<void> {
  const query = { queries: [{ use_case: 'fetch emails' }] }
  const own = await s.run('SEARCH_TOOLS', query)
  assert.deepEqual(own.data.results[0].memory, { mail: ['Writes to ada@example.com often'] })
  const otherUser = await s.run('SEARCH_TOOLS', query, await s.scope({}, { userId: 'u2' }))
  assert.ok(!JSON.stringify(otherUser.data).includes('memory'), 'another user has no memory')
  const otherProject = await s.run('SEARCH_TOOLS', query, await s.scope({}, { projectId: 'proj_b' }))
  assert.ok(!JSON.stringify(otherProject.data).includes('"memory"'))
  const { count } = (await s.db.one<{ count: number }>(
    sql`select count(*)::int as count from user_memories`,
  )) as { count: number }
  assert.equal(count, 2)
}

async function checkStrictArguments({ s }: MetaTools): Promise<void> {
  s.answer = async ({ arguments: args }) => ({ data: { ...args }, error: null, successful: true })
  const { data, error } = await s.run('MULTI_EXECUTE_TOOL', {
    tools: [{ tool_slug: 'WEATHER_FORECAST', arguments: '{"city":"Bern"}', account: null }],
    sync_response_to_workbench: false,
    thought: null,
    current_step: null,
    current_step_metric: null,
    memory: null,
    session_id: null,
  })
  assert.deepEqual([error, data.results[0].response?.data], [null, { city: 'Bern' }])
}

async function checkPendingApprovals({ connect, s }: MetaTools): Promise<void> {
  connect('mail')
  const approval = { id: 'apr_1', status: 'pending', url: 'https://x.example/approve' }
  s.answer = async ({ toolSlug }) =>
    toolSlug === 'MAIL_SEND_EMAIL'
      ? { data: { approval }, error: 'Approval required', successful: false }
      : { data: {}, error: null, successful: true }
  await s.run('UPSERT_RECIPE', {
    recipe_slug: 'SEND_IT',
    name: 'Send it',
    recipe_code: JSON.stringify({
      steps: [
        { id: 'read', tool: 'MAIL_FETCH_EMAILS' },
        { id: 'send', tool: 'MAIL_SEND_EMAIL', arguments: { to: 'a@example.com' } },
      ],
    }),
  })
  const { data } = await s.run('MULTI_EXECUTE_TOOL', {
    tools: ['MAIL_FETCH_EMAILS', 'MAIL_SEND_EMAIL', 'LOCAL_SHOUT', 'RECIPE_SEND_IT'].map((tool_slug) => ({
      tool_slug,
      arguments: {},
    })),
    sync_response_to_workbench: false,
  })
  assert.equal(
    data.next_steps,
    'Ask a person to decide on items 1, 3 (approval), then run them again exactly as before. Only ' +
      'item 2 failed; do not run the others again.',
  )
  assert.deepEqual(
    [data.results[3].response.data, data.results[3].error],
    [
      { completed_steps: ['read'], failed_step: 'send', approval },
      'Stopped at step "send" (MAIL_SEND_EMAIL): Approval required',
    ],
  )
  assert.match(data.results[2].error, /runs in the process of the caller/)
}

async function checkLargeResults({ connect, s }: MetaTools): Promise<void> {
  connect('mail')
  const emails = Array.from({ length: 500 }, (_, id) => ({ id, subject: 's'.repeat(80) }))
  s.answer = async () => ({ data: { emails }, error: null, successful: true })
  const args = {
    tools: [{ tool_slug: 'MAIL_FETCH_EMAILS', arguments: {} }],
    sync_response_to_workbench: false,
  }
  const { data } = await s.run('MULTI_EXECUTE_TOOL', args)
  assert.ok(JSON.stringify(data).length < 24_000 && data.results[0].response.data._truncated)
  assert.match(
    data.remote_file_info.file_path,
    /^\/mnt\/files\/\.service\/output\/multi_execute_\w{8}\.json$/,
  )
  assert.deepEqual(
    [
      JSON.parse(s.files.at(-1)!.bytes.toString())[0].response.data.emails.length,
      data.remote_file_info.size_bytes,
    ],
    [500, s.files.at(-1)!.bytes.length],
  )
  for (const scope of [
    await s.scope({ workbench: { enable: false } }),
    await s.scope({}, { storePayloads: false }),
  ]) {
    const inline = await s.run(
      'MULTI_EXECUTE_TOOL',
      { ...args, tools: [{ tool_slug: 'MAIL_FETCH_EMAILS', arguments: {} }] },
      scope,
    )
    assert.deepEqual(
      [inline.data.remote_file_info, inline.data.results[0].response.data.emails.length],
      [null, 500],
    )
  }
}

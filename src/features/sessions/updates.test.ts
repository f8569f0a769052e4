import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '#fixtures/client.ts'
import { startSessions, type Sessions, type Body, sessions } from '#fixtures/sessions.ts'

test('sessions: updates and unknown ids over HTTP', async (t) => {
  const fixture = await startSessions(t)
  await t.test('sessions: an update replaces lists, merges switches, and resets null to the default', () =>
    checkUpdate(fixture),
  )

  await t.test('sessions: an unknown, deleted or foreign id gets the same 404 from every endpoint', () =>
    checkUnknownIds(fixture),
  )
})

/** Updates in order, and the fields of the configuration after each. */
const UPDATES: readonly [Body, Body][] = [
  [
    { workbench: { enable: false } },
    {
      workbench: {
        enable: false,
        proxy_execution_enabled: true,
        auto_offload_threshold: 20_000,
        sandbox_size: 'large',
      },
    },
  ],
  [
    { manage_connections: { callback_url: null, enable_wait_for_connections: true } },
    {
      manage_connections: {
        enabled: true,
        enable_wait_for_connections: true,
        enable_connection_removal: true,
      },
    },
  ],
  [
    { toolkits: { disable: ['mail'] } },
    { toolkits: { disabled: ['mail'] }, tags: { disabled: ['destructiveHint'] } },
  ],
  [
    { toolkits: null, tags: null, workbench: null },
    {
      toolkits: undefined,
      tags: undefined,
      workbench: {
        enable: true,
        proxy_execution_enabled: true,
        auto_offload_threshold: 20_000,
        sandbox_size: 'standard',
      },
    },
  ],
  [
    { multi_account: { enable: true, max_accounts_per_toolkit: 3 } },
    { multi_account: { enable: true, max_accounts_per_toolkit: 3, require_explicit_selection: false } },
  ],
  [
    { multi_account: { enable: false } },
    {
      multi_account: { enable: false, max_accounts_per_toolkit: 5, require_explicit_selection: false },
    },
  ],
  [{ preload: { tools: ['MAIL_READ'] } }, { preload: { tools: ['MAIL_READ'] } }],
]

async function checkUpdate({ id, patch, faultsOf, newer }: Sessions): Promise<void> {
  const made = await id({
    toolkits: { enable: ['shop'] },
    workbench: { sandbox_size: 'large' },
    manage_connections: { callback_url: 'https://a.example/done' },
    tags: { disable: ['destructiveHint'] },
  })
  for (const [n, [body, expected]] of UPDATES.entries()) {
    const reply = await patch(made, { ...body, expected_config_version: n + 1 })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    assert.deepEqual(
      [
        reply.body.config_version,
        Object.fromEntries(Object.keys(expected).map((key) => [key, reply.body.config[key as never]])),
      ],
      [n + 2, expected],
    )
    assert.equal(reply.body.experimental, undefined)
  }
  const [status, text] = faultsOf(await patch(made, { toolkits: { enable: ['shop'] } }))
  assert.deepEqual(
    [status, /preload.tools\[0\]: MAIL_READ is hidden/.test(text)],
    [400, true],
    'preloaded tools must stay within',
  )
  const late = await patch(made, { search: { enable: false }, expected_config_version: 3 })
  assert.deepEqual(
    [late.status, (late.body as any).error.slug, late.headers['x-should-retry']],
    [409, 'ToolRouterV2_ConfigVersionConflict', 'false'],
  )
  assert.deepEqual(faultsOf(await patch(made, { user_id: 'u2' })), [
    400,
    'Error in payload.user_id: is not a known field',
  ])
  await checkConcurrentUpdates({ patch, newer }, made)
}

async function checkConcurrentUpdates(
  { patch, newer }: Pick<Sessions, 'patch' | 'newer'>,
  made: string,
): Promise<void> {
  const together = await Promise.all([
    patch(made, { search: { enable: false } }),
    patch(made, { execute: { enable_multi_execute: false } }),
    patch(made, { tags: ['readOnlyHint'] }),
  ])
  assert.deepEqual(
    together.map(({ body }) => body.config_version).sort((a, b) => a - b),
    [9, 10, 11],
  )
  const { body: last } = await newer(sessions.readSession, { params: { session_id: made } })
  assert.deepEqual(
    [last.config.search, last.config.execute, last.config.tags],
    [{ enable: false }, { enable_multi_execute: false }, { enabled: ['readOnlyHint'] }],
    'no change is lost',
  )
  const page = async (query: Body) =>
    (await newer(sessions.sessionConfigHistory, { params: { session_id: made }, query: query as never })).body
  const { items, next_cursor: next, total_items: total } = await page({ limit: 4 })
  assert.deepEqual(
    [items.map(({ version, is_current: current }) => [version, current]), total],
    [
      [
        [11, true],
        [10, false],
        [9, false],
        [8, false],
      ],
      11,
    ],
  )
  const rest = await page({ cursor: next })
  assert.deepEqual(
    rest.items.map(({ version }) => version),
    [7, 6, 5, 4],
  )
  assert.deepEqual((await page({ limit: 100 })).items.at(-1)?.config.toolkits, { enabled: ['shop'] })
}

async function checkUnknownIds({ id, newer, stranger }: Sessions): Promise<void> {
  const [made, gone] = [await id(), await id()]
  assert.deepEqual((await newer(sessions.deleteSession, { params: { session_id: gone } })).body, {
    session_id: gone,
    deleted: true,
  })
  const doors: readonly [keyof typeof sessions, Body][] = [
    ['readSession', {}],
    ['updateSession', { search: { enable: true } }],
    ['deleteSession', {}],
    ['attachSession', {}],
    ['sessionConfigHistory', {}],
    ['sessionTools', {}],
    ['sessionToolkits', {}],
    ['executeInSession', { tool_slug: 'FREE_READ' }],
    ['executeMeta', { slug: 'SERVICE_SEARCH_TOOLS' }],
    ['searchInSession', { queries: [{ use_case: 'x' }] }],
    ['linkInSession', { toolkit: 'shop' }],
    ['proxyInSession', { toolkit_slug: 'shop', endpoint: '/', method: 'GET' }],
  ]
  for (const [door, body] of doors) {
    const responseFor = async (session_id: string, by: Client) => {
      const reply = await by(
        sessions[door] as typeof sessions.readSession,
        { params: { session_id }, ...(Object.keys(body).length ? { body } : {}) } as never,
      )
      const { message, request_id: _request, ...rest } = (reply.body as any).error
      return { status: reply.status, message: message.replace(session_id, '<id>'), ...rest }
    }
    const missing = await responseFor('trs_000000000000', newer)
    assert.deepEqual([missing.status, missing.slug], [404, 'ToolRouterV2_SessionNotFound'], door)
    assert.deepEqual(
      [await responseFor(gone, newer), await responseFor(made, stranger)],
      [missing, missing],
      door,
    )
  }
  assert.equal((await newer(sessions.readSession, { params: { session_id: 'abc' } })).status, 400)
  assert.equal((await newer(sessions.readSession, { params: { session_id: made } })).status, 200)
}

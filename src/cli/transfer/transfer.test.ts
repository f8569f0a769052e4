import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Send, SOURCE, twoServers } from '#fixtures/two-servers.ts'
import type { Step } from './apply-project.ts'
import type { ProjectFile } from './project-file.ts'

const SESSION = {
  user_id: 'ada',
  toolkits: { enable: ['github', 'hackernews'] },
  tools: { github: { disable: ['GITHUB_CREATE_AN_ISSUE'] } },
  tags: { disable: ['destructiveHint'], require_approval: ['createHint'] },
  manage_connections: { enable: false },
  workbench: { enable: true, enable_proxy_execution: false },
  experimental: { permissions: { default: 'ask_once_per_session' } },
}
const CLIENT_SECRET = 'the-very-secret-client-secret'

/** Fills a project with one object of each kind. */
async function fillProject(send: Send, brand: string): Promise<void> {
  const token = { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', name: 'GitHub' }
  const oauth = {
    type: 'use_custom_auth',
    authScheme: 'OAUTH2',
    name: 'Slack app',
    credentials: { client_id: 'client-1234567', client_secret: CLIENT_SECRET },
  }
  const ids: string[] = []
  for (const [slug, auth_config] of [
    ['github', token],
    ['github', token],
    ['slack', oauth],
  ] as const) {
    const { body } = await send('POST', '/auth_configs', { toolkit: { slug }, auth_config })
    ids.push((body as { auth_config: { id: string } }).auth_config.id)
  }
  await send('POST', '/connected_accounts', {
    auth_config: { id: ids[1] },
    connection: {
      user_id: "ada o'neil",
      state: { authScheme: 'BEARER_TOKEN', val: { token: 'ghp_secret' } },
    },
  })
  for (const [name, auth_config_ids] of [
    ['Code helper', [ids[1]]],
    ['Chat helper', [ids[2]]],
  ] as const)
    await send('POST', '/mcp/servers', { name, auth_config_ids, no_auth_apps: ['hackernews'] })
  await send('POST', '/policies', {
    name: 'No deletes',
    outcome: 'deny',
    when: { tools: ['GITHUB_DELETE_A_REPOSITORY'] },
  })
  await send('POST', '/webhook_subscriptions', {
    webhook_url: 'https://93.184.216.34/hook',
    enabled_events: [`${brand}.connected_account.expired`],
  })
  await send('POST', '/tool_router/session_configs', {
    name: 'News reading',
    config: { toolkits: { enable: ['hackernews'] } },
  })
  await send('POST', '/tool_router/session', SESSION)
  await send('PATCH', '/org/project/config', { display_name: 'Billing', event_retention_days: 7 })
}

const summary = (steps: readonly Step[]) =>
  steps.map(({ kind, name, action }) => `${kind} ${name}: ${action}`)

/** The references of the created objects lead to the created objects. */
async function checkTarget(send: Send): Promise<void> {
  type Config = { items: { id: string; name: string }[] }
  const configs = (await send('GET', '/auth_configs')).body as Config
  assert.equal(configs.items.length, 3)
  const servers = (await send('GET', '/mcp/servers')).body as {
    items: { name: string; auth_config_ids: string[]; toolkits: string[] }[]
  }
  const helper = servers.items.find(({ name }) => name === 'Code helper')!
  assert.ok(configs.items.some(({ id, name }) => id === helper.auth_config_ids[0] && name === 'GitHub'))
  assert.deepEqual(helper.toolkits.sort(), ['github', 'hackernews'])
  const hooks = (await send('GET', '/webhook_subscriptions')).body as {
    items: { enabled_events: string[] }[]
  }
  assert.deepEqual(hooks.items[0]?.enabled_events, ['service.connected_account.expired'])
  const saved = (await send('GET', '/tool_router/session_configs')).body as { items: { config: object }[] }
  assert.deepEqual(saved.items[0]?.config, { toolkits: { enable: ['hackernews'] } })
  const sessions = (await send('GET', '/tool_router/session')).body as { items: { session_id: string }[] }
  assert.equal(sessions.items.length, 1)
  const session = (await send('GET', `/tool_router/session/${sessions.items[0]!.session_id}`)).body as {
    config: Record<string, unknown>
    experimental: unknown
  }
  const { config } = session
  assert.deepEqual(
    [config['toolkits'], config['tools'], config['tags'], session.experimental],
    [
      { enabled: ['github', 'hackernews'] },
      { github: { disabled: ['GITHUB_CREATE_AN_ISSUE'] } },
      { disabled: ['destructiveHint'], require_approval: ['createHint'] },
      { permissions: { default: 'ask_once_per_session' } },
    ],
  )
  assert.equal((config['manage_connections'] as { enabled: boolean }).enabled, false)
  assert.equal((config['workbench'] as Record<string, unknown>)['proxy_execution_enabled'], false)
  const settings = (await send('GET', '/org/project/config')).body as Record<string, unknown>
  assert.deepEqual([settings['display_name'], settings['event_retention_days']], ['Billing', 7])
}

test('import: another server is read, its objects are created once, and what is left out is named', async (t) => {
  const s = await twoServers(t)
  await fillProject(s.onSource, 'composio')
  s.writes.length = 0

  const preview = await s.importSteps(SOURCE, '--dry-run')
  assert.equal(s.writes.length, 0, 'a dry run changes nothing')
  assert.ok(summary(preview.steps).includes('auth_configs GitHub (github): create'))
  assert.ok(summary(preview.steps).includes('mcp_servers Code helper: create'))

  const first = await s.importSteps(SOURCE)
  assert.deepEqual(
    s.writes.filter((line: string) => line.includes('source')),
    [],
    'nothing is written to the source',
  )
  assert.equal(first.code, 1, 'an OAuth app without its secret cannot be created')
  assert.deepEqual(summary(first.steps).sort(), [
    'auth_configs GitHub (github): created',
    'auth_configs GitHub (github): created',
    'auth_configs Slack app (slack): failed',
    "connected_accounts github of ada o'neil: connect",
    'mcp_servers Chat helper: skipped',
    'mcp_servers Code helper: created',
    'policies No deletes: created',
    'session_configs News reading: created',
    'sessions of ada: created',
    'settings of the project: created',
    'webhooks https://93.184.216.34/hook: created',
  ])
  const account = first.steps.find(({ kind }) => kind === 'connected_accounts')
  assert.equal(account?.note, String.raw`patchbay connect github --user 'ada o'\''neil'`)

  const credentials = join(s.cwd, 'credentials.json')
  writeFileSync(
    credentials,
    JSON.stringify({ 'Slack app': { client_id: 'client-1', client_secret: 'secret-1' } }),
  )
  const second = await s.importSteps(SOURCE, '--credentials', credentials)
  assert.equal(second.code, 0)
  assert.deepEqual(
    summary(second.steps).filter((line) => line.endsWith('created')),
    ['auth_configs Slack app (slack): created', 'mcp_servers Chat helper: created'],
  )
  const third = await s.importSteps(SOURCE)
  assert.deepEqual(
    summary(third.steps).filter((line) => !line.endsWith('exists')),
    ["connected_accounts github of ada o'neil: connect"],
  )
  await checkTarget(s.onTarget)
})

test('export: the file has no secret, and an import of it equals an import from the server', async (t) => {
  const s = await twoServers(t)
  await fillProject(s.onTarget, 'service')
  const file = join(s.cwd, 'project.json')
  const { code, out } = await s.run('export', 'project.json')
  assert.equal(code, 0)
  assert.match(out, /3 auth configs, 1 connected accounts, 2 mcp servers, 1 policies, 1 webhooks/)
  const text = readFileSync(file, 'utf8')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  for (const secret of [CLIENT_SECRET, CLIENT_SECRET.slice(0, 4), 'ghp_', 'whsec'])
    assert.ok(!text.includes(secret), `the file does not contain ${secret}`)
  const again = await s.run('export', 'project.json')
  assert.equal(again.code, 2)
  assert.match(again.err, /exists already/)

  const own = await s.importSteps('project.json')
  assert.deepEqual(
    own.steps.filter(({ action }) => action !== 'exists'),
    [],
    'a project has everything that it has exported',
  )
  const project = JSON.parse(text) as ProjectFile
  for (const [change, message] of [
    [{ format: 'other' }, /its format is not patchbay-project/],
    [{ version: 2 }, /its version is 2, not 1/],
    [{ policies: {} }, /policies is not a list/],
    [{ webhooks: [{ id: 1 }] }, /webhooks\[0\]\.id is not text/],
  ] as const) {
    writeFileSync(join(s.cwd, 'wrong.json'), JSON.stringify({ ...project, ...change }))
    const wrong = await s.run('import', 'wrong.json')
    assert.equal(wrong.code, 2)
    assert.match(wrong.err, message)
  }
  const missing = await s.run('import', 'absent.json')
  assert.equal(missing.code, 2)
  assert.match(missing.err, /absent\.json cannot be read/)
})

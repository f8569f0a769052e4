import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createAlertRule } from '../../src/contract/alerts.ts'
import { createAuthConfig, readAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { createIncident } from '../../src/contract/incidents.ts'
import { inviteMember } from '../../src/contract/members.ts'
import { createMcpInstance, createMcpServer } from '../../src/contract/mcp-servers/index.ts'
import { setModel } from '../../src/contract/playground.ts'
import { createOrganizationKey, deleteProject } from '../../src/contract/projects/index.ts'
import { createBudget } from '../../src/contract/budgets/index.ts'
import { createPolicy } from '../../src/contract/policies/index.ts'
import { createSavedConfig, createSession } from '../../src/contract/sessions/index.ts'

import { executeTool } from '../../src/contract/tools/index.ts'
import {
  createWebhookEndpoint,
  mergeWebhookEndpoint,
  searchTriggerLogs,
  setTriggerStatus,
  upsertTrigger,
} from '../../src/contract/triggers/index.ts'

import { createWebhook } from '../../src/contract/webhooks/index.ts'
import { sampleImport } from '../fixtures/custom-toolkits.ts'
import { sql, values } from '../../src/platform/db/sql.ts'
import type { Raw } from './send.ts'
import { unique, type World } from './world.ts'

export type Example = (world: World) => Raw | Promise<Raw>

const connection = () => ({
  user_id: `user-${unique()}`,
  alias: `alias-${unique()}`,
  state: { authScheme: 'BEARER_TOKEN', val: { token: 'secret', server_url: 'http://127.0.0.1:9' } },
})

const executed = async ({ own }: World): Promise<string> =>
  (
    await own.call(executeTool, {
      params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' },
      body: { user_id: 'user-1', arguments: { timezone: 'UTC' } },
    })
  ).body.log_id

/** A project has twenty at most, and these calls are made often. */
const noSubscriptions = ({ app: { db }, own }: World) =>
  db.run(sql`delete from webhook_subscriptions where project_id = ${own.project}`)

async function subscription(w: World, url = `https://${unique()}.example.com/hooks`): Promise<string> {
  await noSubscriptions(w)
  return (
    await w.own.call(createWebhook, {
      body: { webhook_url: url, enabled_events: ['service.trigger.message'] },
    })
  ).body.id
}

/** A subscription whose receiver decides about calls. */
async function approvalSubscription(w: World): Promise<string> {
  await noSubscriptions(w)
  const webhook_url = `https://${unique()}.example.com/approvals`
  return (
    await w.own.call(createWebhook, { body: { webhook_url, enabled_events: ['service.approval.requested'] } })
  ).body.id
}

async function event({ app: { db }, own }: World): Promise<string> {
  const id = `evt_${unique()}`
  await db.run(
    sql`insert into events ${values({ id, project_id: own.project, type: 'connected_account.expired', data: '{"id": "ca_1"}' })}`,
  )
  return id
}

const mcpServer = async ({ own }: World, auth_config_ids: string[] = []): Promise<string> =>
  (await own.call(createMcpServer, { body: { name: 'Flow helper', auth_config_ids } })).body.id

/** A project has a hundred at most, and these calls are made often. None of them is about a call of the others. */
const policy = {
  name: 'Refunds',
  outcome: 'ask' as const,
  when: { tools: ['SHOP_REFUND'], user_ids: ['nobody'], arguments: [{ path: 'amount', above: 100 }] },
  message: 'Ask first.',
  approval_seconds: 600,
}
const noPolicies = ({ app: { db }, own }: World) =>
  db.run(sql`delete from policies where project_id = ${own.project}`)
async function policyId(w: World): Promise<string> {
  await noPolicies(w)
  return (await w.own.call(createPolicy, { body: policy })).body.id
}

const alertRule = {
  name: 'Errors of executions',
  condition: 'error_rate' as const,
  threshold: 25,
  window_minutes: 15,
  channel: 'webhook' as const,
  webhook_url: 'http://127.0.0.1:9/alerts',
}
const noAlertRules = ({ app: { db }, own }: World) =>
  db.run(sql`delete from alert_rules where project_id = ${own.project}`)
async function alertRuleId(w: World): Promise<string> {
  await noAlertRules(w)
  return (await w.own.call(createAlertRule, { body: alertRule })).body.id
}

const languageModel = ({ application }: World) => ({
  base_url: `${application.url}/v1`,
  model: 'any',
  api_key: 'sk-example',
})

const budget = {
  name: 'Calls of each user',
  metric: 'calls' as const,
  scope: 'user' as const,
  subject: 'nobody',
  period: 'day' as const,
  amount: 1_000_000,
}
const noBudgets = ({ app: { db }, own }: World) =>
  db.run(sql`delete from budgets where project_id = ${own.project}`)
async function budgetId(w: World): Promise<string> {
  await noBudgets(w)
  return (await w.own.call(createBudget, { body: budget })).body.id
}

async function approval({
  app: { db },
  own,
  encryptor,
}: World): Promise<{ params: { approval_id: string } }> {
  const id = `apr_${unique()}`
  await db.run(
    sql`insert into approvals ${values({
      id,
      project_id: own.project,
      tool_slug: 'SHOP_REFUND',
      toolkit_slug: 'shop',
      version: '20261121_00',
      policy_ids: [],
      choices: ['allow_once', 'deny'],
      seconds: 600,
      log_id: 'log_1',
      binding: Buffer.from(id),
      encrypted_payload: encryptor.encrypt({ amount: 500 }, `approvals:${id}:encrypted_payload`),
      expires_at: sql`now() + interval '10 minutes'`,
    })}`,
  )
  return { params: { approval_id: id } }
}
const savedConfig = async ({ own }: World): Promise<string> =>
  (
    await own.call(createSavedConfig, {
      body: { name: `config-${unique()}`, config: { toolkits: { enable: ['utilities'] } } },
    })
  ).body.id
async function recipe({ app: { db }, own }: World): Promise<string> {
  const id = `rcp_${unique()}`
  await db.run(
    sql`insert into recipes ${values({ id, project_id: own.project, user_id: 'user-1', slug: id.toUpperCase(), name: 'Digest', description: '', version: 1 })}`,
  )
  return id
}
async function memory({ app: { db }, own, encryptor }: World): Promise<string> {
  const id = `mem_${unique()}`
  await db.run(
    sql`insert into user_memories ${values({
      id,
      project_id: own.project,
      user_id: 'user-1',
      toolkit: `toolkit-${unique()}`,
      encrypted_payload: encryptor.encrypt(['The channel is #ops.'], `user_memories:${id}:encrypted_payload`),
    })}`,
  )
  return id
}
const session = async ({ own }: World, more: object = {}): Promise<string> =>
  (
    await own.call(createSession, {
      body: { user_id: 'user-1', toolkits: { enable: ['utilities', 'nodered'] }, ...more },
    })
  ).body.session_id
const CUSTOM = {
  custom_tools: [
    {
      slug: 'COUNT',
      name: 'Count',
      description: 'Counts.',
      input_schema: { type: 'object', properties: {} },
    },
  ],
}

/** As subscriptions, they have a bound. */
const noEndpoints = ({ app: { db }, own }: World) =>
  db.run(sql`delete from webhook_endpoints where project_id = ${own.project}`)

/** An address for the events of an app, with its secret. */
async function endpoint(w: World): Promise<string> {
  await noEndpoints(w)
  const { call } = w.own
  const { body } = await call(createWebhookEndpoint, { body: { toolkit_slug: 'slack', client_id: unique() } })
  await call(mergeWebhookEndpoint, {
    params: { nano_id: body.id },
    body: { data: { signing_secret: 'signing-secret-1' } },
  })
  return body.id
}

/** A trigger type that polls, with an account of its own at an application that answers. */
async function triggerOf({ own, application }: World): Promise<Raw> {
  const state = { authScheme: 'BEARER_TOKEN', val: { token: 'secret', server_url: application.url } }
  const { body } = await own.call(createConnectedAccount, {
    body: {
      auth_config: { id: own.authConfig },
      connection: { user_id: `user-${unique()}`, state } as never,
    },
  })
  return {
    params: { slug: 'NODERED_FLOW_ADDED' },
    body: {
      connected_account_id: body.id,
      trigger_config: { interval: 15 },
      toolkit_versions: { nodered: 'latest' },
    },
  }
}
const trigger = async (w: World): Promise<string> =>
  (await w.own.call(upsertTrigger, (await triggerOf(w)) as never)).body.trigger_id

/** One realistic call of every operation that is built; it succeeds, and may be made again. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  'projects.createDemo': () => ({}),
  'projects.create': () => ({
    body: {
      name: `p-${unique()}`,
      should_create_api_key: true,
      config: {
        is_2FA_enabled: true,
        mask_secret_keys_in_connected_account: true,
        log_visibility_setting: 'show_all',
      },
    },
  }),
  'audit.list': () => ({ query: { object_type: 'auth_config', limit: 5 } }),
  'audit.listOrganization': () => ({ query: { outcome: 'success', limit: 5 } }),
  'audit.export': () => ({ query: { format: 'csv', limit: 5 } }),
  'audit.exportOrganization': () => ({ query: { limit: 5 } }),
  'audit.verify': () => ({}),
  'audit.verifyOrganization': () => ({}),
  'incidents.create': () => ({ body: { user_id: `nobody-${unique()}`, reason: 'a test' } }),
  'incidents.list': () => ({ query: { limit: 5 } }),
  'incidents.read': async ({ org }) => ({
    params: { incident_id: (await org(createIncident, { body: { user_id: 'nobody' } })).body.id },
  }),
  'projects.list': () => ({ query: { limit: 5 } }),
  'projects.read': ({ own }) => ({ params: { nano_id: own.project } }),
  'projects.delete': async ({ project }) => ({ params: { nano_id: (await project()).id } }),
  'projects.readDeletion': async ({ project, org }) => {
    const params = { nano_id: (await project()).id }
    await org(deleteProject, { params })
    return { params }
  },
  'projects.regenerateApiKey': async ({ project }) => ({ params: { nano_id: (await project()).id } }),
  'projectKeys.create': ({ own }) => ({
    params: { nano_id: own.project },
    body: { name: 'reader', permissions: { tools: ['read'] }, allowed_ips: ['10.0.0.0/8', '::1'] },
  }),
  'projectKeys.list': ({ own }) => ({ params: { nano_id: own.project } }),
  'projectKeys.delete': async ({ own, projectKey }) => ({
    params: { nano_id: own.project, key_id: (await projectKey(own.project)).id },
  }),
  'projectKeys.rotate': async ({ own, projectKey }) => ({
    params: { nano_id: own.project, key_id: (await projectKey(own.project)).id },
    body: { overlap_seconds: 60 },
  }),
  'orgKeys.create': () => ({ body: { name: 'usage', permissions: { usage: ['read'] } } }),
  'orgKeys.list': () => ({}),
  'orgKeys.rotate': async (w) => ({ params: await organizationKey(w), body: { overlap_seconds: 60 } }),
  'orgKeys.delete': async (w) => ({ params: await organizationKey(w) }),
  'members.list': () => ({}),
  'members.invite': ({ own }) => ({ body: memberDraft(own.project) }),
  'members.update': async (w) => ({ params: await member(w), body: { name: 'Grace H.', role: 'admin' } }),
  'members.createLink': async (w) => ({ params: await member(w) }),
  'members.delete': async (w) => ({ params: await member(w) }),
  'projectConfig.read': () => ({}),
  'projectConfig.update': () => ({
    body: {
      display_name: 'Acme',
      logo_url: 'https://acme.example/logo.png',
      signed_url_file_expiry_in_seconds: 600,
    },
  }),
  'session.info': () => ({}),
  'migration.getNanoid': async ({ own }) => ({
    query: {
      uuid: (await own.call(readAuthConfig, { params: { nanoid: own.authConfig } })).body.uuid,
      type: 'AUTH_CONFIG',
    },
  }),
  'toolkits.import': () => ({
    body: {
      content: {
        openapi: '3.0.3',
        info: { title: 'Shop', version: '1' },
        servers: [{ url: 'https://api.shop.example' }],
        paths: { '/things': { get: { operationId: `list${unique()}`, responses: {} } } },
      },
      slug: 'swept_shop',
      auth: { type: 'api_key', in: 'header', name: 'X-Key' },
    },
  }),
  'toolkits.list': () => ({ query: { sort_by: 'alphabetically', limit: 3 } }),
  'toolkits.multi': () => ({ body: { toolkits: ['gmail', 'github'], limit: 10 } }),
  'toolkits.categories': () => ({}),
  'toolkits.changelog': () => ({}),
  'toolkits.read': () => ({ params: { slug: 'nodered' }, query: { version: 'latest' } }),
  'toolkits.setup': () => ({ params: { slug: 'github' } }),
  'toolkits.versions': () => ({ params: { slug: 'gmail' } }),
  'toolkits.delete': async ({ app, own }) => {
    await app.customToolkits.put(
      own.project,
      sampleImport('wares', [['WARES_COUNT', 'Count crates']]),
      { kind: 'openapi' },
      Date.now(),
    )
    return { params: { slug: 'wares' } }
  },
  'tools.list': () => ({ query: { toolkit_slug: ['utilities'], limit: 50 } }),
  'tools.enum': () => ({}),
  'tools.read': () => ({ params: { tool_slug: 'GMAIL_SEND_EMAIL' } }),
  'tools.scopesRequired': () => ({ body: { tools: ['GMAIL_SEND_EMAIL'] } }),
  'tools.execute': () => ({
    params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' },
    body: { user_id: 'user-1', arguments: { timezone: 'Europe/Paris' } },
    headers: { 'x-llm-gateway-headers': '{}' },
  }),
  'tools.input': () => ({
    params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' },
    body: { text: 'what time is it', custom_description: 'Tells the time.' },
    headers: { 'x-llm-gateway-headers': '{"x-team": "a"}' },
  }),
  'tools.proxy': async ({ own, application }) => {
    const state = { authScheme: 'BEARER_TOKEN', val: { token: 'secret', server_url: application.url } }
    const { body } = await own.call(createConnectedAccount, {
      body: {
        auth_config: { id: own.authConfig },
        connection: { user_id: `user-${unique()}`, state } as never,
      },
    })
    return {
      body: {
        connected_account_id: body.id,
        endpoint: '/flows',
        method: 'POST',
        body: { a: 1 },
        parameters: [{ name: 'page', type: 'query', value: '1' }],
      },
    }
  },
  'files.list': () => ({ query: { toolkit_slug: 'gmail', limit: 5 } }),
  'files.upload': () => ({
    body: {
      toolkit_slug: 'gmail',
      tool_slug: 'GMAIL_SEND_EMAIL',
      filename: 'a.txt',
      mimetype: 'text/plain',
      md5: '0cc175b9c0f1b6a831c399e269772661',
    },
  }),
  'logs.search': () => ({
    body: {
      limit: 50,
      cursor: null,
      filters: [
        { field: 'toolkit_slug', operator: '==', value: 'utilities' },
        { field: 'status', operator: '!=', value: 'failed' },
      ],
      time_range: { from: 1_767_225_600_000, to: 4_102_444_800_000 },
    },
  }),
  'logs.stream': () => ({ query: { last_event_id: '0', toolkit_slug: 'utilities', status: 'success' } }),
  'logs.export': () => ({ body: { format: 'csv', limit: 50, cursor: null } }),
  'logs.show': async (w) => ({ params: { id: await executed(w) } }),
  'logs.internal': () => ({
    body: {
      cursor: null,
      limit: 20,
      case_sensitive: false,
      from: 1_767_225_600_000,
      search_params: [{ field: 'tool_key', operation: 'contains', value: 'TIME' }],
    },
  }),
  'logs.internalFields': () => ({}),
  'logs.internalRead': async (w) => ({ params: { id: await executed(w) } }),
  'metrics.query': () => ({
    body: {
      metric: 'latency',
      quantile: 0.5,
      bucket: '5m',
      group_by: 'tool_slug',
      limit: 5,
      filters: [{ field: 'toolkit_slug', operator: '==', value: 'utilities' }],
    },
  }),
  'overview.show': () => ({ query: { range: '7d' } }),
  'projects.export': () => ({ body: { limit: 5, cursor: null } }),
  'users.list': () => ({ query: { search: 'user', limit: 10 } }),
  'users.show': async (w) => {
    await executed(w)
    return { params: { user_id: 'user-1' } }
  },
  'users.export': () => ({ params: { user_id: 'user-1' }, body: { limit: 5 } }),
  'users.delete': async (w) => {
    const user = `user-${unique()}`
    await w.own.call(createSession, { body: { user_id: user } })
    return { params: { user_id: user } }
  },
  'connectedAccounts.history': ({ own }) => ({ params: { nanoid: own.account } }),
  'usage.summary': () => ({
    body: { from: 1_767_225_600_000, entity_types: ['tool_calls'], filters: { user_id: ['user-1'] } },
  }),
  'usage.entity': () => ({
    params: { entity_type: 'tool_calls' },
    body: { group_by: 'user_id', order_by: 'event_count', order_direction: 'asc', limit: 10 },
  }),
  'usage.orgSummary': ({ own }) => ({ body: { filters: { project_id: [own.project], session_id: null } } }),
  'usage.orgEntity': () => ({ params: { entity_type: 'sessions' }, body: { group_by: 'project_id' } }),
  'tools.responsePage': async ({ app, keys, encryptor }) => {
    const id = `rsp_${unique()}`
    const encryptedPayload = encryptor.encrypt(
      [{ data: { items: [1] }, begins_at: 'items[4]' }],
      `response_pages:${id}.0:encrypted_payload`,
    )
    await app.db.run(
      sql`insert into response_pages ${values({ id: `${id}.0`, project_id: keys.projectId, response_id: id, first_page: 2, last_page: 2, encrypted_payload: encryptedPayload, expires_at: sql`now() + interval '1 hour'` })}`,
    )
    return { params: { response_id: id }, query: { page: 2 } }
  },
  'logs.triggers': () => ({
    body: {
      time: '1d',
      status: 'all',
      search: 'FLOW',
      entityId: 'user-1',
      limit: 5,
      cursor: null,
      include_payload: true,
      search_params: [{ field: 'trigger_name', operation: 'contains', value: 'FLOW' }],
    },
  }),
  'logs.triggerRead': async (w) => {
    const id = await trigger(w)
    await w.own.call(setTriggerStatus, { params: { trigger_id: id }, body: { status: 'disable' } })
    return {
      params: { id: (await w.own.call(searchTriggerLogs, { body: { search: id } })).body.data[0]?.id ?? '' },
    }
  },
  'triggerTypes.list': () => ({
    query: { toolkit_slugs: ['github', 'nodered'], toolkit_versions: 'latest', limit: 5 },
  }),
  'triggerTypes.enum': () => ({}),
  'triggerTypes.read': () => ({
    params: { slug: 'github_issue_added_event' },
    query: { toolkit_versions: 'latest' },
  }),
  'realtime.credentials': () => ({}),
  'realtime.auth': ({ own }) => ({
    body: { socket_id: '81240.52013', channel_name: `private-${own.project}_triggers` },
  }),
  'triggers.upsert': triggerOf,
  'triggers.active': async (w) => ({
    query: {
      trigger_ids: [await trigger(w)],
      trigger_names: ['nodered_flow_added'],
      show_disabled: true,
      user_ids: ['user-1'],
      limit: 5,
    },
  }),
  'triggers.setStatus': async (w) => ({
    params: { trigger_id: await trigger(w) },
    body: { status: 'disable' },
  }),
  'triggers.test': async (w) => ({ params: { trigger_id: await trigger(w) }, body: {} }),
  'triggers.delete': async (w) => ({ params: { trigger_id: await trigger(w) } }),
  'mcp.list': () => ({
    query: {
      name: 'flow',
      toolkits: ['nodered'],
      order_by: 'created_at',
      order_direction: 'asc',
      page_no: 1,
      limit: 5,
    },
  }),
  'mcp.listForApp': () => ({ params: { app_key: 'nodered' }, query: { limit: 5 } }),
  'mcp.create': ({ own }) => ({
    body: {
      name: 'Flow helper',
      auth_config_ids: [own.authConfig],
      no_auth_apps: ['utilities'],
      allowed_tools: ['NODERED_GET_FLOW'],
      managed_auth_via_service: true,
    },
  }),
  'mcp.createCustom': ({ own }) => ({
    body: {
      name: 'Flow helper',
      auth_config_ids: [own.authConfig],
      toolkits: ['utilities'],
      allowed_tools: ['NODERED_GET_FLOW'],
      managed_auth_via_service: false,
    },
  }),
  'mcp.generate': async (w) => ({
    body: {
      mcp_server_id: await mcpServer(w),
      managed_auth_by_service: true,
      user_ids: ['user-1'],
      connected_account_ids: [w.own.account],
    },
  }),
  'mcp.read': async (w) => ({ params: { id: await mcpServer(w) } }),
  'mcp.clientConfigs': async (w) => ({
    params: { server_id: await mcpServer(w) },
    query: { auth: 'key', user_id: 'user-1' },
  }),
  'mcp.update': async (w) => ({
    params: { id: await mcpServer(w) },
    body: {
      name: 'Other name',
      toolkits: ['utilities'],
      allowed_tools: [],
      managed_auth_via_service: false,
      auth_config_ids: [w.own.authConfig],
    },
  }),
  'mcp.delete': async (w) => ({ params: { id: await mcpServer(w) } }),
  'mcp.createSignInLink': async (w) => ({ body: { mcp_server_id: await mcpServer(w), user_id: 'user-1' } }),
  'mcp.listClientGrants': () => ({ query: { user_id: 'user-1', limit: 5 } }),
  'mcp.deleteClientGrant': async ({ app: { db }, own }) => {
    const id = `mcg_${unique()}`
    await db.run(
      sql`insert into mcp_grants ${values({ id, project_id: own.project, resource_kind: 'mcp_server', resource_id: unique(), user_id: 'user-1', client_id: 'mcc_1' })}`,
    )
    return { params: { grant_id: id } }
  },
  'mcp.listInstances': async (w) => ({
    params: { server_id: await mcpServer(w) },
    query: { search: 'user', limit: 5 },
  }),
  'mcp.createInstance': async (w) => ({
    params: { server_id: await mcpServer(w) },
    body: { user_id: 'user-1' },
  }),
  'mcp.deleteInstance': async (w) => {
    const id = await mcpServer(w)
    await w.own.call(createMcpInstance, { params: { server_id: id }, body: { user_id: 'user-1' } })
    return { params: { server_id: id, instance_id: 'user-1' } }
  },
  'sessions.create': ({ own }) => ({
    body: {
      user_id: 'user-1',
      toolkits: { enable: ['utilities', 'nodered'] },
      auth_configs: { nodered: own.authConfig },
      manage_connections: { enable: true, callback_url: 'https://app.example.com/done' },
      tools: { nodered: { tags: { enable: ['readOnlyHint'] } } },
      tags: { disable: ['destructiveHint'] },
      workbench: { sandbox_size: 'medium', auto_offload_threshold: 15_000 },
      multi_account: { enable: true, max_accounts_per_toolkit: 3 },
      preload: { tools: ['UTILITIES_GET_CURRENT_TIME'] },
      search: { enable: true },
      execute: { enable_multi_execute: true },
      experimental: { assistive_prompt_config: { user_timezone: 'Europe/Lisbon' }, ...CUSTOM },
    },
  }),
  'recipes.list': () => ({ query: { user_id: 'user-1', limit: 5 } }),
  'recipes.delete': async (w) => ({ params: { recipe_id: await recipe(w) } }),
  'memories.list': async (w) => {
    await memory(w)
    return { query: { user_id: 'user-1', limit: 5 } }
  },
  'memories.delete': async (w) => ({ params: { memory_id: await memory(w) } }),
  'sessionConfigs.create': () => ({
    body: {
      name: `config-${unique()}`,
      description: 'Only reads.',
      config: { toolkits: { enable: ['utilities'] }, tags: { enable: ['readOnlyHint'] } },
    },
  }),
  'sessionConfigs.list': () => ({ query: { search: 'config', archived: false, limit: 5 } }),
  'sessionConfigs.read': async (w) => ({ params: { config_id: await savedConfig(w) } }),
  'sessionConfigs.update': async (w) => ({
    params: { config_id: await savedConfig(w) },
    body: {
      name: `config-${unique()}`,
      description: 'Other.',
      config: { tools: { utilities: { enable: ['UTILITIES_CALCULATE'] } } },
      archived: true,
    },
  }),
  'sessions.createLabs': () => ({
    body: {
      user_id: `user-${unique()}`,
      config: { manually_manage_connections: false, toolkits: [{ toolkit: 'utilities' }] },
    },
  }),
  'sessions.list': async (w) => {
    await session(w)
    return { query: { user_id: 'u1', limit: 5 } }
  },
  'sessions.read': async (w) => ({ params: { session_id: await session(w) } }),
  'sessions.untrustedSources': async (w) => ({ params: { session_id: await session(w) } }),
  'sessions.addUntrustedSource': async (w) => ({
    params: { session_id: await session(w) },
    body: { category: 'mail', note: 'The mail that started the agent' },
  }),
  'sessions.clientConfigs': async (w) => ({
    params: { session_id: await session(w) },
    query: { auth: 'key' },
  }),
  'sessions.update': async (w) => ({
    params: { session_id: await session(w) },
    body: { toolkits: { enable: ['utilities'] }, workbench: { sandbox_size: 'large' }, tags: null },
  }),
  'sessions.delete': async (w) => ({ params: { session_id: await session(w) } }),
  'sessions.attach': async (w) => ({
    params: { session_id: await session(w) },
    body: { experimental: CUSTOM },
  }),
  'sessions.configHistory': async (w) => ({ params: { session_id: await session(w) }, query: { limit: 5 } }),
  'sessions.tools': async (w) => ({ params: { session_id: await session(w) }, query: { limit: 5 } }),
  'sessions.toolkits': async (w) => ({
    params: { session_id: await session(w) },
    query: { toolkits: ['nodered'], is_connected: false, search: 'node', limit: 5 },
  }),
  'sessions.execute': async (w) => ({
    params: { session_id: await session(w) },
    body: {
      tool_slug: 'UTILITIES_GET_CURRENT_TIME',
      arguments: { timezone: 'UTC' },
      enable_auto_workbench_offload: true,
    },
  }),
  'sessions.executeMeta': async (w) => ({
    params: { session_id: await session(w) },
    body: { slug: 'SERVICE_SEARCH_TOOLS', arguments: { queries: [{ use_case: 'what time is it' }] } },
  }),
  'sessions.search': async (w) => ({
    params: { session_id: await session(w) },
    body: {
      queries: [{ use_case: 'what time is it', known_fields: 'zone:UTC' }],
      toolkits: ['utilities'],
      model: 'any',
      search_strategy: 'tool_search',
    },
  }),
  'sessions.mountItems': async (w) => ({
    params: { session_id: await session(w), mount: 'files' },
    query: { mount_relative_prefix: 'out/', limit: 5 },
  }),
  'sessions.mountUpload': async (w) => ({
    params: { session_id: await session(w), mount: 'files' },
    body: { mount_relative_path: 'in/data.csv', mimetype: 'text/csv' },
  }),
  'sessions.mountDownload': async (w) => {
    const id = await session(w)
    await w.app.files.mounts.write(
      w.own.project,
      id,
      { path: 'out/report.pdf', mimetype: 'application/pdf', bytes: Buffer.from('a') },
      60,
    )
    return { params: { session_id: id, mount: 'files' }, body: { mount_relative_path: 'out/report.pdf' } }
  },
  'sessions.mountDelete': async (w) => ({
    params: { session_id: await session(w), mount: 'files' },
    body: { mount_relative_path: 'out/report.pdf' },
  }),
  'sessions.link': async (w) => ({
    params: { session_id: await session(w, { auth_configs: { nodered: await w.authConfig() } }) },
    body: { toolkit: 'nodered', callback_url: 'https://app.example.com/done', alias: `alias-${unique()}` },
  }),
  'sessions.proxy': async (w) => {
    const state = { authScheme: 'BEARER_TOKEN', val: { token: 'secret', server_url: w.application.url } }
    const { body } = await w.own.call(createConnectedAccount, {
      body: { auth_config: { id: await w.authConfig() }, connection: { user_id: 'user-1', state } as never },
    })
    return {
      params: { session_id: await session(w, { connected_accounts: { nodered: body.id } }) },
      body: {
        toolkit_slug: 'nodered',
        endpoint: '/flows',
        method: 'POST',
        body: { a: 1 },
        parameters: [{ name: 'page', type: 'query', value: '1' }],
      },
    }
  },
  'authConfigs.list': () => ({ query: { toolkit_slug: ['nodered'], show_disabled: true } }),
  'authConfigs.create': () => ({
    body: {
      toolkit: { slug: 'nodered' },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: 'BEARER_TOKEN',
        name: 'Flows',
        credentials: { note: 'n' },
        shared_credentials: { server_url: 'http://127.0.0.1:9' },
        tool_access_config: { tools_available_for_execution: ['NODERED_GET_FLOW'] },
        proxy_config: { proxy_url: 'http://127.0.0.1:8', proxy_auth_key: 'k' },
        is_enabled_for_tool_router: true,
      },
    },
  }),
  'authConfigs.read': ({ own }) => ({ params: { nanoid: own.authConfig } }),
  'authConfigs.update': ({ own }) => ({
    params: { nanoid: own.authConfig },
    body: {
      type: 'custom',
      name: 'Renamed',
      credentials: { note: 'm' },
      shared_credentials: { server_url: 'http://127.0.0.1:9' },
      proxy_config: null,
      is_enabled_for_tool_router: false,
      tool_access_config: { tools_available_for_execution: [] },
    },
  }),
  'authConfigs.delete': async ({ authConfig }) => ({ params: { nanoid: await authConfig() } }),
  'authConfigs.setStatus': async ({ authConfig }) => ({
    params: { nanoid: await authConfig(), status: 'DISABLED' },
  }),
  'connectedAccounts.create': ({ own }) => ({
    body: { auth_config: { id: own.authConfig }, connection: connection(), validate_credentials: false },
  }),
  'connectedAccounts.link': ({ own }) => ({
    body: {
      auth_config_id: own.authConfig,
      user_id: 'user-1',
      callback_url: 'https://app.example.com/done',
      connection_data: { server_url: 'http://127.0.0.1:9' },
      alias: `alias-${unique()}`,
    },
  }),
  'connectedAccounts.list': () => ({
    query: { statuses: ['ACTIVE'], order_by: 'updated_at', order_direction: 'asc', account_type: 'ALL' },
  }),
  'connectedAccounts.read': ({ own }) => ({ params: { nanoid: own.account } }),
  'connectedAccounts.exchanges': ({ own }) => ({ params: { nanoid: own.account } }),
  'connectedAccounts.update': ({ own }) => ({
    params: { nanoid: own.account },
    body: {
      alias: `alias-${unique()}`,
      connection: { state: { authScheme: 'BEARER_TOKEN', val: { token: 'other' } } },
      experimental: {
        account_type: 'SHARED',
        acl_config_for_shared: {
          allow_all_users: false,
          allowed_user_ids: ['user-2'],
          not_allowed_user_ids: [],
        },
      },
    },
  }),
  'connectedAccounts.setStatus': ({ own }) => ({ params: { nanoid: own.account }, body: { enabled: true } }),
  'connectedAccounts.delete': async ({ account, own }) => ({
    params: { nanoid: await account(own.call, own.authConfig) },
    query: { revoke_on_delete: true },
  }),
  'connectedAccounts.refresh': async ({ own }) => {
    const credentials = { client_id: 'id', client_secret: 'secret' }
    const config = await own.call(createAuthConfig, {
      body: {
        toolkit: { slug: 'gmail' },
        auth_config: { type: 'use_custom_auth', authScheme: 'OAUTH2', credentials },
      },
    })
    const made = await own.call(createConnectedAccount, {
      body: {
        auth_config: config.body.auth_config,
        connection: { state: { authScheme: 'OAUTH2', val: { status: 'ACTIVE', access_token: 'a' } } },
      },
    })
    return {
      params: { nanoid: made.body.id },
      body: { redirect_url: 'https://app.example/done', validate_credentials: false },
    }
  },
  'connectedAccounts.completeAuth': async ({ app, account, own, encryptor }) => {
    const [id, session] = [
      await account(own.call, own.authConfig),
      `session_${unique()}${unique()}${'x'.repeat(8)}`,
    ]
    const row = await app.db.one<{ project_id: string; user_id: string }>(
      sql`update connected_accounts set status = 'INITIATED' where id = ${id} returning project_id, user_id`,
    )
    const pendingId = `cw_${unique()}`
    const grant = {
      kind: 'connect',
      replacesAll: false,
      credentials: { token: 'secret' },
      expiresAt: null,
      scopes: null,
      step: 0,
      isFromProvider: true,
    }
    await app.db.run(
      sql`insert into pending_connections ${values({
        id: pendingId,
        project_id: row?.project_id,
        connected_account_id: id,
        waits_for: 'confirmation',
        key_hash: createHash('sha256').update(session).digest(),
        encrypted_payload: encryptor.encrypt(
          { grant, what: '', choices: [] },
          `pending_connections:${pendingId}:encrypted_payload`,
        ),
        expires_at: sql`now() + interval '1 minute'`,
      })}`,
    )
    return { body: { session_uri: session, user_id: row?.user_id } }
  },
  'webhookEndpoints.list': async (w) => {
    await endpoint(w)
    return { query: { toolkit_slug: 'slack' } }
  },
  'webhookEndpoints.create': async (w) => {
    await noEndpoints(w)
    return { body: { toolkit_slug: 'slack', client_id: unique() } }
  },
  'webhookEndpoints.schema': () => ({ query: { toolkit_slug: 'slack' } }),
  'webhookEndpoints.read': async (w) => ({ params: { nano_id: await endpoint(w) } }),
  'webhookEndpoints.merge': async (w) => ({
    params: { nano_id: await endpoint(w) },
    body: { data: { signing_secret: 'merged-secret-1' } },
  }),
  'webhookEndpoints.replace': async (w) => ({
    params: { nano_id: await endpoint(w) },
    body: { data: { signing_secret: 'another-secret-1' } },
  }),
  'webhookEndpoints.delete': async (w) => ({ params: { nano_id: await endpoint(w) } }),
  'webhooks.create': async (w) => {
    await noSubscriptions(w)
    return {
      body: {
        webhook_url: `https://${unique()}.example.com/hooks`,
        enabled_events: ['service.trigger.message', 'service.connected_account.expired'],
        version: 'V3',
      },
    }
  },
  'budgets.create': async (w) => {
    await noBudgets(w)
    return { body: budget }
  },
  'budgets.list': () => ({ query: { limit: 5 } }),
  'budgets.read': async (w) => ({ params: { budget_id: await budgetId(w) } }),
  'budgets.update': async (w) => ({
    params: { budget_id: await budgetId(w) },
    body: { name: 'Calls', amount: 2_000_000, enabled: false },
  }),
  'budgets.delete': async (w) => ({ params: { budget_id: await budgetId(w) } }),
  'alerts.list': () => ({}),
  'alerts.create': async (w) => {
    await noAlertRules(w)
    return { body: alertRule }
  },
  'alerts.update': async (w) => ({
    params: { id: await alertRuleId(w) },
    body: { name: 'Errors', threshold: 30, window_minutes: 60, is_enabled: false },
  }),
  'alerts.delete': async (w) => ({ params: { id: await alertRuleId(w) } }),
  'alerts.test': async (w) => ({ params: { id: await alertRuleId(w) } }),
  'playground.readModel': () => ({}),
  'playground.setModel': (w) => ({ body: languageModel(w) }),
  'playground.deleteModel': () => ({}),
  'playground.chat': async (w) => {
    await w.own.call(setModel, { body: languageModel(w) })
    return {
      body: {
        messages: [{ role: 'user', content: 'What time is it?' }],
        tools: [
          { type: 'function', function: { name: 'TIME', description: 'Tells the time.', parameters: {} } },
        ],
      },
    }
  },
  'system.read': () => ({}),
  'policies.create': async (w) => {
    await noPolicies(w)
    return { body: policy }
  },
  'policies.list': () => ({ query: { limit: 5 } }),
  'policies.check': () => ({
    body: {
      tool_slug: 'GMAIL_SEND_EMAIL',
      arguments: { recipient_email: 'bob@example.com' },
      user_id: 'user-1',
    },
  }),
  'policies.read': async (w) => ({ params: { policy_id: await policyId(w) } }),
  'policies.update': async (w) => ({
    params: { policy_id: await policyId(w) },
    body: { enabled: false, when: { hints: ['destructiveHint'], user_ids: ['nobody'] }, message: null },
  }),
  'policies.delete': async (w) => ({ params: { policy_id: await policyId(w) } }),
  'sessions.decide': async (w) => {
    const { params } = await approval(w)
    const session_id = await session(w)
    await w.app.db.run(sql`update approvals set session_id = ${session_id} where id = ${params.approval_id}`)
    return { params: { session_id, ...params }, body: { decision: 'deny' } }
  },
  'approvals.list': () => ({ query: { status: 'pending', limit: 5 } }),
  'approvals.decisions': () => ({ query: { limit: 5 } }),
  'approvals.read': approval,
  'approvals.approve': approval,
  'approvals.deny': approval,
  'approvals.link': approval,
  'webhooks.list': () => ({ query: { limit: 5 } }),
  'webhooks.deliveries': async (w) => ({
    params: { id: await subscription(w) },
    query: { status: 'dead', limit: 5 },
  }),
  'webhooks.eventTypes': () => ({}),
  'webhooks.read': async (w) => ({ params: { id: await subscription(w) } }),
  'webhooks.update': async (w) => ({
    params: { id: await subscription(w) },
    body: { enabled_events: ['service.trigger.message'], version: 'V2', max_at_once: 4, max_per_second: 100 },
  }),
  'webhooks.delete': async (w) => ({ params: { id: await subscription(w) } }),
  'webhooks.rotateSecret': async (w) => ({
    params: { id: await subscription(w) },
    body: { overlap_hours: 1 },
  }),
  'webhooks.rotateApprovalSecret': async (w) => ({ params: { id: await approvalSubscription(w) } }),
  'webhooks.test': async (w) => ({ params: { id: await subscription(w, w.application.url) } }),
  'webhooks.readProject': async (w) => {
    await subscription(w)
    return {}
  },
  'webhooks.updateProject': async (w) => {
    await noSubscriptions(w)
    return { body: { webhook_url: `https://${unique()}.example.com/hooks`, webhook_version: 'V1' } }
  },
  'webhooks.refreshProject': async (w) => {
    await subscription(w)
    return { body: {} }
  },
  'webhooks.deleteProject': async (w) => {
    await subscription(w)
    return {}
  },
  'events.list': () => ({ query: { delivery_status: 'dead', limit: 5 } }),
  'events.show': async (w) => ({ params: { event_id: await event(w) } }),
  'events.stream': () => ({
    query: { last_event_id: '0', event_types: 'service.trigger.message', trigger_ids: 'ti_1,ti_2' },
  }),
  'events.replay': async (w) => ({ body: { event_ids: [await event(w)], only_dead: false } }),
  // The provider is not asked again about what has been revoked.
  'connectedAccounts.revoke': async ({ app, account, own }) => {
    const nanoid = await account(own.call, own.authConfig)
    await app.db.run(sql`update connected_accounts set status = 'REVOKED' where id = ${nanoid}`)
    return { params: { nanoid } }
  },
}

const memberDraft = (project: string) => ({
  email: `${unique()}@example.com`,
  name: 'Grace',
  role: 'member' as const,
  projects: [{ project_id: project, role: 'viewer' as const }],
})

/** A new key of the organization, as parameters of its operations. */
async function organizationKey({ org }: World): Promise<{ key_id: string }> {
  const { body } = await org(createOrganizationKey, { body: { permissions: { usage: ['read'] } } })
  return { key_id: body.id }
}

/** A new member of the organization, as parameters of its operations. */
async function member({ org, own }: World): Promise<{ member_id: string }> {
  const { body } = await org(inviteMember, { body: memberDraft(own.project) })
  return { member_id: body.member.id }
}

/** The example of an operation. @throws when it has none: a new operation has to be given one. */
export function exampleOf(id: string, world: World): Promise<Raw> {
  const example = EXAMPLES[id]
  assert.ok(example, `${id} is built but has no call in test/contract/examples.ts`)
  return Promise.resolve(example(world))
}

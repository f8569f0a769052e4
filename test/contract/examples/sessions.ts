import { createConnectedAccount } from '../../../src/contract/connected-accounts/index.ts'
import { createSavedConfig } from '../../../src/contract/sessions/index.ts'
import { sql, values } from '../../../src/platform/db/sql.ts'
import { unique, type World } from '../world.ts'
import { type Example, approval, session } from './samples.ts'

const savedConfig = async ({ own }: World): Promise<string> =>
  (
    await own.call(createSavedConfig, {
      body: { name: `config-${unique()}`, config: { toolkits: { enable: ['utilities'] } } },
    })
  ).body.id

async function recipe({ app: { db }, own }: World): Promise<string> {
  const id = `rcp_${unique()}`
  await db.run(
    sql`insert into recipes ${values({
      id,
      project_id: own.project,
      user_id: 'user-1',
      slug: id.toUpperCase(),
      name: 'Digest',
      description: '',
      version: 1,
    })}`,
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
      encrypted_payload: encryptor.encryptWithRing(
        ['The channel is #ops.'],
        `user_memories:${id}:encrypted_payload`,
      ),
    })}`,
  )
  return id
}

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

/** Calls of the operations of sessions, their saved configs, recipes and memories. */
export const SESSIONS_EXAMPLES: Readonly<Record<string, Example>> = {
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
  'sessions.decide': async (w) => {
    const { params } = await approval(w)
    const session_id = await session(w)
    await w.app.db.run(sql`update approvals set session_id = ${session_id} where id = ${params.approval_id}`)
    return { params: { session_id, ...params }, body: { decision: 'deny' } }
  },
}

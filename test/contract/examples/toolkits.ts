import { createConnectedAccount } from '../../../src/contract/connected-accounts/index.ts'
import { prepare, sampleImport } from '../../fixtures/custom-toolkits.ts'
import { sql, values } from '../../../src/platform/db/sql.ts'
import { unique, type World } from '../world.ts'
import type { Example } from './samples.ts'

async function putWares({ app, own }: World): Promise<void> {
  const imported = sampleImport('wares', [['WARES_COUNT', 'Count crates']])
  await app.customToolkits.put(
    own.project,
    await prepare(app, own.project, imported),
    { kind: 'openapi' },
    Date.now(),
  )
}

/** Calls of the operations of toolkits, tools and files. */
export const TOOLKITS_EXAMPLES: Readonly<Record<string, Example>> = {
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
  'toolkits.exportVersion': async (world) => {
    await putWares(world)
    return { params: { slug: 'wares', version: 'latest' } }
  },
  'toolkits.delete': async (world) => {
    await putWares(world)
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
  'tools.responsePage': async ({ app, keys, encryptor }) => {
    const id = `rsp_${unique()}`
    const encryptedPayload = encryptor.encryptWithRing(
      [{ data: { items: [1] }, begins_at: 'items[4]' }],
      `response_pages:${id}.0:encrypted_payload`,
    )
    await app.db.run(
      sql`insert into response_pages ${values({
        id: `${id}.0`,
        project_id: keys.projectId,
        response_id: id,
        first_page: 2,
        last_page: 2,
        encrypted_payload: encryptedPayload,
        expires_at: sql`now() + interval '1 hour'`,
      })}`,
    )
    return { params: { response_id: id }, query: { page: 2 } }
  },
}

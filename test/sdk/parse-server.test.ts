import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthScheme } from '@composio/core'
import { clonedDatabase } from '../fixtures/clone.ts'
import { startParseServer } from '../fixtures/real-applications/parse-server.ts'
import { stockSdk } from './stock-sdk.ts'

test('the SDK connects a real Parse Server, and what its tools create is there to be queried', async (t) => {
  const parse = await startParseServer({ databaseUrl: await clonedDatabase(t, 'template0') })
  t.after(() => parse.stop())
  const { composio } = await stockSdk(t)
  const [toolkit] = (await composio.toolkits.get({ category: 'databases' })).map(({ slug }) => slug)
  const authConfig = await composio.authConfigs.create(toolkit ?? '', {
    type: 'use_custom_auth',
    authScheme: 'API_KEY',
    credentials: {},
  })
  const connect = (userId: string, key: string) =>
    composio.connectedAccounts.initiate(userId, authConfig.id, {
      config: AuthScheme.APIKey({
        generic_api_key: key,
        ...{ server_url: parse.url, application_id: parse.applicationId, master_key: parse.masterKey },
      }),
    })
  const { id } = await connect('ada', parse.restApiKey)
  assert.equal((await composio.connectedAccounts.waitForConnection(id)).status, 'ACTIVE')
  const run = async (slug: string, args: Record<string, unknown>) => {
    const { version = '' } = await composio.tools.getRawComposioToolBySlug(slug)
    return composio.tools.execute(slug, { userId: 'ada', version, arguments: args })
  }
  const created = await run('PARSE_CREATE_OBJECT', { class_name: 'Game', data: { title: 'Go', players: 2 } })
  assert.deepEqual([created.successful, created.error], [true, null])
  const read = await run('PARSE_GET_OBJECT', { class_name: 'Game', object_id: created.data['objectId'] })
  assert.deepEqual([read.data['title'], read.data['players']], ['Go', 2])
  const missing = await run('PARSE_GET_OBJECT', { class_name: 'Game', object_id: 'nowhere' })
  assert.deepEqual([missing.successful, missing.data['status_code']], [false, 404])
  assert.match(missing.error ?? '', /Object not found/)
})

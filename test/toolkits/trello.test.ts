import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuiltInToolkit } from '../fixtures/built-in-toolkits.ts'
import { startConnectedAccountsApp } from '../fixtures/connected-accounts.ts'

const { toolkit: trello } = await readBuiltInToolkit('trello')

const keyStage = async (t: Parameters<typeof startConnectedAccountsApp>[0]) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [trello.auth[0]],
    toolkit: { errors: trello.errors, error_message: trello.error_message },
  })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'key-1',
    api_token: 'token-1',
  })
  return { s, id }
}

test('key and token go into the query', async (t) => {
  const { s } = await keyStage(t)
  await s.callTool()
  const { query } = s.stub.requests.at(-1)!
  assert.deepEqual([query.get('key'), query.get('token')], ['key-1', 'token-1'])
})

test('a board that the user may not see is no reason to connect again, a token that ended is', async (t) => {
  const { s, id } = await keyStage(t)
  s.stub.answer = () => ({ status: 401, text: 'unauthorized card permission requested' })
  assert.match((await s.callTool()).body.error ?? '', /unauthorized card permission requested/)
  assert.equal((await s.accountRow(id)).auth_failures, 0)
  s.stub.answer = () => ({ status: 401, text: 'invalid token' })
  await s.callTool()
  assert.equal((await s.accountRow(id)).auth_failures, 1)
})

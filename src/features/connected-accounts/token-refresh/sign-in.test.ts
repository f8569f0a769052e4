import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { executeTool } from '../../../contract/tools/index.ts'
import { form, requestsTo, SIGN_IN, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

test('sign-in: one session is used, refreshed before its end and after a 401; a password erases it', async (t) => {
  let sessions = 0
  let good = ''
  const s = await startConnectedAccountsApp(t, {
    auth: [SIGN_IN],
    answer: ({ path, headers }) => {
      if (path === '/session') return { json: { token: (good = `session-${++sessions}`), ttl: 600 } }
      return headers['authorization'] === `Session ${good}` ? { json: {} } : { status: 401 }
    },
  })
  const id = await s.addAccount(await s.addAuthConfig('BASIC'), 'BASIC', {
    username: 'ann',
    password: 'pass-word-1',
  })
  for (let i = 0; i < 3; i++) assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(requestsTo(s, '/session').map(form), [{ user: 'ann', pass: 'pass-word-1' }])
  s.clock.advance(545_000)
  await s.callTool()
  assert.equal(sessions, 2)
  good = 'ended early'
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal(sessions, 3)
  await s.call(updateConnectedAccount, {
    params: { nanoid: id },
    body: { connection: { state: { authScheme: 'BASIC', val: { password: 'pass-word-2' } } } },
  })
  await s.callTool()
  assert.deepEqual(form(requestsTo(s, '/session').at(-1)!), { user: 'ann', pass: 'pass-word-2' })
  s.stub.answer = () => ({ status: 401 })
  assert.equal((await s.callTool()).body.error.code, 1820)
})

test('sign-in: a rate limit of the sign-in does not count as a wrong password', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [SIGN_IN],
    answer: () => ({ status: 403, json: { message: 'Too many login attempts' } }),
  })
  const id = await s.addAccount(await s.addAuthConfig('BASIC'), 'BASIC', {
    username: 'ann',
    password: 'pass-word-1',
  })
  assert.deepEqual([(await s.callTool()).status, (await s.readAccount(id)).status], [502, 'ACTIVE'])
})

test('sign-in: credentials of a single call sign in for that call', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [SIGN_IN],
    answer: ({ path }) => ({ json: path === '/session' ? { token: 'session-1' } : {} }),
  })
  const reply = await s.call(executeTool, {
    params: { tool_slug: 'SHOP_GET_ORDER' },
    body: {
      arguments: { id: '7' },
      custom_connection_data: {
        authScheme: 'BASIC',
        toolkitSlug: 'shop',
        val: { username: 'a', password: 'b' },
      },
    },
  })
  assert.equal(reply.body.successful, true)
  assert.equal(requestsTo(s, '/orders/7')[0]?.headers['authorization'], 'Session session-1')
})

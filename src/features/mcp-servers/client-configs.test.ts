import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testApp } from '#fixtures/app.ts'
import { roundRobin } from '#fixtures/round-robin.ts'
import {
  createMcpServer,
  createCustomMcpServer,
  readMcpClientConfigs,
  readSessionClientConfigs,
} from '../../contract/mcp-servers/index.ts'
import { createSession } from '../../contract/sessions/index.ts'

test('client configurations: the TypeScript program lists the tools of a server and of a session', async (t) => {
  const s = await testApp(t)
  const origin = await roundRobin([s]).listen(t)
  const run = async (clients: readonly { client: string; text: string }[]) => {
    const program = clients.find(({ client }) => client === 'typescript')!.text
    const text = program
      .replace('YOUR_API_KEY', s.keys.projectApiKey)
      .replace('http://localhost:3900', new URL(origin).origin)
    const args = ['--input-type=module', '-e', text]
    return (await promisify(execFile)(process.execPath, args, { timeout: 20_000 })).stdout
  }
  const server = await s.call(createMcpServer, {
    body: { name: 'News helper', auth_config_ids: [], no_auth_apps: ['utilities'] },
  })
  const { body } = await s.call(readMcpClientConfigs, {
    params: { server_id: server.body.id },
    query: { user_id: "ada's & co" },
  })
  assert.match(await run(body.clients), /UTILITIES_GET_CURRENT_TIME/)

  const session = await s.call(createSession, { body: { user_id: 'ada' } as never })
  const forSession = await s.call(readSessionClientConfigs, {
    params: { session_id: session.body.session_id },
  })
  assert.match(await run(forSession.body.clients), /SEARCH_TOOLS/)
})

test('client configurations: clients that sign in have no key; with a key, the URL names the user', async (t) => {
  const s = await testApp(t)
  const server = await s.call(createMcpServer, {
    body: { name: 'News helper', auth_config_ids: [], no_auth_apps: ['utilities'] },
  })
  const params = { server_id: server.body.id }
  const read = async (auth: 'sign_in' | 'key') => {
    const { body } = await s.call(readMcpClientConfigs, { params, query: { auth, user_id: 'ada' } })
    return Object.fromEntries(body.clients.map((one) => [one.client, one]))
  }
  const url = `http://localhost:3900/v3/mcp/${params.server_id}`
  const signIn = await read('sign_in')
  for (const [client, { text, language }] of Object.entries(signIn)) {
    if (language === 'json') JSON.parse(text)
    const isProgram = ['typescript', 'python'].includes(client)
    assert.equal(text.includes('YOUR_API_KEY'), isProgram, client)
    assert.equal(text.includes('user_id=ada'), isProgram, client)
  }
  assert.equal(signIn['claude_code']!.text, `claude mcp add --transport http news-helper "${url}"`)
  const key = await read('key')
  assert.deepEqual(JSON.parse(key['vscode']!.text), {
    servers: {
      'news-helper': { type: 'http', url: `${url}?user_id=ada`, headers: { 'x-api-key': 'YOUR_API_KEY' } },
    },
  })
  assert.deepEqual(JSON.parse(key['claude_desktop']!.text).mcpServers['news-helper'].env, {
    API_KEY: 'YOUR_API_KEY',
  })
  assert.equal(key['chatgpt']!.text, url, 'ChatGPT can send no key')
  assert.deepEqual(
    Object.values(key)
      .filter(({ needs_https }) => needs_https)
      .map(({ client }) => client),
    ['chatgpt'],
  )
  const unknown = await s.call(readMcpClientConfigs, { params: { server_id: 'nothing' } })
  assert.equal(unknown.status, 404)
  assert.equal((await (await s.otherProject())(readMcpClientConfigs, { params })).status, 404)
})

test('MCP servers: the command of each valid name adds the server under a name that is no option', async (t) => {
  const { call } = await testApp(t)
  for (const [name, added] of [
    ['    ', 'tools'],
    ['----', 'tools'],
    ['-My  Server-', 'my-server'],
  ] as const) {
    const { body } = await call(createCustomMcpServer, { body: { name } })
    assert.equal(body.commands.claude, `claude mcp add --transport http ${added} "${body.mcp_url}"`)
  }
})

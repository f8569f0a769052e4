import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runAgent } from '../../examples/agent/agent.ts'
import { modelled } from '../../examples/agent/model.ts'
import { pretended } from '../../examples/agent/person.ts'
import { scripted } from '../../examples/agent/script.ts'
import { connectTo, openSession } from '../../examples/agent/session.ts'
import { loadCatalog } from '../../src/catalog/index.ts'
import { type Exchanged, simulatedEgress, worldOf } from '../../simulation/applications/index.ts'
import { testApp } from '../fixtures/app.ts'
import { findFreePort } from '../../src/platform/free-port.ts'
import { upstream } from '../fixtures/upstream.ts'

const FOLDER = join(import.meta.dirname, '../../toolkits')

async function startAgent(t: TestContext) {
  const catalog = await loadCatalog({ folder: FOLDER, operations: false })
  const seen: Exchanged[] = []
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const { app, keys } = await testApp(t, {
    catalog,
    publicUrl: url,
    egress: simulatedEgress(worldOf(catalog, FOLDER).answer, (one) => seen.push(one)),
  })
  await app.http.listen({ host: '127.0.0.1', port })
  assert.equal((app.http.server.address() as AddressInfo).port, port)
  const client = await connectTo(
    await openSession({ url, key: keys.projectApiKey }, 'ada', 'github'),
    keys.projectApiKey,
  )
  t.after(() => client.close())
  return { client, seen }
}

type Agent = Awaited<ReturnType<typeof startAgent>>

test('the example agent finds a tool, has its user connect, runs it and reads the result, over MCP', async (t) => {
  const fixture = await startAgent(t)

  await t.test('by a script', () => checkScript(fixture))

  await t.test('by a model of any OpenAI-compatible API', () => checkModel(fixture, t))
})

async function checkScript({ client, seen }: Agent): Promise<void> {
  const heard: string[] = []
  const script = {
    useCase: 'create an issue in a github repository',
    arguments: { owner: 'octocat', repo: 'hello-world', title: 'The coffee machine is broken' },
    conclude: ({ number, title }: Record<string, unknown>) =>
      `It is issue ${String(number)}: ${String(title)}`,
  }
  const said = await runAgent({
    client,
    task: 'Open an issue.',
    think: scripted(script),
    person: pretended((text) => heard.push(text)),
  })
  assert.match(said, /^It is issue \d+: The coffee machine is broken$/)
  assert.match(heard[0] as string, /^Please connect github: http/)
  const made = seen.filter(
    ({ request }) => request.method === 'POST' && request.url.endsWith('/repos/octocat/hello-world/issues'),
  )
  assert.deepEqual(
    made.map(({ request, reply }) => [request.headers['authorization'], reply.status < 300]),
    [['Bearer an-invented-token', true]],
  )
  const again = await runAgent({
    client,
    task: 'Open another.',
    think: scripted(script),
    person: async (text) => {
      heard.push(text)
    },
  })
  assert.match(again, /^It is issue/)
  assert.equal(
    heard.filter((text) => text.includes('connect')).length,
    1,
    'what is connected is not asked for again',
  )
}

const replies = [
  {
    content: null,
    tool_calls: [
      {
        id: 'c1',
        type: 'function',
        function: {
          name: 'SERVICE_SEARCH_TOOLS',
          arguments:
            '{"queries": [{"use_case": "list issues of a repository"}], "session": {"generate_id": true}}',
        },
      },
      { id: 'c2', type: 'function', function: { name: 'NO_SUCH_TOOL', arguments: 'not JSON' } },
    ],
  },
  { content: 'There are two.' },
]

async function checkModel({ client }: Agent, t: TestContext): Promise<void> {
  const model = await upstream(t, () => ({ json: { choices: [{ message: replies.shift() }] } }))
  const heard: string[] = []
  assert.equal(
    await runAgent({
      client,
      task: 'Which issues are open?',
      think: modelled({ baseUrl: `${model.url}/v1/`, model: 'any', apiKey: 'sk-1' }),
      person: async (text) => {
        heard.push(text)
      },
    }),
    'There are two.',
  )
  const [first, second] = model.requests.map(
    ({ body }) => JSON.parse(body) as { messages: any[]; tools: any[] },
  )
  assert.deepEqual(
    [
      model.requests[0]?.path,
      model.requests[0]?.headers['authorization'],
      first!.tools.some(
        (tool) => tool.function.name === 'SERVICE_SEARCH_TOOLS' && tool.function.parameters.type === 'object',
      ),
    ],
    ['/v1/chat/completions', 'Bearer sk-1', true],
  )
  assert.deepEqual(
    second!.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'tool'],
  )
  assert.match(second!.messages[2].content, /GITHUB_/)
  assert.match(second!.messages[3].content, /NO_SUCH_TOOL/)
  assert.deepEqual(heard, ['There are two.'])
  await assert.rejects(
    runAgent({
      client,
      task: 'x',
      think: async () => ({ calls: [{ id: 'c', name: 'NO_SUCH_TOOL', arguments: {} }] }),
      person: async () => {},
    }),
    /20 turns/,
  )
}

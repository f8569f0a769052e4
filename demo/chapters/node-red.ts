import { type Chapter, expect } from '../tour.ts'

const PATH = '/hello'
const ANSWER_TIMEOUT_MS = 30_000

/** A flow that responds to an HTTP request. */
const NODES = [
  { id: 'in', type: 'http in', x: 100, y: 80, url: PATH, method: 'get', wires: [['say']] },
  {
    id: 'say',
    type: 'function',
    x: 280,
    y: 80,
    func: 'msg.payload = `Hello ${msg.req.query.name}, from a flow that an agent deployed.`\nreturn msg',
    outputs: 1,
    wires: [['out']],
  },
  { id: 'out', type: 'http response', x: 460, y: 80, wires: [] },
]

/** The arguments as the tour prints them: without the code and the places of the nodes. */
const PRINTED_ARGUMENTS = {
  label: 'Hello',
  nodes: NODES.map(({ type, url, func, wires }) => ({
    type,
    ...(url ? { url } : {}),
    ...(func ? { func: '…' } : {}),
    wires,
  })),
}

export const nodeRed: Chapter = async ({ stage, api, nodeRed }) => {
  await stage.chapter('Connected by a password: Node-RED')
  await stage.say(
    'Node-RED wants a user name and a password, and gives a session token for them. Patchbay signs in ' +
      'when a tool first needs it, keeps the token, and signs in again when the token ends.',
  )
  const {
    body: { auth_config },
  } = await api.quietly('POST', '/api/v3.1/auth_configs', {
    toolkit: { slug: 'nodered' },
    auth_config: { type: 'use_custom_auth', authScheme: 'BASIC' },
  })
  const val = { server_url: nodeRed.url, username: nodeRed.username, password: nodeRed.password }
  const account = await api.send('POST', '/api/v3.1/connected_accounts', {
    body: {
      auth_config: { id: auth_config.id },
      connection: { user_id: 'alice', state: { authScheme: 'BASIC', val } },
    },
    show: ({ id, status }) => ({ id, status }),
  })
  expect(account.body.status === 'ACTIVE', 'a password connects', account.body)

  await stage.say('Now the agent builds something that runs: a flow that answers HTTP requests.')
  const flow = await api.execute(
    'NODERED_CREATE_FLOW',
    'alice',
    { label: 'Hello', nodes: NODES },
    { printedArguments: PRINTED_ARGUMENTS },
  )
  expect(flow.body.successful, 'a flow is deployed', flow.body)
  const words = await answerOf(`${nodeRed.url}${PATH}?name=Alice`)
  await stage.act('anybody', `GET ${nodeRed.url}${PATH}?name=Alice`)
  await stage.act('Node-RED', `answers: ${words}`)

  const flows = await api.execute('NODERED_LIST_FLOWS', 'alice', {})
  const { tokenRequests } = await nodeRed.stats()
  expect(flows.body.successful && tokenRequests === 1, 'one sign-in is enough for all calls', {
    tokenRequests,
    ...flows.body,
  })
  stage.line(stage.paint('dim', `Node-RED counted ${tokenRequests} sign-in for these calls.`))
}

/** Node-RED answers a deployment some milliseconds before its nodes run. */
async function answerOf(url: string): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  for (;;) {
    const reply = await fetch(url, { signal })
    const text = await reply.text()
    if (reply.status === 200) return text
  }
}

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type NodeRedPeer, startNodeRed } from './node-red.ts'

const START_TIMEOUT_MS = 10_000

describe('Node-RED', { timeout: 90_000 }, () => {
  let nodeRed: NodeRedPeer
  let token: string

  before(async () => {
    nodeRed = await startNodeRed()
    token = (await logIn(nodeRed.password)).body.access_token
  })
  after(() => nodeRed?.stop())

  async function logIn(password: string): Promise<{ status: number; body: any }> {
    const response = await fetch(`${nodeRed.url}/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'node-red-admin',
        grant_type: 'password',
        scope: '*',
        username: nodeRed.username,
        password,
      }),
    })
    return { status: response.status, body: await response.json() }
  }

  function admin(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(`${nodeRed.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'node-red-api-version': 'v2',
        accept: 'application/json',
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
  }

  it('gives a bearer token for the password, and no other way in', async () => {
    const { status, body } = await logIn(nodeRed.password)
    assert.equal(status, 200)
    assert.equal(body.token_type, 'Bearer')
    assert.equal(body.expires_in, 604_800)
    const refused = await logIn('wrong')
    assert.equal(refused.status, 403)
    assert.equal(refused.body.error, 'invalid_grant')
    const response = await fetch(`${nodeRed.url}/flows`)
    assert.equal(response.status, 401)
    assert.match(response.headers.get('www-authenticate')!, /^Bearer/)
  })

  it('counts who asks for a token, with success or without', async () => {
    const { tokenRequests } = await nodeRed.stats()
    await logIn(nodeRed.password)
    await logIn('wrong')
    assert.deepEqual(await nodeRed.stats(), { tokenRequests: tokenRequests + 2 })
  })

  it('runs a flow that was deployed, at its own URL', async () => {
    const before = (await (await admin('GET', '/flows')).json()) as { rev: string; flows: unknown[] }
    assert.deepEqual(before.flows, [])
    const deployed = await admin('POST', '/flows', { rev: before.rev, flows: greetingFlow('/greet') })
    assert.equal(deployed.status, 200)
    const { rev } = (await deployed.json()) as { rev: string }
    assert.notEqual(rev, before.rev)

    const answer = await untilStarted(`${nodeRed.url}/greet?name=Ada`)
    assert.equal(answer.status, 200)
    assert.deepEqual(await answer.json(), { greeting: 'Hello Ada' })
    const after = (await (await admin('GET', '/flows')).json()) as { rev: string; flows: { id: string }[] }
    assert.equal(after.rev, rev)
    assert.deepEqual(
      after.flows.map((node) => node.id),
      ['tab', 'in', 'greet', 'out'],
    )
  })

  it('refuses a deployment that is based on an older revision', async () => {
    const stale = await admin('POST', '/flows', { rev: 'older', flows: [] })
    assert.equal(stale.status, 409)
    assert.equal(((await stale.json()) as { code: string }).code, 'version_mismatch')
  })

  it('adds, changes and removes one flow without touching the others', async () => {
    const nodes = [
      { id: 'ping-in', type: 'http in', x: 1, y: 1, url: '/ping', method: 'get', wires: [['ping-out']] },
      { id: 'ping-out', type: 'http response', x: 2, y: 1, wires: [] },
    ]
    const { id } = (await (await admin('POST', '/flow', { label: 'Ping', nodes })).json()) as { id: string }
    assert.equal((await untilStarted(`${nodeRed.url}/ping`)).status, 200)
    assert.equal((await admin('PUT', `/flow/${id}`, { id, label: 'Pong', nodes })).status, 200)
    assert.equal(((await (await admin('GET', `/flow/${id}`)).json()) as { label: string }).label, 'Pong')
    assert.equal((await admin('DELETE', `/flow/${id}`)).status, 204)
    assert.equal((await admin('GET', `/flow/${id}`)).status, 404)
    assert.equal((await fetch(`${nodeRed.url}/greet`)).status, 200)
  })

  it('tells its node types and settings', async () => {
    const sets = (await (await admin('GET', '/nodes')).json()) as { types: string[] }[]
    assert.ok(sets.flatMap((set) => set.types).includes('http in'))
    const settings = (await (await admin('GET', '/settings')).json()) as { version: string; user: unknown }
    assert.match(settings.version, /^5\.0\.7/)
    assert.deepEqual(settings.user, { username: 'admin', permissions: '*' })
  })
})

function greetingFlow(path: string): Record<string, unknown>[] {
  const code = 'msg.payload = { greeting: `Hello ${msg.req.query.name}` }\nreturn msg'
  return [
    { id: 'tab', type: 'tab', label: 'Greeting' },
    { id: 'in', z: 'tab', type: 'http in', x: 100, y: 100, url: path, method: 'get', wires: [['greet']] },
    { id: 'greet', z: 'tab', type: 'function', x: 300, y: 100, func: code, outputs: 1, wires: [['out']] },
    { id: 'out', z: 'tab', type: 'http response', x: 500, y: 100, wires: [] },
  ]
}

/** Node-RED answers a deployment before its nodes run, and 404 for their URLs until then (10 ms, measured). */
async function untilStarted(url: string): Promise<Response> {
  const signal = AbortSignal.timeout(START_TIMEOUT_MS)
  for (;;) {
    const response = await fetch(url, { signal })
    if (response.status !== 404) return response
    await response.body?.cancel()
  }
}

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { updateAuthConfig } from '../contract/auth-configs/index.ts'
import { updateProjectConfig } from '../contract/projects/index.ts'
import { proxyExecute } from '../contract/tools/index.ts'
import { findProxyAccount } from './pipeline/proxy-steps.ts'
import { startConnectedAccountsApp, API_KEY, oauth, CLIENT } from '#fixtures/connected-accounts.ts'
import { ready, ask, header, sent } from '#fixtures/proxy-requests.ts'

test('proxy: a request goes below the base URL with credentials of the account; its response returns', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    toolkit: { request: { headers: { 'x-version': '3' } } },
    answer: () => ({
      status: 404,
      headers: { 'x-two': 'b', 'set-cookie': 'session=1' },
      json: { missing: true },
    }),
  })
  const account = await ready(s)
  const reply = await ask(s, {
    connected_account_id: account,
    endpoint: '/orders/a%2Fb?state=open&x=a b',
    parameters: [
      { name: 'page', type: 'query', value: '2&3' },
      header('X-Trace', 't1'),
      header('x-version', '4'),
      header('X-Key', 'mine'),
    ],
  })
  assert.deepEqual(
    [
      reply.status,
      reply.headers['x-should-retry'],
      reply.body.status,
      reply.body.data,
      reply.body.binary_data,
    ],
    [200, 'false', 404, { missing: true }, undefined],
  )
  assert.deepEqual([reply.body.headers['x-two'], reply.body.headers['set-cookie']], ['b', undefined])
  const { method, url, headers } = sent(s)
  assert.deepEqual(
    [method, url, headers['x-trace'], headers['x-version'], headers['x-key']],
    ['GET', '/orders/a%2Fb?state=open&x=a%20b&page=2%263', 't1', '4', 'the-secret-key'],
  )
  for (const endpoint of ['orders', `${s.stub.url}/orders`]) {
    assert.equal((await ask(s, { connected_account_id: account, endpoint })).body.status, 404)
    assert.deepEqual([sent(s).url, sent(s).headers['x-key']], ['/orders', 'the-secret-key'])
  }
  const [row] = await s.executionRows()
  assert.deepEqual(
    [
      row!['tool_slug'],
      row!['toolkit_slug'],
      row!['successful'],
      row!['status_code'],
      row!['connected_account_id'],
      row!['user_id'],
    ],
    ['PROXY_EXECUTE', 'shop', false, 404, account, 'u1'],
  )
  const payload = JSON.stringify(
    s.encryptor.decrypt(row!['payload'], `tool_executions:${row!['id']}:payload`),
  )
  assert.ok(payload.includes('X-Trace') && !payload.includes('mine') && !payload.includes('t1'), payload)
})

async function startProxyBodies(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    answer: ({ path, body }) =>
      path === '/image'
        ? { headers: { 'content-type': 'image/png' }, text: '\x89PNG' }
        : path === '/large'
          ? { headers: { 'content-type': 'text/plain' }, text: 'x'.repeat(11_000_000) }
          : path === '/empty'
            ? { status: 204 }
            : { headers: { 'content-type': 'text/plain' }, text: `got ${body}` },
  })
  const account = await ready(s)
  const send = async (body: Record<string, unknown>) =>
    (await ask(s, { connected_account_id: account, method: 'POST', ...body })).body
  const type = () => sent(s).headers['content-type']
  return { send, type, s }
}

type ProxyBodies = Awaited<ReturnType<typeof startProxyBodies>>

test('proxy: JSON, forms, texts and bytes are sent and returned unchanged', async (t) => {
  const started = await startProxyBodies(t)
  const { s, send } = started
  await checkSentBodies(started)
  const file = await checkReceivedFile(started)
  const other = await s.otherProject()
  const connection = { authScheme: 'API_KEY', toolkitSlug: 'shop', val: { generic_api_key: 'k' } }
  const foreign = await other(proxyExecute, {
    body: {
      custom_connection_data: connection,
      endpoint: '/x',
      method: 'POST',
      binary_body: { url: file!.url },
    },
  })
  assert.deepEqual([foreign.status, foreign.body.error.slug], [404, 'File_NotFound'])
  const large = await send({ endpoint: '/large' })
  assert.deepEqual(
    [large.data, large.binary_data?.size, large.binary_data?.content_type],
    [undefined, 11_000_000, 'text/plain'],
  )
})

async function checkSentBodies({ send, type, s }: ProxyBodies): Promise<void> {
  assert.equal((await send({ body: { a: [1] } })).data, 'got {"a":[1]}')
  assert.equal(type(), 'application/json')
  assert.equal(
    (
      await send({
        body: { a: 'b c', d: ['1', '2'] },
        parameters: [header('Content-Type', 'application/x-www-form-urlencoded')],
      })
    ).data,
    'got a=b+c&d=1&d=2',
  )
  assert.equal(
    (await send({ body: '<a/>', parameters: [header('content-type', 'application/xml')] })).data,
    'got <a/>',
  )
  assert.equal(type(), 'application/xml')
  assert.equal((await send({ body: null })).data, 'got ')
  assert.equal(
    (
      await send({
        binary_body: { base64: Buffer.from('bytes').toString('base64'), content_type: 'image/gif' },
      })
    ).data,
    'got bytes',
  )
  assert.equal(type(), 'image/gif')
  assert.equal((await send({ binary_body: { url: `${s.stub.url}/image` } })).data, `got \x89PNG`)
  assert.equal(type(), 'image/png')
  const fetch = s.stub.requests.find(({ path, method }) => path === '/image' && method === 'GET')!
  assert.equal(fetch.headers['x-key'], undefined, 'an address to fetch from gets no credentials')
}

async function checkReceivedFile({ send, s, type }: ProxyBodies) {
  assert.deepEqual((await send({ endpoint: '/empty' })).data, null)
  const { data, binary_data: file, status } = await send({ endpoint: '/image' })
  assert.deepEqual([status, data, file?.content_type, file?.size], [200, undefined, 'image/png', 5])
  const { pathname, search } = new URL(file!.url)
  assert.match(pathname, /^\/files\/get\/image\.png$/)
  const got = await s.app.http.inject({ method: 'GET', url: pathname + search })
  assert.deepEqual([got.statusCode, got.rawPayload.toString()], [200, '\x89PNG'])
  assert.ok(Date.parse(file!.expires_at) > Date.now())
  assert.equal(
    (await send({ binary_body: { url: file!.url } })).data,
    'got \x89PNG',
    'an address of our own is read here',
  )
  assert.equal(type(), 'image/png')
  return file
}

async function connectForProxy(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [API_KEY, oauth(url)],
    answer: ({ path }) =>
      path === '/token'
        ? { json: { access_token: 'fresh-1', expires_in: 3_600, refresh_token: 'r-2' } }
        : { json: {} },
  })
  const config = await s.addAuthConfig('API_KEY')
  const account = await s.addAccount(config, 'API_KEY', { generic_api_key: 'the-secret-key' })
  const slugOf = async (body: Record<string, unknown>, call = s.call) => {
    const reply = await call(proxyExecute, { body: { method: 'GET', endpoint: '/x', ...body } as never })
    return reply.status === 200 ? 200 : reply.body.error.slug
  }
  return { slugOf, account, s, config }
}

type ProxyAccount = Awaited<ReturnType<typeof connectForProxy>>

test('proxy: owner and status of the account are checked as for a tool', async (t) => {
  const connected = await connectForProxy(t)
  await checkOwners(connected)
  await checkCustomConnection(connected)
  await checkExpiredToken(connected)
})

async function checkOwners({ slugOf, account, s, config }: ProxyAccount): Promise<void> {
  assert.equal(await slugOf({}), 'ActionProxy_MissingAuthContext')
  assert.equal(
    await slugOf({ connected_account_id: account }, await s.otherProject()),
    'ConnectedAccount_ResourceNotFound',
  )
  assert.equal(await slugOf({ connected_account_id: 'ca_000000000000' }), 'ConnectedAccount_ResourceNotFound')
  assert.equal(await slugOf({ connected_account_id: account, user_id: 'u1' }), 200)
  assert.equal(
    await slugOf({ connected_account_id: account, user_id: 'u2' }),
    'ActionExecute_ConnectedAccountEntityIdMismatch',
  )
  await s.call(updateProjectConfig, { body: { is_2FA_enabled: true } })
  const shared = await s.addAccount(
    config,
    'API_KEY',
    { generic_api_key: 'k-shared' },
    {
      alias: 'shared',
      experimental: { account_type: 'SHARED', acl_config_for_shared: { allowed_user_ids: ['u3'] } },
    },
  )
  for (const [user, slug] of [
    [undefined, 'ActionExecute_ConnectedAccountEntityIdRequired'],
    ['u4', 'ActionExecute_SharedAccessDenied'],
    ['u3', 200],
  ] as const)
    assert.equal(await slugOf({ connected_account_id: shared, user_id: user }), slug)
}

async function checkCustomConnection({ slugOf, s }: ProxyAccount): Promise<void> {
  const connection = { authScheme: 'API_KEY', toolkitSlug: 'shop', val: { generic_api_key: 'brought' } }
  assert.equal(await slugOf({ custom_connection_data: connection }), 200)
  assert.equal(sent(s).headers['x-key'], 'brought')
  assert.equal(
    await slugOf({ custom_connection_data: { ...connection, toolkitSlug: 'nothing' } }),
    'Toolkit_ToolkitNotFound',
  )
}

async function checkExpiredToken({ s, slugOf, config, account }: ProxyAccount): Promise<void> {
  const stale = await s.addAccount(
    await s.addAuthConfig('OAUTH2', CLIENT),
    'OAUTH2',
    { status: 'ACTIVE', access_token: 'old-token', refresh_token: 'r-1', expires_in: 1 },
    { alias: 'o' },
  )
  s.clock.advance(3_000)
  assert.equal(await slugOf({ connected_account_id: stale }), 200)
  assert.equal(sent(s).headers['authorization'], 'Bearer fresh-1', 'a token that has ended is renewed first')
  await s.call(updateAuthConfig, {
    params: { nanoid: config },
    body: {
      type: 'custom',
      tool_access_config: { tools_available_for_execution: ['SHOP_GET_ORDER'] },
    } as never,
  })
  assert.equal(
    await slugOf({ connected_account_id: account }),
    'ActionExecute_ToolNotAllowed',
    'a config that allows some tools allows no free requests',
  )
  await s.app.db.run(
    (await import('../platform/db/sql.ts'))
      .sql`update connected_accounts set status = 'EXPIRED' where id = ${stale}`,
  )
  assert.equal(await slugOf({ connected_account_id: stale }), 'ActionExecute_ConnectedAccountExpired')
}

test('proxy: requests that cannot be sent and hosts that cannot be reached are API errors', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    toolkit: { base_url: 'http://127.0.0.1:1' },
  })
  const account = await ready(s)
  assert.deepEqual(
    [(await ask(s, { connected_account_id: account })).status, (await s.executionRows())[0]!['successful']],
    [502, false],
  )
  for (const body of [
    { binary_body: {} },
    { binary_body: { base64: '!' } },
    { binary_body: { base64: 'AA==', url: 'https://a.example' } },
    { binary_body: { base64: 'AA==' }, body: {} },
    { binary_body: { base64: 'A'.repeat(5_596_000) } },
    { binary_body: { url: 'http://10.0.0.1/x' } },
    { binary_body: { url: `${s.stub.url.replace(/\d+$/, '1')}/x` } },
    { method: 'CONNECT' },
    { endpoint: '' },
  ])
    assert.equal(
      (await ask(s, { connected_account_id: account, method: 'POST', ...body })).status,
      400,
      JSON.stringify(body).slice(0, 100),
    )
})

test('proxy: the account is confirmed by the round trip that started when the caller was known', async () => {
  const changesConfirmed = Promise.resolve(true)
  const received: unknown[] = []
  const accounts = {
    findById: async (...[, , confirmed]: unknown[]) => {
      received.push(confirmed)
      return undefined
    },
  }
  const request = { projectId: 'p1', connectedAccountId: 'ca_1', changesConfirmed }
  const call = findProxyAccount({ proxyCall: request } as never, { accounts } as never)
  await assert.rejects(call, { slug: 'ConnectedAccount_ResourceNotFound' })
  assert.equal(received.length, 1)
  assert.equal(received[0], changesConfirmed)
  assert.equal(proxyExecute.readsAccount, true)
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { upstream } from '#fixtures/upstream.ts'
import { catalogFromSources } from '../catalog/index.ts'
import { sampleTool, sampleSource } from '#fixtures/sample-toolkits.ts'
import { type Manifest, startConnectedAccountsApp, API_KEY, BASIC } from '#fixtures/connected-accounts.ts'
import { hostsOf, isSameSite } from './http/same-site.ts'
import { fileNameOf } from './files/file-name.ts'
import { ready, ask, header, sent } from '#fixtures/proxy-requests.ts'

const QUERY_KEY: Manifest = { scheme: 'API_KEY', apply: { query: { key: '{generic_api_key}' } } }

async function startGuardedProxy(t: TestContext) {
  const other = await upstream(t, () => ({ json: { got: true } }))
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    answer: ({ path }) =>
      path === '/away'
        ? { status: 302, headers: { location: `${other.url}/steal` } }
        : path === '/here'
          ? { status: 302, headers: { location: '/end' } }
          : { json: {} },
  })
  const account = await ready(s)
  const port = new URL(s.stub.url).port
  return { other, port, s, account }
}

type GuardedProxy = Awaited<ReturnType<typeof startGuardedProxy>>

test('proxy: no URL or redirect sends credentials to another site, and no caller replaces them', async (t) => {
  const started = await startGuardedProxy(t)
  const { s, account } = started
  await checkOtherHosts(started)
  await checkRedirects(started)
  for (const name of [
    'Host',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Proxy-Authorization',
    'a b',
    'é',
  ])
    assert.equal(
      (await ask(s, { connected_account_id: account, parameters: [header(name, 'x')] })).status,
      400,
      name,
    )
  assert.equal(
    (await ask(s, { connected_account_id: account, parameters: [header('x-a', 'a\r\nb: c')] })).status,
    400,
  )
})

async function checkOtherHosts({ other, port, s, account }: GuardedProxy): Promise<void> {
  for (const endpoint of [
    `${other.url}/x`,
    'https://evil.example/x',
    '//evil.example/x',
    `https://127.0.0.1:${port}/x`,
    `http://localhost:${port}/x`,
    'http://127.0.0.1/x',
    'ftp://127.0.0.1/x',
    'javascript:alert(1)',
    `http:\\\\evil.example`,
    `http://127.0.0.1:${port}@evil.example/x`,
    `http://user:pw@127.0.0.1:${port}/x`,
    `http://127.0.0.1:${port}.evil.example/`,
    'http://',
    '/x#y',
    '/a\nb',
    '/a\0b',
  ]) {
    const { status, body } = await ask(s, { connected_account_id: account, endpoint })
    assert.ok(
      status === 400 && ['ActionProxy_OriginMismatch', 'HTTP_BadRequest'].includes(body.error.slug),
      `${endpoint}: ${status}`,
    )
  }
  assert.deepEqual([s.stub.requests.length, other.requests.length], [0, 0])
}

async function checkRedirects({ s, account, other }: GuardedProxy): Promise<void> {
  for (const endpoint of [
    '/../../x',
    '@evil.example/x',
    '/@evil.example',
    '/http://evil.example/x',
    '?x=1',
    '/a//b',
  ])
    assert.equal((await ask(s, { connected_account_id: account, endpoint })).status, 200, endpoint)
  const away = await ask(s, { connected_account_id: account, endpoint: '/away' })
  assert.deepEqual(
    [away.body.status, away.body.headers['location'], other.requests.length],
    [302, `${other.url}/steal`, 0],
  )
  assert.equal((await ask(s, { connected_account_id: account, endpoint: '/here' })).body.status, 200)
  assert.deepEqual([sent(s).url, sent(s).headers['x-key']], ['/end', 'the-secret-key'])
}

test('proxy: a credential in the query or Authorization cannot be replaced; no error contains one', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [QUERY_KEY, BASIC],
    answer: ({ url }) => ({ status: 401, json: { message: `bad ${url}` } }),
  })
  const account = await ready(s)
  const { body } = await ask(s, {
    connected_account_id: account,
    endpoint: '/x?key=mine&a=1&%6bey=mine2',
    parameters: [{ name: 'key', type: 'query', value: 'mine3' }],
  })
  assert.equal(sent(s).url, '/x?a=1&key=the-secret-key')
  assert.deepEqual(body.data, { message: 'bad /x?a=1&key=[secret]' })
  const basic = await s.addAccount(
    await s.addAuthConfig('BASIC'),
    'BASIC',
    { username: 'ann', password: 'pass-word' },
    { alias: 'b' },
  )
  await ask(s, { connected_account_id: basic, parameters: [header('Authorization', 'Bearer mine')] })
  assert.equal(sent(s).headers['authorization'], `Basic ${Buffer.from('ann:pass-word').toString('base64')}`)
})

test('same site: a site is a registrable domain; domains that issue names count as registries', async () => {
  const own = sampleTool({ request: { method: 'GET', path: 'https://files.elsewhere.example/upload/{id}' } })
  const catalog = catalogFromSources([sampleSource({}, [own, sampleTool({ slug: 'SHOP_B' })])])
  const ownHosts = () => hostsOf(catalog, catalog.toolkit('shop')!)
  for (const [base, target, same] of [
    ['https://api.shop.example', 'https://api.shop.example/x', true],
    ['https://api.shop.example', 'https://uploads.shop.example', true],
    ['https://api.shop.example', 'https://shop.example', true],
    ['https://api.shop.example', 'https://shop.example.', true],
    ['https://api.shop.example', 'http://api.shop.example', false],
    ['https://api.shop.example', 'https://api.shop.example:8443', false],
    ['https://api.shop.example', 'https://notshop.example', false],
    ['https://api.shop.example', 'https://shop.example.evil.example', false],
    ['https://a.co.uk', 'https://b.co.uk', false],
    ['https://api.a.co.uk', 'https://b.a.co.uk', true],
    ['https://mine.herokuapp.com', 'https://yours.herokuapp.com', false],
    ['https://mine.github.io', 'https://yours.github.io', false],
    ['https://a.s3.amazonaws.com', 'https://b.s3.amazonaws.com', false],
    ['https://gmail.googleapis.com', 'https://www.googleapis.com', false],
    ['https://127.0.0.1', 'https://127.0.0.2', false],
    ['https://[::1]', 'https://[::1]', true],
    ['https://[::1]', 'https://[::2]', false],
    ['http://localhost:1', 'http://localhost:1', true],
    ['http://localhost:1', 'http://localhost:2', false],
    ['https://com', 'https://a.com', false],
    ['https://internal', 'https://other', false],
    ['https://api.shop.example', 'https://files.elsewhere.example/x', true],
    ['https://api.shop.example', 'https://sub.files.elsewhere.example/x', false],
  ] as const)
    assert.equal(await isSameSite(new URL(base), new URL(target), ownHosts), same, `${base} ${target}`)
})

test('files: the name of a file comes from the response, without a path', () => {
  for (const [disposition, url, type, name] of [
    ['attachment; filename="a b.pdf"', 'https://x/y', 'application/pdf', 'a b.pdf'],
    ["attachment; filename=x.pdf; filename*=UTF-8''%e2%82%ac.pdf", 'https://x/y', 'application/pdf', '€.pdf'],
    ['attachment; filename="../../etc/passwd"', 'https://x/y', 'text/plain', 'passwd'],
    ['', 'https://x/files/report.csv?x=1', 'text/csv', 'report.csv'],
    ['', 'https://x/', 'image/jpeg', 'file.jpg'],
    [
      '',
      'https://x/y/export',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'export.docx',
    ],
    ['', 'https://x/a%2fb', 'application/octet-stream', 'b.bin'],
    ['attachment; filename="a\u202etxt.exe"', 'https://x', '', 'atxt.exe'],
    ["filename*=UTF-8''%zz", 'https://x/%zz', 'nonsense', '%zz'],
    ['filename="\\"x\\".txt"', 'https://x', '', 'x.txt'],
  ] as const)
    assert.equal(fileNameOf({ headers: { 'content-disposition': disposition }, url }, type), name)
})

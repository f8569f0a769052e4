import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { EgressError, type EgressRequest } from '../../platform/egress/index.ts'
import { verifyCodeVerifier, readAuthorizationParameters } from './sign-in/request-parameters.ts'
import {
  createClientDocuments,
  isMetadataDocumentUrl,
  parseClientDocument,
} from './clients/metadata-document.ts'
import { cacheSeconds, parseDocument } from './clients/remote-json.ts'
import { readClientMetadata } from './clients/client-metadata.ts'
import { clientNetwork } from './clients/client-network.ts'
import { OAuthRequestError } from './oauth-error.ts'
import { bearerChallenge, resourceMetadata } from './metadata.ts'
import {
  redirectDestination,
  isAllowedRedirectUri,
  isRegisteredRedirectUri,
  withParameters,
} from './clients/redirect-uris.ts'
import { readResource } from './resources.ts'

const kinds = [
  { kind: 'mcp_server', path: /^\/v3\/mcp\/([a-z0-9-]+)(?:\/mcp)?$/, find: async () => undefined },
  { kind: 'session', path: /^\/tool_router\/(trs_\w+)\/mcp$/, find: async () => undefined },
] as const

test('MCP authorization: a resource is a URL of this server with at most one user', () => {
  for (const [text, expected] of [
    ['https://a.example/v3/mcp/7?user_id=ada', ['mcp_server', '7', 'ada']],
    ['https://a.example/v3/mcp/7/mcp', ['mcp_server', '7', undefined]],
    ['https://a.example/tool_router/trs_1/mcp?user_id=', ['session', 'trs_1', undefined]],
    ['https://a.example/v3/mcp/7?user_id=ada,bob', undefined],
    ['https://a.example/v3/mcp/7?user_id=ada&user_id=bob', undefined],
    ['https://a.example/v3/mcp/7?user_id=%00', undefined],
    [`https://a.example/v3/mcp/7?user_id=${'u'.repeat(257)}`, undefined],
    ['http://a.example/v3/mcp/7', undefined],
    ['https://a.example:8443/v3/mcp/7', undefined],
    ['https://b.example/v3/mcp/7', undefined],
    ['https://u:p@a.example/v3/mcp/7', undefined],
    ['https://a.example/v3/mcp/7#x', undefined],
    ['https://a.example/v3/mcp/7#', undefined],
    ['/v3/mcp/7', undefined],
    ['', undefined],
    [`https://a.example/v3/mcp/7?${'x'.repeat(5_000)}`, undefined],
    ['https://a.example/v3/mcp/../mcp/7', ['mcp_server', '7', undefined]],
    ['https://a.example/', undefined],
  ] as const) {
    const read = readResource(kinds, 'https://a.example', text)
    assert.deepEqual(read && [read.kind, read.id, read.userId], expected, text)
  }
  assert.equal(readResource(kinds, 'https://a.example/base', 'https://a.example/v3/mcp/7'), undefined)
  assert.equal(readResource(kinds, 'https://a.example/base', 'https://a.example/base/v3/mcp/7')?.id, '7')
})

test('redirect URIs: https, loopback http and private-use schemes are allowed, schemes that browsers run not', () => {
  for (const good of [
    'https://a.example/cb',
    'https://a.example/cb?x=1',
    'http://localhost:3/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:9/',
    'cursor://anysphere.cursor/cb',
    'com.example.app:/cb',
  ])
    assert.ok(isAllowedRedirectUri(good), good)
  for (const bad of [
    'http://a.example/cb',
    'https://a.example/cb#f',
    'https://u:p@a.example/',
    'javascript:alert(1)',
    'JavaScript://x/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'about:blank',
    'blob:https://a',
    '',
    'cb',
    '//a.example',
    'https://a.example/ x',
    'https://a.example/\n',
    'http://localhost.evil.example/',
    'http://127.0.0.1@evil.example/',
    `https://a.example/${'x'.repeat(2_100)}`,
    7,
    null,
    ['https://a.example'],
  ])
    assert.ok(!isAllowedRedirectUri(bad), String(bad))
})

test('redirect URIs: must equal a registered one, except for the port on loopback', () => {
  for (const [registered, asked, expected] of [
    ['https://a.example/cb', 'https://a.example/cb', true],
    ['https://a.example/cb', 'https://a.example/cb/', false],
    ['https://a.example/cb', 'https://a.example/cb?x=1', false],
    ['https://a.example/cb', 'https://A.example/cb', false],
    ['https://a.example/cb', 'https://a.example:444/cb', false],
    ['http://localhost/cb', 'http://localhost:5123/cb', true],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb', true],
    ['http://localhost/cb', 'http://127.0.0.1:2/cb', false],
    ['http://localhost/cb', 'http://localhost:5123/other', false],
    ['http://localhost/cb', 'https://localhost/cb', false],
    ['http://localhost/cb', 'http://localhost@evil.example/cb', false],
    ['cursor://a/cb', 'cursor://a/cb2', false],
  ] as const)
    assert.equal(isRegisteredRedirectUri([registered], asked), expected, `${registered} ${asked}`)
  assert.deepEqual(redirectDestination('http://127.0.0.1:81/cb'), {
    words: { key: 'program.local', values: {} },
    source: 'http://127.0.0.1:81',
  })
  assert.deepEqual(
    [redirectDestination('https://a.example/cb').source, redirectDestination('cursor://x/cb').source],
    ['https://a.example', 'cursor:'],
  )
  assert.equal(
    withParameters('https://a.example/cb?x=1', { code: 'a&b', state: null }),
    'https://a.example/cb?x=1&code=a%26b',
  )
})

test('authorization request: PKCE with S256 is required, and no parameter may repeat', () => {
  const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
  const good = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256', state: 'x' }
  assert.deepEqual(readAuthorizationParameters(new URLSearchParams(good)), {
    state: 'x',
    challenge,
    prompt: null,
    dpopThumbprint: null,
  })
  for (const [change, error] of [
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: '' }, 'unsupported_response_type'],
    [{ state: 'x'.repeat(3_000) }, 'invalid_request'],
    [{ prompt: 'none' }, 'interaction_required'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'create' }, 'invalid_request'],
    [{ dpop_jkt: 'short' }, 'invalid_request'],
  ] as const)
    assert.equal(
      (readAuthorizationParameters(new URLSearchParams({ ...good, ...change })) as { error: string }).error,
      error,
      JSON.stringify(change),
    )
  assert.equal(
    (
      readAuthorizationParameters(new URLSearchParams(`${new URLSearchParams(good)}&state=y`)) as {
        error: string
      }
    ).error,
    'invalid_request',
  )
  assert.deepEqual(
    [
      verifyCodeVerifier(challenge, 'v'.repeat(43)),
      verifyCodeVerifier(challenge, 'w'.repeat(43)),
      verifyCodeVerifier(challenge, challenge),
      verifyCodeVerifier('v'.repeat(43), 'v'.repeat(43)),
      verifyCodeVerifier(challenge, ''),
    ],
    [true, false, false, false, false],
  )
})

test('client metadata: is limited in size, and names contain no invisible characters', () => {
  const at = ['https://a.example/cb']
  assert.deepEqual(
    readClientMetadata(
      { redirect_uris: [...at, ...at], client_name: ' Clau\u202Ede\u0000\n2 ', scope: 'x', jwks: {} },
      'none',
    ),
    {
      name: 'Clau de 2',
      redirectUris: at,
      authMethod: 'none',
      keys: null,
      requiresPushedRequests: false,
      requiresDpop: false,
    },
  )
  assert.equal(
    readClientMetadata({ redirect_uris: at, client_name: 'x'.repeat(5_000) }, 'none').name?.length,
    100,
  )
  for (const [metadata, error] of [
    [null, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
    ['x', 'invalid_client_metadata'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://a.example' }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://a.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array(21).fill(at[0]) }, 'invalid_redirect_uri'],
    [{ redirect_uris: at, token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ redirect_uris: at, grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ redirect_uris: at, response_types: ['token'] }, 'invalid_client_metadata'],
    [{ redirect_uris: at, grant_types: 'authorization_code' }, 'invalid_client_metadata'],
  ] as const)
    assert.throws(
      () => readClientMetadata(metadata, 'none'),
      (thrown: unknown) => thrown instanceof OAuthRequestError && thrown.error === error,
      JSON.stringify(metadata),
    )
  fc.assert(
    fc.property(fc.jsonValue(), (metadata) => {
      try {
        readClientMetadata(metadata, 'none')
      } catch (error) {
        assert.ok(error instanceof OAuthRequestError)
      }
    }),
    { numRuns: 200, seed: 20261121 },
  )
})

test('client metadata documents: the client_id is the URL of the document, and there is no secret', () => {
  const id = 'https://a.example/client.json'
  const good = { client_id: id, client_name: 'A', redirect_uris: ['http://localhost/cb'] }
  const parse = (text: string) => parseClientDocument(id, parseDocument(text, 'metadata document'))
  assert.equal(parse(JSON.stringify(good)).name, 'A')
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    JSON.stringify({ ...good, client_id: `${id}?x` }),
    JSON.stringify({ ...good, client_id: undefined }),
    JSON.stringify({ ...good, client_secret: 'x' }),
    JSON.stringify({ ...good, token_endpoint_auth_method: 'client_secret_post' }),
    JSON.stringify({ ...good, redirect_uris: ['javascript:1'] }),
  ])
    assert.throws(() => parse(text), OAuthRequestError, text)
  for (const [address, expected] of [
    [id, true],
    ['https://a.example/', false],
    ['https://a.example', false],
    ['http://a.example/c', false],
    ['https://a.example/c#', false],
    ['https://u@a.example/c', false],
    ['https://a.example/x/../c', false],
    ['https://A.example/c', false],
    [`https://a.example/${'c'.repeat(1_100)}`, false],
    ['', false],
  ] as const)
    assert.equal(isMetadataDocumentUrl(address), expected, address)
  assert.deepEqual(
    [undefined, 'no-store', 'private, max-age=60', 'max-age=999999999', 'max-age=x'].map(cacheSeconds),
    [300, 0, 60, 86_400, 300],
  )
})

test('MCP authorization: challenges and metadata contain the called URL; networks limit registrations', () => {
  assert.equal(
    bearerChallenge('https://a.example', '/v3/mcp/7?user_id=a%20"b\\', true),
    'Bearer ' +
      'resource_metadata="https://a.example/.well-known/oauth-protected-resource/v3/mcp/7?user_id=a%20%22b%5C", ' +
      'scope="mcp", error="invalid_token"',
  )
  assert.ok(bearerChallenge('https://a.example', `/v3/mcp/7?x=${'y'.repeat(10_000)}`, false).length < 300)
  assert.equal(
    resourceMetadata('https://a.example', '/v3/mcp/7?user_id=ada').resource,
    'https://a.example/v3/mcp/7?user_id=ada',
  )
  assert.deepEqual(
    ['10.0.0.1', '::ffff:10.0.0.2', '::1', '2001:db8:1:2:3::4', '2001:db8:1:2::', 'fe80::1%eth0'].map(
      clientNetwork,
    ),
    ['10.0.0.1', '10.0.0.2', '0:0:0:0', '2001:db8:1:2', '2001:db8:1:2', 'fe80:0:0:0'],
  )
})

test('client metadata documents: fetched with limits, cached as Cache-Control says, failures briefly', async () => {
  const id = 'https://a.example/client.json'
  const sent: EgressRequest[] = []
  let answer: { status: number; cache?: string; body?: string } | EgressError = { status: 200 }
  const send = async (request: EgressRequest) => {
    sent.push(request)
    if (answer instanceof EgressError) throw answer
    return {
      status: answer.status,
      headers: { 'cache-control': answer.cache ?? '' },
      body: Buffer.from(
        answer.body ?? JSON.stringify({ client_id: request.url, redirect_uris: ['http://localhost/cb'] }),
      ),
      url: '',
    }
  }
  const documents = createClientDocuments({ send } as never)
  answer = { status: 200, cache: 'no-store' }
  for (let n = 0; n < 2; n++)
    assert.deepEqual((await documents.read(id, 'n')).redirectUris, ['http://localhost/cb'])
  assert.deepEqual(
    [
      sent.length,
      sent[0]?.maxRedirects,
      (sent[0]?.bytesMax ?? Infinity) <= 20_000,
      (sent[0]?.timeoutMs ?? Infinity) <= 5_000,
    ],
    [2, 0, true, true],
  )
  answer = { status: 200, cache: 'max-age=60' }
  for (let n = 0; n < 2; n++) await documents.read(id, 'n')
  assert.equal(sent.length, 3)
  for (const [n, failure] of [
    { status: 302 },
    { status: 200, body: '<html>' },
    new EgressError('refused_address', 'not a public address'),
  ].entries()) {
    answer = failure
    for (let again = 0; again < 2; again++)
      await assert.rejects(documents.read(`${id}?${n}`, `n${n}`), OAuthRequestError)
    assert.equal(sent.length, 4 + n)
  }
  const waiting = Promise.withResolvers<never>()
  const busy = createClientDocuments({ send: () => waiting.promise } as never)
  const all = Array.from({ length: 20 }, (_, n) => busy.read(`${id}?${n}`, `n${n}`))
  await assert.rejects(busy.read(id, 'n'), /too many clients/)
  waiting.reject(new EgressError('timeout', 'late'))
  for (const one of await Promise.allSettled(all)) assert.equal(one.status, 'rejected')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, upstream } from '#fixtures/upstream.ts'
import { authSchemes, type Credentials } from '../../../auth-schemes/index.ts'
import { catalogFromSources, findCompiledScheme, type Toolkit } from '../../../catalog/index.ts'
import { sampleSource } from '#fixtures/sample-toolkits.ts'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'
import { diagnose } from './diagnosis.ts'
import type { ProviderRequestDraft, ProviderRequestKind } from './request-store.ts'
import { logProviderRequests } from './request-log.ts'
import { CLIENT, type Manifest, oauth, SIGN_IN } from '#fixtures/connected-accounts.ts'

interface Symptom {
  answer?: Answer
  manifest?: Manifest
  kind?: ProviderRequestKind
  callback?: Credentials
  val?: Credentials
  /** In place of the address of the stub. */
  url?: string
  field: string | null
  cause: RegExp
}
const rejection = (error: string, description = '', status = 400): Answer => ({
  status,
  json: { error, ...(description ? { error_description: description } : {}) },
})
const good = { access_token: 'access-token-1', refresh_token: 'refresh-token-1', expires_in: 3600 }

// Each a real exchange: a scheme talks to a server over a socket, what is noted of it is judged.
const SYMPTOMS: Readonly<Record<string, Symptom>> = {
  'a wrong client with its secret in the body': {
    answer: rejection('invalid_client', '', 401),
    field: 'client_auth',
    cause: /in the Authorization header/,
  },
  'a wrong client in the header': {
    answer: rejection('invalid_client', '', 401),
    manifest: { client_auth: 'basic' },
    field: 'client_auth',
    cause: /in the body/,
  },
  'a client without proof': {
    answer: rejection('invalid_client', '', 401),
    manifest: { client_auth: 'none' },
    field: 'client_auth',
    cause: /client authentication/,
  },
  'a redirect URI that is not registered': {
    answer: rejection('redirect_uri_mismatch'),
    field: 'redirect_rules',
    cause: /http:\/\/localhost:3900\/callback/,
  },
  'the same, told to the browser': {
    callback: { error: 'redirect_uri_mismatch' },
    field: 'redirect_rules',
    cause: /redirect URI is not registered/,
  },
  'a user who says no': { callback: { error: 'access_denied' }, field: null, cause: /did not allow/ },
  'scopes that do not exist, told to the browser': {
    callback: { error: 'invalid_scope' },
    field: 'scopes.available',
    cause: /rejected the requested scopes/,
  },
  'a response type that is not known': {
    callback: { error: 'unsupported_response_type' },
    field: 'authorize.response_type',
    cause: /response type/,
  },
  'a code under another name': {
    callback: { auth_code: 'code-1' },
    field: 'callback.code_param',
    cause: /in another parameter/,
  },
  'an error with status 200': {
    answer: { json: { error: 'invalid_request_thing' } },
    field: 'token.success_when',
    cause: /status 200/,
  },
  'a nested token': {
    answer: { json: { data: { access_token: 'access-1234' } } },
    field: 'token.map',
    cause: /data\.access_token/,
  },
  'a renamed token': {
    answer: { json: { accessToken: 'access-1234' } },
    field: 'token.map',
    cause: /accessToken/,
  },
  'a token that is the whole answer': {
    answer: { text: 'token-of-the-whole-answer!' },
    field: 'token.map',
    cause: /not an object/,
  },
  'an answer without any token': {
    answer: { json: { hello: 'x' } },
    field: 'token.map',
    cause: /no access token/,
  },
  'a web page': {
    answer: { text: '<!doctype html><h1>Hi</h1>', headers: { 'content-type': 'text/html' } },
    field: 'token.url',
    cause: /web page/,
  },
  'nothing there': { answer: { status: 404, json: {} }, field: 'token.url', cause: /does not exist/ },
  'a redirect': {
    answer: { status: 301, headers: { location: 'https://www.shop.example/token/?secret=1' } },
    field: 'token.url',
    cause: /redirect to https:\/\/www\.shop\.example\/token\/;/,
  },
  'another form of parameters': {
    answer: { status: 415, json: {} },
    field: 'token.body',
    cause: /another form/,
  },
  'another form, told in words': {
    answer: rejection('invalid_request', 'Content-Type must be application/json'),
    field: 'token.body',
    cause: /another form/,
  },
  'another method': { answer: { status: 405, json: {} }, field: 'token.method', cause: /method/ },
  'another form of answer': {
    answer: { status: 406, json: {} },
    field: 'token.headers',
    cause: /requested format/,
  },
  'a program without a name': {
    answer: { status: 403, json: { message: 'Please set a User-Agent.' } },
    field: 'token.headers',
    cause: /User-Agent/,
  },
  'too many requests': {
    answer: { status: 429, json: {} },
    field: 'refresh.margin_seconds',
    cause: /too many requests/,
  },
  'PKCE that is not taken': {
    answer: rejection('invalid_request', 'unknown field code_verifier'),
    field: 'pkce',
    cause: /does not accept this PKCE/,
  },
  'PKCE that is missing': {
    answer: rejection('invalid_grant', 'code_verifier is required'),
    manifest: { pkce: 'off' },
    callback: { code: 'code-1' },
    field: 'pkce',
    cause: /requires PKCE/,
  },
  'a grant that the app may not use': {
    answer: rejection('unauthorized_client'),
    field: null,
    cause: /not allowed to use/,
  },
  'a grant of another name': {
    answer: rejection('unsupported_grant_type'),
    field: 'token.grant_type',
    cause: /name for the grant type/,
  },
  'a token refresh with another grant type': {
    answer: rejection('unsupported_grant_type'),
    kind: 'refresh',
    field: 'refresh.grant_type',
    cause: /token refresh/,
  },
  'a token for no API': {
    answer: rejection('invalid_target', 'unknown resource'),
    field: 'resource',
    cause: /the API that the token is for/,
  },
  'a scope that is missing': {
    answer: rejection('invalid_request', 'scope is required'),
    field: 'token.params',
    cause: /scope in the token request/,
  },
  'a scope that is missing in a token refresh': {
    answer: rejection('invalid_request', 'scope is required'),
    kind: 'refresh',
    field: 'refresh.params',
    cause: /token refresh too/,
  },
  'a parameter that is missing': {
    answer: rejection('invalid_request', 'Missing tenant'),
    field: 'token.params',
    cause: /another parameter/,
  },
  'a parameter too many': {
    answer: rejection('invalid_request', 'Unexpected parameter state'),
    field: 'token.omit',
    cause: /one of the parameters/,
  },
  'a code that was used': { answer: rejection('invalid_grant'), field: null, cause: /used before/ },
  'a grant that has ended': {
    answer: rejection('invalid_grant'),
    kind: 'refresh',
    field: 'refresh.max_idle_seconds',
    cause: /has ended/,
  },
  'a rejection without a reason': {
    answer: { status: 403, json: {} },
    field: 'client_auth',
    cause: /without a reason/,
  },
  'a fault of the provider': { answer: { status: 503, json: {} }, field: null, cause: /internal error/ },
  'an address that is not public': { url: 'http://10.0.0.1', field: null, cause: /not a public IP address/ },
  'a name that does not exist': {
    url: 'http://nowhere.invalid',
    field: 'token.url',
    cause: /nowhere\.invalid does not exist/,
  },
  'a port that is closed': { url: 'http://127.0.0.1:1', field: null, cause: /connection .* failed/ },
  'a value that the connection lacks': {
    manifest: {
      token: { params: { tenant: '{tenant_id}' } },
      fields: {
        connected_account_initiation: [{ name: 'tenant_id', display_name: 'Tenant', description: 'Its id.' }],
      },
    },
    field: 'fields',
    cause: /needs a value/,
  },
  'no refresh token': {
    answer: { json: { access_token: 'access-1234', expires_in: 3600 } },
    field: 'offline',
    cause: /no refresh token/,
  },
  'no end': {
    answer: { json: { access_token: 'access-1234', refresh_token: 'refresh-1234' } },
    field: 'token.lifetime_seconds',
    cause: /lifetime of the token/,
  },
  'an end that is a date': {
    answer: { json: { ...good, expires_in: 1_800_000_000 } },
    field: 'token.expiry_unit',
    cause: /ten years/,
  },
  'a rotation that nobody declared': {
    answer: { json: good },
    kind: 'refresh',
    manifest: { refresh: { rotates: 'never' } },
    field: 'refresh.rotates',
    cause: /although the manifest/,
  },
  'a wrong password': {
    answer: { status: 403, json: {} },
    kind: 'sign_in',
    field: 'sign_in.params',
    cause: /user name or the password/,
  },
  'a session token elsewhere': {
    answer: { json: { session: { id: 'x' } } },
    kind: 'sign_in',
    field: 'sign_in.token',
    cause: /at the configured path/,
  },
}

for (const [
  name,
  {
    answer = { json: good },
    manifest = {},
    kind = 'code',
    callback = { code: 'code-of-the-walk' },
    val = {},
    url,
    field,
    cause,
  },
] of Object.entries(SYMPTOMS)) {
  test(`diagnosis: ${name}: the finding has the cause and the manifest field`, async (t) => {
    const stub = await upstream(t, () => answer)
    const scheme = kind === 'sign_in' ? SIGN_IN : oauth(url ?? stub.url, manifest)
    const { rows, compiled } = await exchange(scheme, stub.url, kind, callback, {
      access_token: 'access-0',
      refresh_token: 'refresh-0',
      username: 'someone',
      password: 'a-password',
      ...val,
    })
    const [finding, ...others] = diagnose(rows, compiled.manifest)
    assert.deepEqual([finding?.field, others], [field, []], JSON.stringify([rows, finding]))
    assert.match(finding?.cause ?? '', cause)
    assert.ok(
      !/\{\w+\}|undefined/.test(`${finding?.cause} ${finding?.fix.replace(/\{name.*?\}/, '')}`),
      'every place is filled',
    )
  })
}

async function exchange(
  scheme: Manifest,
  base: string,
  kind: ProviderRequestKind,
  callback: Credentials,
  val: Credentials,
) {
  const compiled = findCompiledScheme(
    catalogFromSources([sampleSource({ base_url: base, auth: [scheme] })]).toolkit('shop') as Toolkit,
    String(scheme['scheme']),
  )
  assert.ok(compiled)
  const rows: ProviderRequestDraft[] = []
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  const setup = {
    scheme: compiled,
    authConfigCredentials: CLIENT,
    sharedCredentials: {},
    credentials: val,
    redirectUri: 'http://localhost:3900/callback',
  }
  const module = authSchemes[compiled.mode as 'OAUTH2' | 'BASIC']
  const secrets = {
    redirect_uri: setup.redirectUri,
    ...(scheme['pkce'] === 'off' ? {} : { code_verifier: 'a-code-verifier' }),
  }
  const deps = {
    egress,
    clock: { now: () => Date.now() },
    providerRequests: {
      add: (drafts: () => readonly ProviderRequestDraft[]) => {
        rows.unshift(...drafts())
      },
      flush: async () => {},
    },
  }
  try {
    await logProviderRequests(deps, { projectId: 'p', accountId: 'ca_1', kind, connection: setup }, (tools) =>
      kind === 'code' ? module!.finish!(setup, secrets, callback, tools) : module!.refresh!(setup, tools),
    ).catch(() => {})
  } finally {
    await egress.close()
  }
  return { rows, compiled }
}

test('diagnosis: a rejected refresh token that worked before indicates a rotation', async (t) => {
  const stub = await upstream(t)
  const scheme = oauth(stub.url)
  stub.answer = () => ({ json: good })
  const before = await exchange(scheme, stub.url, 'refresh', {}, { refresh_token: 'refresh-0' })
  stub.answer = () => rejection('invalid_grant')
  const after = await exchange(scheme, stub.url, 'refresh', {}, { refresh_token: 'refresh-0' })
  const all = [...after.rows, ...before.rows]
  assert.equal(diagnose(all, after.compiled.manifest)[0]?.field, 'refresh.rotates')
  assert.deepEqual(
    diagnose(before.rows, before.compiled.manifest),
    [],
    'an exchange as it should be points to nothing',
  )
})

test('diagnosis: any response body can be diagnosed', () => {
  const draft = {
    project_id: 'p',
    connected_account_id: 'c',
    kind: 'code' as const,
    at: new Date(),
    duration_ms: 1,
    request: null,
    outcome: 'trouble' as const,
    code: null,
  }
  for (const body of [
    null,
    'text',
    7,
    [],
    [[[1]]],
    { error: { error: { error: null } } },
    { 'a.b': { '': 1 } },
    { __proto__: { x: 1 } },
  ]) {
    assert.doesNotThrow(() => diagnose([{ ...draft, response: { status: 200, body } }], undefined))
  }
})

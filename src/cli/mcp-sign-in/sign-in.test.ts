import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { runCli } from '../index.ts'

const MCP = 'https://mcp.example.com/mcp'
const ISSUER = 'https://login.example.com'
const RESOURCE = { resource: MCP, authorization_servers: [ISSUER], scopes_supported: ['read', 'write'] }
const SERVER = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
}
const REPORT = {
  slug: 'notes_mcp',
  name: 'Notes',
  type: 'mcp',
  version: '20261121_00',
  created: true,
  dry_run: false,
  auth_schemes: ['DCR_OAUTH'],
  counts: { operations: 1, tools: 1, refused: 0, quarantined: 0 },
  tools: ['NOTES_MCP_ADD'],
  refused: [],
  quarantined: [],
  notes: [],
  difference: null,
}

interface Replies {
  [url: string]: { status?: number; body?: unknown; headers?: Record<string, string> }
}
const REPLIES: Replies = {
  [MCP]: { status: 401, headers: { 'www-authenticate': 'Bearer scope="notes"' } },
  'https://mcp.example.com/.well-known/oauth-protected-resource/mcp': { body: RESOURCE },
  [`${ISSUER}/.well-known/oauth-authorization-server`]: { body: SERVER },
  [`${ISSUER}/register`]: { status: 201, body: { client_id: 'client-1' } },
  [`${ISSUER}/token`]: { body: { access_token: 'secret-token', token_type: 'Bearer' } },
}

/** Runs the import; `visit` is the browser, and receives the URL of the page that the command prints. */
async function importWithSignIn(
  visit: (page: URL) => unknown,
  replies: Replies = {},
  args: readonly string[] = [],
) {
  const seen: { url: string; headers: Headers; body: string }[] = []
  let [out, err] = ['', '']
  let page: string | undefined
  const fetch = (async (url: string, init: RequestInit = {}) => {
    seen.push({ url, headers: new Headers(init.headers), body: String(init.body ?? '') })
    const reply = { ...REPLIES, ...replies }[url]
    if (reply)
      return new Response(JSON.stringify(reply.body ?? {}), { status: 200, ...reply } as ResponseInit)
    return url.endsWith('/toolkits/import') ? Response.json(REPORT) : new Response('', { status: 404 })
  }) as typeof globalThis.fetch
  const code = await runCli(['toolkits', 'import', MCP, '--sign-in', '--no-open', ...args], {
    env: { PATCHBAY_API_KEY: 'ak_test' },
    cwd: import.meta.dirname,
    fetch,
    stdout: new Writable({ write: (part, _, done) => ((out += String(part)), done()) }),
    stderr: new Writable({
      write(part, _, done) {
        err += String(part)
        const printed = /https:\/\/login\.example\.com\/authorize\S+/.exec(err)?.[0]
        if (printed !== undefined && page === undefined) void visit(new URL((page = printed)))
        done()
      },
    }),
  })
  return { code, out, err, seen, page: page === undefined ? undefined : new URL(page).searchParams }
}

/** The redirect of the authorization server to the command. */
function redirect(page: URL, parameters: Record<string, string>): Promise<Response> {
  const url = new URL(page.searchParams.get('redirect_uri') ?? '')
  const state = page.searchParams.get('state') ?? ''
  for (const [name, value] of Object.entries({ state, ...parameters })) url.searchParams.set(name, value)
  return fetch(url)
}

test('import with sign-in: the token of the user is used for the import, with PKCE and the resource', async () => {
  const pages: [number, string][] = []
  const { code, out, err, seen, page } = await importWithSignIn(async (url) => {
    const forged = await redirect(url, { code: 'forged', state: 'other', iss: ISSUER })
    pages.push([forged.status, await forged.text()])
    await redirect(url, { code: 'code-1', iss: ISSUER })
  })
  assert.equal(code, 0, err)
  assert.deepEqual(pages, [[404, 'This page belongs to no sign-in in progress.']])
  const requestTo = (end: string) => seen.find(({ url }) => url.endsWith(end))
  assert.deepEqual(JSON.parse(requestTo('/register')?.body ?? ''), {
    client_name: 'Patchbay',
    redirect_uris: [page?.get('redirect_uri')],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
  const { code_verifier: verifier = '', ...form } = Object.fromEntries(
    new URLSearchParams(requestTo('/token')?.body),
  )
  assert.deepEqual(form, {
    grant_type: 'authorization_code',
    code: 'code-1',
    redirect_uri: page?.get('redirect_uri'),
    resource: MCP,
    client_id: 'client-1',
  })
  assert.deepEqual(
    [page?.get('code_challenge'), page?.get('scope'), page?.get('resource')],
    [createHash('sha256').update(verifier).digest('base64url'), 'notes', MCP],
  )
  assert.deepEqual(JSON.parse(requestTo('/toolkits/import')?.body ?? ''), {
    url: MCP,
    type: 'mcp',
    headers: { authorization: 'Bearer secret-token' },
  })
  assert.match(out, /^notes_mcp {2}Notes/)
  assert.ok(!(out + err).includes('secret-token'))
})

test('import with sign-in: a client with a secret authenticates as the registration says', async () => {
  const { seen, err } = await importWithSignIn((page) => redirect(page, { code: 'code-1', iss: ISSUER }), {
    [`${ISSUER}/register`]: { status: 201, body: { client_id: 'client:1', client_secret: 's' } },
  })
  const request = seen.find(({ url }) => url.endsWith('/token'))
  assert.equal(
    request?.headers.get('authorization'),
    `Basic ${Buffer.from('client%3A1:s').toString('base64')}`,
    err,
  )
})

test('import with sign-in: a rejected or forged sign-in imports nothing and says why', async () => {
  for (const [parameters, reason] of [
    [{ error: 'access_denied', iss: ISSUER }, /did not allow the access: access_denied/],
    [{ code: 'code-1', iss: 'https://evil.example.com' }, /does not come from https:\/\/login\.example\.com/],
    [{ code: 'code-1' }, /does not come from/],
  ] as const) {
    const { code, err, seen } = await importWithSignIn((page) => redirect(page, parameters))
    assert.equal(code, 1)
    assert.match(err, reason)
    assert.ok(seen.every(({ url }) => !url.endsWith('/token') && !url.endsWith('/toolkits/import')))
  }
})

test('import with sign-in: servers without the needed metadata are reported before a page is shown', async () => {
  const server = `${ISSUER}/.well-known/oauth-authorization-server`
  const { registration_endpoint: _endpoint, ...withoutRegistration } = SERVER
  const { code_challenge_methods_supported: _methods, ...withoutPkce } = SERVER
  for (const [replies, reason] of [
    [{ [MCP]: { status: 200 } }, /does not ask for a sign-in \(status 200\).*without --sign-in/s],
    [{ [server]: { status: 404 } }, /does not describe how to sign in.*--header/s],
    [{ [server]: { body: withoutRegistration } }, /does not register clients automatically/],
    [{ [server]: { body: withoutPkce } }, /does not declare PKCE/],
    [{ [server]: { body: { ...SERVER, issuer: 'https://evil.example.com' } } }, /does not describe/],
  ] as const) {
    const { code, err, page } = await importWithSignIn(() => {}, replies)
    assert.deepEqual([code, page], [2, undefined])
    assert.match(err, reason)
  }
  const { code, err, seen } = await importWithSignIn(() => {}, {}, ['--header', 'Authorization: Bearer x'])
  assert.deepEqual([code, seen.length], [2, 0])
  assert.match(err, /two credentials/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { TOTP } from 'otpauth'
import { testApp } from '#fixtures/app.ts'
import { routes } from '../../contract/index.ts'
import { PROJECT_ROLES } from '../../contract/members.ts'
import * as contract from '../../contract/members.ts'
import type { Route } from '../../contract/route.ts'
import { createSetupLink } from './index.ts'
import { OPERATIONS_OF_ALL_ROLES, ROLE_PERMISSIONS } from './roles.ts'

const PASSWORD = 'correct horse battery'
const ORIGIN = { 'x-patchbay-console': '1', origin: 'http://localhost:3900' }
const noAssets = { get: () => Promise.reject(new Error('no bundle')), prepare() {}, async close() {} }

/** The application with its first owner, Ada, and functions that act as a browser. */
async function stage(t: Parameters<typeof testApp>[0]) {
  const app = await testApp(t, { console: noAssets })
  const inject = (options: InjectOptions) => app.app.http.inject(options)
  const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
    inject({ method: 'POST', url: `/console/auth${path}`, payload, headers: { ...ORIGIN, ...headers } })
  const cookieOf = (reply: { headers: Record<string, unknown> }) =>
    String(reply.headers['set-cookie']).split(';')[0] as string
  const setupToken = async () =>
    ((await createSetupLink(app.app.db, 'http://localhost:3900', app.clock.now())) as string).split(
      '#t=',
    )[1] as string
  const call = (
    cookie: string,
    method: string,
    path: string,
    payload?: object,
    project = app.keys.projectId,
  ) =>
    inject({
      method: method as 'GET',
      url: `/api/v3.1${path}`,
      headers: { ...ORIGIN, cookie, 'x-patchbay-project': project },
      ...(payload && { payload }),
    })
  return { ...app, inject, post, cookieOf, setupToken, call }
}
type Stage = Awaited<ReturnType<typeof stage>>

async function owner(s: Stage): Promise<string> {
  const token = await s.setupToken()
  const reply = await s.post('/setup', { token, email: 'ada@example.com', name: 'Ada', password: PASSWORD })
  assert.equal(reply.statusCode, 204, reply.body)
  return s.cookieOf(reply)
}

/** Invites a member and sets the password; returns the cookie. */
async function join(s: Stage, email: string, draft: object): Promise<string> {
  const { body, status } = await s.org(contract.inviteMember, {
    body: { email, name: email, ...draft } as never,
  })
  assert.equal(status, 201, JSON.stringify(body))
  const reply = await s.post('/setup', { token: body.url.split('#t=')[1] as string, password: PASSWORD })
  assert.equal(reply.statusCode, 204, reply.body)
  return s.cookieOf(reply)
}

test('members: a set-up link creates one owner, once and for 30 minutes', async (t) => {
  const s = await stage(t)
  const token = await s.setupToken()
  const draft = { token, email: 'ada@example.com', name: 'Ada', password: PASSWORD }
  const short = await s.post('/setup', { ...draft, password: 'short' })
  assert.deepEqual(
    [short.statusCode, short.json().error.errors],
    [400, ['Error in payload.password: must have at least 12 characters']],
  )
  const replies = await Promise.all([s.post('/setup', draft), s.post('/setup', draft)])
  assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [204, 410])
  const late = await s.setupToken()
  s.clock.advance(31 * 60_000)
  assert.equal((await s.post('/link', { token: late })).statusCode, 410)
  const { body } = await s.org(contract.listMembers)
  assert.deepEqual(
    body.items.map(({ email, role, status }) => [email, role, status]),
    [['ada@example.com', 'owner', 'active']],
  )
})

const WINDOW_MS = 15 * 60_000

test('members: sign-in needs the password, is limited, and reveals no accounts', async (t) => {
  const s = await stage(t)
  // Attempts count by quarters of an hour: the whole test is in one.
  s.clock.advance(WINDOW_MS - (s.clock.now() % WINDOW_MS))
  await owner(s)
  const right = await s.post('/login', { email: 'ADA@example.com', password: PASSWORD })
  assert.equal(right.statusCode, 204)
  assert.match(String(right.headers['set-cookie']), /HttpOnly; SameSite=Strict/)
  const wrong = await s.post('/login', { email: 'ada@example.com', password: 'wrong password' })
  const unknown = await s.post('/login', { email: 'bob@example.com', password: 'wrong password' })
  assert.deepEqual(
    [wrong.json().error.message, wrong.statusCode],
    [unknown.json().error.message, unknown.statusCode],
  )
  for (let attempt = 0; attempt < 9; attempt++)
    await s.post('/login', { email: 'ada@example.com', password: `wrong ${attempt}` })
  const limited = await s.post('/login', { email: 'ada@example.com', password: PASSWORD })
  assert.equal(limited.statusCode, 429)
  assert.ok(Number(limited.headers['retry-after']) > 0)
  s.clock.advance(WINDOW_MS)
  assert.equal((await s.post('/login', { email: 'ada@example.com', password: PASSWORD })).statusCode, 204)
})

test('console sessions: another origin, a missing header, idleness and sign-out end or deny access', async (t) => {
  const s = await stage(t)
  const cookie = await owner(s)
  const read = (headers: Record<string, string>) => s.inject({ url: '/api/v3.1/org/members', headers })
  assert.equal((await read({ ...ORIGIN, cookie })).statusCode, 200)
  assert.equal((await read({ cookie })).statusCode, 401, 'a cookie alone')
  for (const foreign of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    assert.equal((await read({ 'x-patchbay-console': '1', cookie, ...(foreign as object) })).statusCode, 403)
  const login = { email: 'ada@example.com', password: PASSWORD }
  assert.equal(
    (await s.post('/login', login, { origin: 'https://evil.example' })).statusCode,
    403,
    'login CSRF',
  )
  assert.equal(
    (
      await s.inject({
        method: 'DELETE',
        url: '/console/auth/sessions/cs_x',
        headers: { cookie, 'x-patchbay-console': '1' },
      })
    ).statusCode,
    403,
    'a change names its origin',
  )
  s.clock.advance(11 * 3_600_000)
  assert.equal((await read({ ...ORIGIN, cookie })).statusCode, 200)
  s.clock.advance(11 * 3_600_000)
  assert.equal((await read({ ...ORIGIN, cookie })).statusCode, 200, 'used within 12 hours')
  s.clock.advance(12 * 3_600_000 + 1)
  assert.equal((await read({ ...ORIGIN, cookie })).json().error.slug, 'Console_SessionExpired')
  const again = s.cookieOf(await s.post('/login', login))
  assert.notEqual(again, cookie)
  await s.post('/logout', {}, { cookie: again })
  assert.equal((await read({ ...ORIGIN, cookie: again })).statusCode, 401)
})

test('members: a code is needed once it is set up, counts once, and recovery codes replace it', async (t) => {
  const s = await stage(t)
  const cookie = await owner(s)
  const { secret, url } = (await s.post('/totp', {}, { cookie })).json<{ secret: string; url: string }>()
  assert.match(url, /^otpauth:\/\/totp\/Patchbay:ada/)
  const code = () => new TOTP({ secret }).generate({ timestamp: s.clock.now() })
  const confirmed = await s.post('/totp/confirm', { code: code() }, { cookie })
  const { recovery_codes: codes } = confirmed.json<{ recovery_codes: string[] }>()
  assert.equal(codes.length, 10)
  const login = (more: object = {}) =>
    s.post('/login', { email: 'ada@example.com', password: PASSWORD, ...more })
  assert.equal((await login()).json().error.slug, 'Member_CodeRequired')
  assert.equal((await login({ code: code() })).statusCode, 401, 'the code of the confirmation was used')
  s.clock.advance(30_000)
  const fresh = code()
  const both = await Promise.all([login({ code: fresh }), login({ code: fresh })])
  assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [204, 401])
  assert.equal((await login({ code: codes[0] })).statusCode, 204)
  assert.equal((await login({ code: codes[0] })).statusCode, 401, 'a recovery code counts once')
})

/** Whether a role may call an operation, from the tables of roles alone. */
function mayCall(role: string, route: Route): boolean {
  if (route.audience === 'public' || role === 'owner') return true
  if (role === 'admin')
    return !/^(projects\.delete|orgKeys\.(create|delete|rotate)|sso\.(delete|set|setOnly|test))$/.test(
      route.id,
    )
  if (route.audience === 'organization') return false
  if (!route.permission) return OPERATIONS_OF_ALL_ROLES.has(route.id)
  const levels = ROLE_PERMISSIONS[role as (typeof PROJECT_ROLES)[number]][route.permission.area as 'tools']
  return (levels as readonly string[] | undefined)?.includes(route.permission.level) ?? false
}

test('members: every operation × role is allowed or denied as the roles say', async (t) => {
  const s = await stage(t)
  const project = s.keys.projectId
  const cookies: Record<string, string> = { owner: await owner(s) }
  cookies['admin'] = await join(s, 'admin@example.com', { role: 'admin' })
  for (const role of PROJECT_ROLES)
    cookies[role] = await join(s, `${role}@example.com`, {
      role: 'member',
      projects: [{ project_id: project, role }],
    })
  cookies['none'] = await join(s, 'none@example.com', { role: 'member' })
  // Bodies and ids are invalid on purpose: whether the call is allowed is decided before they are read.
  const path = (route: Route) => route.path.replace(/:\w+/g, '~')
  const skipped = new Set([
    'session.info',
    'projectKeys.regenerate',
    'projects.regenerateApiKey',
    'events.stream',
  ])
  let checked = 0
  for (const route of routes) {
    if (
      route.audience === 'public' ||
      skipped.has(route.id) ||
      route.streams ||
      (route.method === 'GET' && !route.path.includes(':') && route.id.startsWith('toolkits'))
    )
      continue
    for (const [role, cookie] of Object.entries(cookies)) {
      const reply = await s.call(
        cookie,
        route.method,
        path(route),
        route.method === 'GET' ? undefined : ([] as never),
      )
      const isDenied =
        reply.statusCode === 403 && reply.json().error.slug === 'APIKey_InsufficientPermissions'
      if (isDenied) assert.match(reply.json().error.suggested_fix, /^Ask an owner or administrator /)
      const isHidden =
        reply.statusCode === 404 && reply.json().error.slug === 'Project_NotFound' && role === 'none'
      assert.equal(
        isDenied || isHidden,
        role === 'none' || !mayCall(role, route),
        `${role}: ${route.id} → ${reply.statusCode} ${reply.body.slice(0, 200)}`,
      )
      checked++
    }
  }
  assert.ok(checked > 500, `${checked} pairs were checked`)
})

test('members: only owners change owners, the last owner stays, and a removed member is signed out', async (t) => {
  const s = await stage(t)
  const ada = await owner(s)
  const admin = await join(s, 'admin@example.com', { role: 'admin' })
  const { body } = await s.org(contract.listMembers)
  const idOf = (email: string) => body.items.find((item) => item.email === email)?.id as string
  const slug = async (cookie: string, method: string, path: string, payload?: object) =>
    (await s.call(cookie, method, path, payload)).json<{ error?: { slug: string } }>().error?.slug
  assert.equal(
    await slug(admin, 'PATCH', `/org/members/${idOf('ada@example.com')}`, { role: 'admin' }),
    'Member_OwnerOnly',
  )
  assert.equal(
    await slug(admin, 'PATCH', `/org/members/${idOf('admin@example.com')}`, { role: 'owner' }),
    'Member_OwnerOnly',
  )
  assert.equal(await slug(ada, 'DELETE', `/org/members/${idOf('ada@example.com')}`), 'Member_LastOwner')
  assert.equal(
    await slug(ada, 'POST', '/org/members/invites', { email: 'ADA@example.com', name: 'x', role: 'admin' }),
    'Member_EmailTaken',
  )
  assert.equal(await slug(ada, 'DELETE', `/org/members/${idOf('admin@example.com')}`), undefined)
  assert.equal(await slug(admin, 'GET', '/org/members'), 'Console_SessionExpired')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '#fixtures/upstream.ts'
import type { Grant } from '../index.ts'
import { type Change, NOW, OK, provider } from '#fixtures/oauth2-provider.ts'

const json = (body: unknown): Answer => ({ json: body })
const token = (member: string | undefined, value: unknown, unit?: string): Change => ({
  token: { ...(member ? { map: { expires_in: member } } : {}), ...(unit ? { expiry_unit: unit } : {}) },
  reply: json({ access_token: 'a', [member ?? 'expires_in']: value }),
})
const RESPONSE_CASES: [string, Change, (grant: Grant) => unknown, unknown][] = [
  [
    'map',
    {
      token: { map: { access_token: 'data.token.value', refresh_token: 'data.refresh' } },
      reply: json({ data: { token: { value: 'deep' }, refresh: 'r' } }),
    },
    ({ credentials }) => [credentials['access_token'], credentials['refresh_token']],
    ['deep', 'r'],
  ],
  [
    'map $',
    { token: { map: { access_token: '$' } }, reply: { text: 'the-whole-body' } },
    ({ credentials }) => credentials['access_token'],
    'the-whole-body',
  ],
  [
    'from_cookie',
    {
      token: { from_cookie: 'SID' },
      reply: { json: { ok: true }, headers: { 'set-cookie': 'SID=s-1; Path=/; HttpOnly' } },
    },
    ({ credentials }) => credentials['access_token'],
    's-1',
  ],
  [
    'from_header',
    {
      token: { from_header: 'X-Token' },
      reply: { json: { access_token: 'not this' }, headers: { 'x-token': 'h-1' } },
    },
    ({ credentials }) => credentials['access_token'],
    'h-1',
  ],
  [
    'secondary',
    {
      token: { secondary: { access_token: 'user.token', scope: 'user.scope' } },
      reply: json({ access_token: 'a', user: { token: 'u', scope: 'x' } }),
    },
    ({ credentials }) => credentials['authed_user'],
    { access_token: 'u', scope: 'x' },
  ],
  [
    'no secondary',
    { reply: json({ access_token: 'a', user: { token: 'u' } }) },
    ({ credentials }) => 'authed_user' in credentials,
    false,
  ],
  [
    'capture',
    {
      token: { capture: { instance_url: 'instance.url' } },
      reply: json({ access_token: 'a', instance: { url: 'https://x' } }),
    },
    ({ credentials }) => credentials['instance_url'],
    'https://x',
  ],
  [
    'callback.capture',
    { more: { callback: { capture: { realm: 'realmId' } } }, callback: { realmId: 'R7' } },
    ({ credentials }) => credentials['realm'],
    'R7',
  ],
  [
    'lifetime_seconds',
    { token: { lifetime_seconds: 100 }, reply: json({ access_token: 'a' }) },
    ({ expiresAt }) => expiresAt,
    NOW + 100_000,
  ],
  ['no lifetime', { reply: json({ access_token: 'a' }) }, ({ expiresAt }) => expiresAt, null],
  [
    'the reply goes before lifetime_seconds',
    { token: { lifetime_seconds: 100 } },
    ({ expiresAt }) => expiresAt,
    NOW + 3_600_000,
  ],
  ['seconds', token(undefined, '60'), ({ expiresAt }) => expiresAt, NOW + 60_000],
  ['milliseconds', token(undefined, 60_000, 'milliseconds'), ({ expiresAt }) => expiresAt, NOW + 60_000],
  [
    'unix_seconds',
    token('expiresAt', NOW / 1_000 + 60, 'unix_seconds'),
    ({ expiresAt }) => expiresAt,
    NOW + 60_000,
  ],
  [
    'unix_milliseconds',
    token('expiresAt', NOW + 60_000, 'unix_milliseconds'),
    ({ expiresAt }) => expiresAt,
    NOW + 60_000,
  ],
  [
    'date',
    token('expiresAt', new Date(NOW + 60_000).toISOString(), 'date'),
    ({ expiresAt }) => expiresAt,
    NOW + 60_000,
  ],
  ['an end that is none', token(undefined, 'soon'), ({ expiresAt }) => expiresAt, null],
  [
    'an end beyond all dates',
    token(undefined, 1e300),
    ({ expiresAt }) => new Date(expiresAt as number).getUTCFullYear(),
    9999,
  ],
  [
    'success_statuses',
    { token: { success_statuses: [201] }, reply: { status: 201, ...OK } },
    ({ credentials }) => credentials['access_token'],
    'a-1',
  ],
  [
    'success_when',
    {
      token: { success_when: { body: { path: 'ok', equals: true } } },
      reply: json({ ok: true, error: '', access_token: 'a' }),
    },
    ({ credentials }) => credentials['access_token'],
    'a',
  ],
  [
    'a form in place of JSON',
    {
      reply: {
        text: 'access_token=a%20b&expires_in=60&token_type=bearer',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    },
    ({ credentials, expiresAt }) => [credentials['access_token'], expiresAt],
    ['a b', NOW + 60_000],
  ],
  [
    'a form that says it is text',
    { reply: { text: 'access_token=a&scope=' } },
    ({ credentials }) => credentials,
    { access_token: 'a' },
  ],
]

test('token response: each field that reads it changes the result', async (t) => {
  const p = await provider(t)
  for (const [what, change, look, expected] of RESPONSE_CASES)
    assert.deepEqual([what, look(await p.exchange(change))], [what, expected])
})

const FAILURES: readonly (readonly [string, Change, string, RegExp])[] = [
  ['success_statuses', { token: { success_statuses: [201] } }, 'ProviderUnavailable', /status 200/],
  [
    'success_when',
    {
      token: { success_when: { body: { path: 'ok', equals: true } } },
      reply: { json: { ok: false, error: 'invalid_code', access_token: 'a' } },
    },
    'GrantRejected',
    /invalid_code/,
  ],
  [
    '200 with an error',
    { reply: { json: { error: 'server_busy', error_description: 'later' } } },
    'ProviderUnavailable',
    /server_busy: later/,
  ],
  [
    'an error together with a token',
    { reply: { json: { error: 'x', access_token: 'a' } } },
    'ProviderUnavailable',
    /x/,
  ],
  [
    'an error that is an object',
    { reply: { status: 400, json: { error: { code: 'invalid_grant' } } } },
    'GrantRejected',
    /invalid_grant/,
  ],
  [
    'an error in a form',
    { reply: { text: 'error=bad_verification_code&error_description=The+code+is+wrong' } },
    'GrantRejected',
    /The code is wrong/,
  ],
  [
    "the callback's error",
    { callback: { error: 'access_denied', error_description: 'no' } },
    'GrantRejected',
    /access_denied: no/,
  ],
  ["the callback's error, twice", { callback: { error: ['a', 'b'] } }, 'GrantRejected', /a,b/],
  [
    'a code under another name',
    { more: { callback: { code_param: 'auth_code' } } },
    'ProviderUnavailable',
    /without auth_code/,
  ],
  [
    'a captured value that is none of the provider',
    {
      more: { callback: { capture: { realm: { param: 'realmId', pattern: 'R\\d' } } } },
      callback: { realmId: 'R7.evil.example' },
    },
    'ProviderUnavailable',
    /an invalid realmId/,
  ],
  [
    'a template without a value',
    { token: { params: { x: '{realm}' } }, more: { callback: { capture: { realm: 'realmId' } } } },
    'ProviderUnavailable',
    /No value for `realm`/,
  ],
]

test('token response: only what the manifest declares as success is a success', async (t) => {
  const p = await provider(t)
  for (const [what, change, name, message] of FAILURES)
    await assert.rejects(p.exchange(change), (error: Error) => {
      assert.deepEqual([what, error.name], [what, name])
      assert.match(error.message, message)
      return true
    })
})

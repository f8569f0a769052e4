import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources } from '../../load/load.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'

type Parts = Record<string, unknown>
/** What is wrong with a manifest that differs in this from a sound one. */
function diagnosticsOf({
  token,
  refresh,
  toolkit,
  tool,
  ...more
}: { token?: Parts; refresh?: Parts | undefined; toolkit?: Parts; tool?: Parts } & Parts): string {
  const auth = {
    scheme: 'OAUTH2',
    authorize: { url: 'https://a.example/authorize' },
    token: { url: 'https://a.example/token', ...token },
    refresh: { rotates: 'always', ...refresh },
    ...more,
  }
  try {
    catalogFromSources([
      sampleSource({ base_url: 'https://a.example', auth: [auth], ...toolkit }, [sampleTool(tool)]),
    ])
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
const step = (more: Parts = {}) => ({ url: 'https://a.example/step', ...more })
const mail = (more: Parts = {}) => ({ name: 'mail_token', params: { scope: 'mail' }, ...more })

test('token requests: captured values and derived tokens are connection values', () => {
  assert.equal(
    diagnosticsOf({
      token: {
        steps: [
          step({ capture: { rest: 'restUrl', sid: 'sid' } }),
          step({ url: '{rest}/open', params: { sid: '{sid}' } }),
        ],
      },
      base_url: '{rest}',
      apply: { headers: { 'x-session': '{sid}' } },
    }),
    '',
  )
  assert.equal(
    diagnosticsOf({
      derived_tokens: [mail()],
      apply: { headers: { authorization: 'Bearer {mail_token}' } },
      tool: { use_token: 'mail_token' },
    }),
    '',
  )
  assert.match(diagnosticsOf({ tool: { use_token: 'mail_token' } }), /not a value of a connection/)
})

test('token requests: steps that cannot run are rejected', () => {
  const cases: [Parts, RegExp][] = [
    [{ token: { steps: [] } }, /token\/steps/],
    [{ token: { steps: Array.from({ length: 6 }, () => step()) } }, /token\/steps/],
    [{ token: { steps: {} } }, /token\/steps/],
    [{ token: { steps: [null] } }, /steps\/0/],
    [{ token: { steps: [{}] } }, /`url` is missing/],
    [{ token: { steps: [step({ method: 'TRACE' })] } }, /steps\/0\/method/],
    [{ token: { steps: [step({ urls: 'x' })] } }, /unknown key `urls`/],
    [{ token: { steps: [step({ map: { access_token: 'a b' } })] } }, /map/],
    [{ token: { steps: [step({ capture: { sid: '' } })] } }, /capture/],
    [
      { token: { steps: [step({ url: '{later}' }), step({ capture: { sid: 'x' } })] } },
      /steps\/0\/url: no field, token or captured value is named `later`/,
    ],
    [
      { token: { steps: [step({ params: { v: '{code_verifier}' } })] } },
      /no field, token or captured value is named `code_verifier`/,
    ],
    [
      { refresh: { steps: [step({ headers: { a: '{nothing}' } })] } },
      /refresh\/steps\/0\/headers\/a: no field, token or captured value is named/,
    ],
    [{ refresh: { with: 'access_token', steps: [step()] } }, /cannot follow a refresh with the access token/],
    [
      { token: { introspect: { url: '{nothing}' } } },
      /introspect\/url: no field, token or captured value is named/,
    ],
    [{ id_token: { issuer: '{nothing}' } }, /id_token\/issuer: no field, token or captured value is named/],
    [{ id_token: { jwks: 'x' } }, /unknown key `jwks`/],
    [{ token: { introspect: true } }, /introspect/],
  ]
  for (const [change, reason] of cases) assert.match(diagnosticsOf(change), reason)
})

test('token requests: callback values do not select the host of a further request', () => {
  for (const token of [
    { steps: [step({ url: 'https://{place}/x' })] },
    { introspect: { url: 'https://{place}/x' } },
  ]) {
    assert.match(
      diagnosticsOf({
        id_token: { jwks_url: 'https://{place}/keys' },
        callback: { capture: { place: 'place' } },
      }),
      /id_token\/jwks_url: `place` comes from the callback/,
    )
    assert.match(
      diagnosticsOf({ token, callback: { capture: { place: 'place' } } }),
      /`place` comes from the callback and selects a host/,
    )
    assert.equal(
      diagnosticsOf({
        token,
        callback: { capture: { place: { param: 'place', pattern: '[a-z]+\\.a\\.example' } } },
      }),
      '',
    )
  }
})

test('token requests: a derived token that overwrites a value or has no refresh token is rejected', () => {
  const cases: [Parts, RegExp][] = [
    [{ derived_tokens: [mail(), mail()] }, /derived_tokens\/1\/name: `mail_token` is already the name/],
    [{ derived_tokens: [mail({ name: 'access_token' })] }, /is already the name/],
    [{ derived_tokens: [mail({ name: 'refresh_token' })] }, /is already the name/],
    [{ derived_tokens: [mail({ name: 'id_token' })] }, /is already the name/],
    [{ derived_tokens: [mail({ name: 'mail' })] }, /name/],
    [{ derived_tokens: [mail({ name: '__proto__' })] }, /name/],
    [
      { derived_tokens: [mail({ params: { a: '{nothing}' } })] },
      /no field, token or captured value is named/,
    ],
    [
      { derived_tokens: Array.from({ length: 6 }, (_, n) => mail({ name: `t${n}_token` })) },
      /derived_tokens/,
    ],
    [{ derived_tokens: [mail()], refresh: { with: 'never' } }, /need a refresh token/],
    [{ derived_tokens: [mail()], token: { capture: { mail_token: 'x' } } }, /is already the name/],
  ]
  for (const [change, reason] of cases) assert.match(diagnosticsOf(change), reason)
})

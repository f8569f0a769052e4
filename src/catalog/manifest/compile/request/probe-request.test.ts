import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReplyText, renderProbeRequest } from './probe-request.ts'
import { catalogFromSources } from '../../load/load.ts'
import { ManifestError } from '../../diagnostics.ts'
import { sampleSource } from '#fixtures/sample-toolkits.ts'

const lookup = (values: Record<string, unknown>) => (name: string) => values[name]
const diagnosticsOf = (identity: unknown): string => {
  try {
    catalogFromSources([sampleSource({ identity })])
    return ''
  } catch (error) {
    return error instanceof ManifestError
      ? error.diagnostics.map(({ path, reason }) => `${path} ${reason}`).join('\n')
      : String(error)
  }
}

test('probe request: connection values are inserted, and GraphQL braces are unchanged', () => {
  const request = renderProbeRequest(
    {
      path: '/me/{team}',
      query: { of: '{team}' },
      headers: { 'X-Team': '{team}' },
      body: { query: '{ viewer { id } }', team: '{team}' },
    },
    lookup({ team: 'a b' }),
  )
  assert.deepEqual(request, {
    method: 'GET',
    path: '/me/a%20b',
    query: [['of', 'a b']],
    headers: { 'x-team': 'a b' },
    body: { query: '{ viewer { id } }', team: 'a b' },
    bodyType: 'json',
  })
  assert.throws(() => renderProbeRequest({ path: '/me/{team}' }, lookup({})), { name: 'MissingValue' })
  assert.throws(
    () =>
      renderProbeRequest(
        { path: '/me', headers: { 'x-team': '{team}' } },
        lookup({ team: 'a\r\nx-evil: 1' }),
      ),
    { name: 'UnsafeValue' },
  )
})

test('probe request: an identity value is a short text without control characters, or undefined', () => {
  const reply = {
    id: 7,
    zero: 0,
    long: 'x'.repeat(5_000),
    odd: ' \ud800\u0000a\u001b[31m ',
    none: null,
    object: {},
    list: ['a'],
    yes: true,
    endless: Infinity,
    blank: ' ',
  }
  const read = (member: string) => readReplyText(member, reply, lookup({ host: 'acme' }))
  assert.deepEqual(['id', 'zero', 'list[0]', '{host}'].map(read), ['7', '0', 'a', 'acme'])
  assert.deepEqual(
    [
      'none',
      'object',
      'list',
      'yes',
      'endless',
      'blank',
      'missing.deep',
      'constructor.name',
      '__proto__',
      '{other}',
      '{other?}',
    ].map(read),
    Array(11).fill(null),
  )
  assert.deepEqual([read('long')?.length, read('odd')], [300, '\ufffd a [31m'])
  assert.equal(readReplyText(undefined, reply, lookup({})), null)
  for (const hostile of [null, undefined, 'text', 7, []])
    assert.equal(readReplyText('id', hostile, lookup({})), null)
})

test('probe request: an identity path that can never match is rejected when the toolkit loads', () => {
  assert.equal(diagnosticsOf({ path: '/me', id: 'user.id', tenant: '{subdomain}' }), '')
  for (const [identity, reason] of [
    [{}, /path/],
    [{ path: '/{nobody}' }, /identity\/path no field, token or captured value is named `nobody`/],
    [{ path: '/me', id: 'a b' }, /identity\/id `a b` is not a path/],
    [{ path: '/me', id: '{nobody}' }, /identity\/id no field, token or captured value is named/],
    [{ path: '/me', id: '{' + 'x'.repeat(300) }, /identity\/id/],
    [{ path: '/me', method: 'DELETE' }, /method/],
    [
      { path: '/me', body: { deep: [{ q: '{nobody}' }] } },
      /identity\/body\/deep\/0\/q no field, token or captured value is named/,
    ],
    [{ path: '/me', mail: 'x' }, /mail/],
    [{ path: '/me', id: 7 }, /id/],
    [{ path: '/me', headers: { 'x-a': '{nobody}' } }, /identity\/headers\/x-a/],
    ['/me', /identity/],
  ] as const)
    assert.match(diagnosticsOf(identity), reason)
})

test('post-connect steps: they use known values, do not overwrite credentials, and have a limit', () => {
  const wrong = (steps: unknown): string => {
    try {
      catalogFromSources([
        sampleSource({
          auth: [{ scheme: 'BEARER_TOKEN', post_connect: steps }],
          base_url: 'https://api.example',
        }),
      ])
      return ''
    } catch (error) {
      return error instanceof ManifestError
        ? error.diagnostics.map(({ path, reason }) => `${path} ${reason}`).join('\n')
        : String(error)
    }
  }
  const step = (more: object = {}) => ({
    request: { path: '/sites' },
    value: 'id',
    select: 'ask',
    save: { site: 'id' },
    ...more,
  })
  assert.equal(
    wrong([
      step(),
      step({ request: { path: '/of/{site}', headers: { 'x-token': '{token}' } }, save: { room: 'id' } }),
    ]),
    '',
  )
  for (const [steps, reason] of [
    [
      [step({ request: { path: '/of/{site}' } })],
      /post_connect\/0\/request\/path no field, token or captured value is named `site`/,
    ],
    [
      [step({ request: { path: '/of/{room}' } }), step({ save: { room: 'id' } })],
      /no field, token or captured value is named `room`/,
    ],
    [[step({ save: { token: 'id' } })], /save\/token is the name of a credential/],
    [[step({ save: { status: 'id' } })], /save\/status is the name of a credential/],
    [[step({ save: {} })], /save/],
    [[step({ save: { 'a b': 'id' } })], /save/],
    [[step({ select: 'any' })], /select/],
    [[step({ items: 'a..b' })], /items/],
    [[step({ value: '' })], /value/],
    [[], /post_connect/],
    [Array(6).fill(step()), /post_connect/],
    [{}, /post_connect/],
    [[step({ save: { ['__proto__x']: 'id' } })], /save/],
    [[step({ what: 'x'.repeat(41) })], /what/],
    [[step({ request: { path: '/a', method: 'DELETE' } })], /method/],
  ] as const)
    assert.match(wrong(steps), reason)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Change, formOf, provider } from '#fixtures/oauth2-provider.ts'

const ADMIN: Change = {
  authorize: { flow: 'admin_consent' },
  refresh: { with: 'client' },
  token: { params: { tenant: '{tenant}' } },
  more: { callback: { capture: { tenant: { param: 'tenant', pattern: '[\\w-]+' } } } },
}
const INBOUND: Change = {
  authorize: { flow: 'inbound_install' },
  more: { callback: { state_from: 'cookie' } },
}

test('a page that is no authorization endpoint is sent what it takes, and what the manifest adds', async (t) => {
  const p = await provider(t)
  const names = async (change: Change) => [...(await p.authorize(change)).params.keys()].sort()
  assert.deepEqual(await names({ authorize: { flow: 'install' } }), ['state'])
  assert.deepEqual(await names(INBOUND), [])
  assert.deepEqual(await names(ADMIN), ['client_id', 'redirect_uri', 'state'])
  assert.deepEqual(
    await names({ ...ADMIN, authorize: { flow: 'admin_consent', params: { scope: 'all' } } }),
    ['client_id', 'redirect_uri', 'scope', 'state'],
  )
  assert.equal((await p.authorize(INBOUND)).url, `${p.stub.url}/authorize`)
})

test('the code of an installation is traded as any other, without PKCE', async (t) => {
  const p = await provider(t)
  const { request, val } = await p.exchange({
    authorize: { flow: 'install' },
    callback: { installation_id: '77', setup_action: 'install' },
    more: { callback: { capture: { installation_id: 'installation_id' } } },
  })
  assert.deepEqual(
    [
      formOf(request).get('grant_type'),
      formOf(request).get('code'),
      formOf(request).has('code_verifier'),
      val['installation_id'],
    ],
    ['authorization_code', 'c-1', false, '77'],
  )
})

test('after the consent of an administrator the client asks by itself, without a code', async (t) => {
  const p = await provider(t)
  const { request, val } = await p.exchange({
    ...ADMIN,
    callback: { code: undefined, tenant: 't-9', admin_consent: 'True' },
  })
  assert.deepEqual(Object.fromEntries(formOf(request)), {
    grant_type: 'client_credentials',
    client_id: 'id 1',
    client_secret: 'secret+1',
    tenant: 't-9',
  })
  assert.equal(val['tenant'], 't-9')
})

test('a return that brings no proof is refused, and asks for no token', async (t) => {
  const p = await provider(t)
  for (const [what, change, name, message] of [
    [
      'an installation that waits',
      { authorize: { flow: 'install' }, callback: { code: undefined, setup_action: 'request' } },
      'GrantRefused',
      /waits for the approval/,
    ],
    [
      'an installation without a code',
      { authorize: { flow: 'install' }, callback: { code: undefined, setup_action: 'update' } },
      'ProviderTrouble',
      /without code/,
    ],
    ['no consent', { ...ADMIN, callback: { tenant: 't-9' } }, 'GrantRefused', /No administrator/],
    [
      'a consent that is none',
      { ...ADMIN, callback: { tenant: 't-9', admin_consent: 'False' } },
      'GrantRefused',
      /No administrator/,
    ],
    [
      'a consent that is a list',
      { ...ADMIN, callback: { tenant: 't-9', admin_consent: ['True', 'True'] } },
      'GrantRefused',
      /No administrator/,
    ],
    ['no tenant', { ...ADMIN, callback: { admin_consent: 'True' } }, 'ProviderTrouble', /without tenant/],
    [
      'a tenant that is a list',
      { ...ADMIN, callback: { admin_consent: 'True', tenant: ['a', 'b'] } },
      'ProviderTrouble',
      /without tenant/,
    ],
    [
      'a tenant that is none',
      { ...ADMIN, callback: { admin_consent: 'True', tenant: 'a.evil.example' } },
      'ProviderTrouble',
      /a tenant that it cannot have/,
    ],
    [
      'an error',
      { ...ADMIN, callback: { admin_consent: 'True', tenant: 't-9', error: 'access_denied' } },
      'GrantRefused',
      /access_denied/,
    ],
  ] as const) {
    await assert.rejects(p.exchange(change as Change), (error: Error) => {
      assert.deepEqual([what, error.name], [what, name])
      assert.match(error.message, message)
      return true
    })
  }
  assert.equal(p.stub.requests.length, 0)
})

test('manifests whose walk could not end are refused', async (t) => {
  const p = await provider(t)
  for (const [change, reason] of [
    [{ authorize: { flow: 'inbound_install' } }, /`state_from` must be `cookie`/],
    [{ more: { callback: { state_from: 'cookie' } } }, /wherever a state comes back, the state decides/],
    [{ authorize: { flow: 'install' }, more: { callback: { state_from: 'cookie' } } }, /the state decides/],
    [{ ...ADMIN, refresh: {} }, /"with": "client"/],
    [{ ...ADMIN, token: { grant_type: 'authorization_code' } }, /no such grant/],
    [{ authorize: { flow: 'magic' } }, /must be install, inbound_install, admin_consent/],
  ] as const)
    await assert.rejects(p.authorize(change as Change), reason)
})

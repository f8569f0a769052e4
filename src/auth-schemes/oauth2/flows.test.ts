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

test('install and consent pages: receive only the parameters that they support', async (t) => {
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

test('install flow: the code is exchanged like any other, without PKCE', async (t) => {
  const p = await provider(t)
  const { request, credentials } = await p.exchange({
    authorize: { flow: 'install' },
    callback: { installation_id: '77', setup_action: 'install' },
    more: { callback: { capture: { installation_id: 'installation_id' } } },
  })
  assert.deepEqual(
    [
      formOf(request).get('grant_type'),
      formOf(request).get('code'),
      formOf(request).has('code_verifier'),
      credentials['installation_id'],
    ],
    ['authorization_code', 'c-1', false, '77'],
  )
})

test('admin consent: the client requests a token with its own credentials, without a code', async (t) => {
  const p = await provider(t)
  const { request, credentials } = await p.exchange({
    ...ADMIN,
    callback: { code: undefined, tenant: 't-9', admin_consent: 'True' },
  })
  assert.deepEqual(Object.fromEntries(formOf(request)), {
    grant_type: 'client_credentials',
    client_id: 'id 1',
    client_secret: 'secret+1',
    tenant: 't-9',
  })
  assert.equal(credentials['tenant'], 't-9')
})

test('install and consent callbacks: an unproven callback is rejected without a token request', async (t) => {
  const p = await provider(t)
  for (const [what, change, name, message] of [
    [
      'an installation that waits for approval',
      { authorize: { flow: 'install' }, callback: { code: undefined, setup_action: 'request' } },
      'GrantRejected',
      /must approve the installation/,
    ],
    [
      'an installation without a code',
      { authorize: { flow: 'install' }, callback: { code: undefined, setup_action: 'update' } },
      'ProviderUnavailable',
      /without code/,
    ],
    ['no consent', { ...ADMIN, callback: { tenant: 't-9' } }, 'GrantRejected', /No administrator/],
    [
      'a consent that was denied',
      { ...ADMIN, callback: { tenant: 't-9', admin_consent: 'False' } },
      'GrantRejected',
      /No administrator/,
    ],
    [
      'a consent that is a list',
      { ...ADMIN, callback: { tenant: 't-9', admin_consent: ['True', 'True'] } },
      'GrantRejected',
      /No administrator/,
    ],
    ['no tenant', { ...ADMIN, callback: { admin_consent: 'True' } }, 'ProviderUnavailable', /without tenant/],
    [
      'a tenant that is a list',
      { ...ADMIN, callback: { admin_consent: 'True', tenant: ['a', 'b'] } },
      'ProviderUnavailable',
      /without tenant/,
    ],
    [
      'a tenant that does not match the pattern',
      { ...ADMIN, callback: { admin_consent: 'True', tenant: 'a.evil.example' } },
      'ProviderUnavailable',
      /an invalid tenant/,
    ],
    [
      'an error',
      { ...ADMIN, callback: { admin_consent: 'True', tenant: 't-9', error: 'access_denied' } },
      'GrantRejected',
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

test('manifest: a flow that could not complete is rejected', async (t) => {
  const p = await provider(t)
  for (const [change, reason] of [
    [{ authorize: { flow: 'inbound_install' } }, /`state_from` must be `cookie`/],
    [{ more: { callback: { state_from: 'cookie' } } }, /is only for `authorize.flow: inbound_install`/],
    [
      { authorize: { flow: 'install' }, more: { callback: { state_from: 'cookie' } } },
      /other flows return a state/,
    ],
    [{ ...ADMIN, refresh: {} }, /"with": "client"/],
    [{ ...ADMIN, token: { grant_type: 'authorization_code' } }, /is not allowed for `admin_consent`/],
    [{ authorize: { flow: 'magic' } }, /must be install, inbound_install, admin_consent/],
  ] as const)
    await assert.rejects(p.authorize(change as Change), reason)
})

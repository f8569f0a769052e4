import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeConnection } from '../../auth-schemes/index.ts'
import type { Catalog } from '../../catalog/index.ts'
import { createConnectionContext } from './credentials.ts'

type Deps = Parameters<typeof createConnectionContext>[0]

/** A context of a config with encrypted parts, and the parts that were decrypted so far. */
function contextOf() {
  const decrypted: string[] = []
  const parts: Record<string, unknown> = {
    client: { client_id: 'c' },
    shared: { host: 'h' },
    proxy: { proxy_url: 'http://proxy.test', proxy_auth_key: 'k' },
  }
  const decrypt = (encrypted: Buffer) => {
    decrypted.push(encrypted.toString())
    return parts[encrypted.toString()]
  }
  const context = createConnectionContext(
    {
      encryptor: { decrypt },
      catalog: {
        toolkit: () => ({ slug: 't', schemes: [{ mode: 'OAUTH2', manifest: {} }] }),
      } as unknown as Catalog,
      managed: {},
      callbackUrl: 'https://patchbay.test/callback',
    } as unknown as Deps,
    {
      id: 'ac_1',
      credentials: Buffer.from('client'),
      shared_credentials: Buffer.from('shared'),
      proxy_config: Buffer.from('proxy'),
      toolkit_slug: 't',
      auth_scheme: 'OAUTH2',
      is_service_managed: false,
    },
    () => {
      decrypted.push('user')
      return { access_token: 'a' }
    },
  )
  assert.ok(context)
  return { context, decrypted }
}

test('a part of a connection context is decrypted when it is first read, and once', () => {
  const { context, decrypted } = contextOf()
  assert.deepEqual(decrypted, [])
  assert.deepEqual([context.credentials, context.credentials], [{ access_token: 'a' }, { access_token: 'a' }])
  assert.deepEqual(context.proxy, { url: 'http://proxy.test', authKey: 'k' })
  assert.equal(context.proxy, context.proxy)
  assert.deepEqual(decrypted, ['user', 'proxy'])
})

test('a connection context has no accessors of its own, which would keep memory', () => {
  const own = Object.getOwnPropertyDescriptors(contextOf().context)
  assert.ok('scheme' in own)
  assert.deepEqual(
    Object.entries(own).filter(([, { get }]) => get),
    [],
  )
})

test('a changed connection has all other parts of the context', () => {
  const { context } = contextOf()
  assert.deepEqual(changeConnection(context, { credentials: { access_token: 'b' } }), {
    scheme: context.scheme,
    authConfigCredentials: { client_id: 'c' },
    sharedCredentials: { host: 'h' },
    credentials: { access_token: 'b' },
    redirectUri: context.redirectUri,
    proxy: { url: 'http://proxy.test', authKey: 'k' },
  })
  assert.ok(context.redirectUri)
})

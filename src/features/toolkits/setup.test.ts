import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../../catalog/index.ts'
import { readToolkitSetup } from '../../contract/toolkits/index.ts'

const AUTH = [
  {
    scheme: 'OAUTH2',
    name: 'Shop sign-in',
    hint_url: 'https://docs.shop.example/oauth',
    authorize: { url: 'https://shop.example/authorize' },
    token: { url: 'https://shop.example/token' },
    redirect_rules: { https_only: true },
    scopes: {
      default: ['orders'],
      available: ['orders', 'customers'],
      descriptions: { orders: 'Read your orders' },
    },
    setup: {
      console_url: 'https://shop.example/apps',
      steps: ['Register {redirect_uri}', 'Add {scopes}'],
    },
  },
]
const catalog = () =>
  catalogFromSources([sampleSource({ base_url: 'https://shop.example', auth: AUTH }, [sampleTool()])])

test('setup of a toolkit: the steps name the redirect URI, and whether the vendor accepts it', async (t) => {
  const { call } = await testApp(t, { catalog: catalog() })
  const { body } = await call(readToolkitSetup, { params: { slug: 'shop' } })
  const redirect = 'http://localhost:3900/api/v3/toolkits/auth/callback'
  assert.deepEqual(body.schemes[0], {
    mode: 'OAUTH2',
    name: 'Shop sign-in',
    redirect_uri: redirect,
    needs_https: true,
    redirect_uri_accepted: false,
    console_url: 'https://shop.example/apps',
    token_url: 'https://shop.example/token',
    default_scopes: [{ scope: 'orders', description: 'Read your orders' }],
    managed: false,
    steps: [`Register ${redirect}`, 'Add orders'],
    source: 'https://docs.shop.example/oauth',
  })
  assert.equal(body.schemes[1]?.mode, 'BEARER_TOKEN')
  assert.equal(body.schemes[1]?.redirect_uri, null)
  assert.match(body.schemes[1]!.steps.join(), /Sign in to Shop/, 'a scheme without steps has general ones')
  assert.equal((await call(readToolkitSetup, { params: { slug: 'nothing' } })).status, 404)
})

test('setup of a toolkit: behind an https URL the redirect URI is accepted', async (t) => {
  const { call } = await testApp(t, { catalog: catalog(), publicUrl: 'https://agents.example' })
  const { body } = await call(readToolkitSetup, { params: { slug: 'shop' } })
  assert.equal(body.schemes[0]?.redirect_uri_accepted, true)
})

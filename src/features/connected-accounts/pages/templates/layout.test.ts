import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGLISH } from '../language/index.ts'
import { renderConnectPage } from './connect-page.ts'
import { contentSecurityPolicy, imageOriginsOf } from './layout.ts'

test('pages: the URL of a logo or of a redirect cannot add a directive to the content security policy', () => {
  const attack = 'https://a;sandbox/x'
  assert.equal(new URL(attack).origin, 'https://a;sandbox', 'the URL parser accepts the attack')
  const policy = contentSecurityPolicy(
    imageOriginsOf(
      attack,
      'https://b,script-src/x',
      'https://logo.example:8443/a.png',
      'http://[::1]:3900/a',
    ),
    [new URL(attack).origin, 'https://app.example', 'com.example.app:'],
  )
  assert.doesNotMatch(policy, /sandbox|script-src/)
  assert.match(policy, /img-src 'self' https:\/\/logo\.example:8443 http:\/\/\[::1\]:3900 data:/)
  assert.match(policy, /form-action 'self' https:\/\/app\.example com\.example\.app:;/)
})

test('pages: the policy allows the script of the page by its hash, and no other', () => {
  const policy = contentSecurityPolicy([], [], null, 'update()')
  assert.match(policy, /script-src 'sha256-[A-Za-z0-9+/]{43}='(?:;|$)/)
  assert.notEqual(policy, contentSecurityPolicy([], [], null, 'update() '))
})

test('pages: the hint of a manifest is a link only with http or https', () => {
  const page = (hintUrl: string) =>
    renderConnectPage(
      {
        toolkit: { slug: 'shop', name: 'Shop' },
        projectName: 'App',
        projectLogo: null,
        publicUrl: 'http://localhost:3900',
        userId: undefined,
        permissions: [],
        fields: [{ name: 'key', display_name: 'Key', description: 'Key of the shop.', value: '' }],
        errors: {},
        continuesAtProvider: false,
        hintUrl,
        action: { token: 't', formToken: 'f' },
      },
      ENGLISH,
    )
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'not a url'])
    assert.doesNotMatch(page(url), /Where do I find this/, url)
  assert.match(page('https://docs.shop.example/keys'), /href="https:\/\/docs\.shop\.example\/keys"/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentColors, CARD_COLORS, contrast, type Scheme } from '../../../../contract/theme-colors.ts'
import { updateProjectConfig } from '../../../../contract/projects/index.ts'
import { linkConnectedAccount } from '../../../../contract/connected-accounts/index.ts'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { contentHash, themeStyle } from './theme.ts'

test('theme: text of the accent colour, and on it, is readable in both themes for every colour', () => {
  const parts = ['00', '33', '77', 'bb', 'ff']
  for (const red of parts)
    for (const green of parts)
      for (const blue of parts)
        for (const scheme of ['light', 'dark'] as Scheme[]) {
          const { accent, onAccent } = accentColors(`#${red}${green}${blue}`, scheme)
          assert.match(accent, /^#[0-9a-f]{6}$/)
          assert.ok(contrast(accent, CARD_COLORS[scheme]) >= 4.5, `${accent} on the page, ${scheme}`)
          assert.ok(contrast(accent, onAccent) >= 4.5, `${onAccent} on ${accent}`)
        }
  assert.equal(accentColors('#0F766E', 'light').accent, '#0f766e', 'a readable colour stays')
})

test('theme: the connect page has colour and links of the project; its policy allows this style only', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const link = async () => {
    const { body } = await s.call(linkConnectedAccount, {
      body: { auth_config_id: await s.addAuthConfig('API_KEY'), user_id: 'u1' },
    })
    return s.app.http.inject({ url: new URL(body.redirect_url).pathname, headers: { accept: 'text/html' } })
  }
  const plain = await link()
  assert.doesNotMatch(plain.body, /class="links"/)
  const body = {
    accent_color: '#0F766E',
    support_url: 'https://example.com/help',
    privacy_url: 'https://example.com/privacy?a=1&b=2',
  }
  assert.equal((await s.call(updateProjectConfig, { body })).status, 200)
  const { body: page, headers } = await link()
  const style = themeStyle('#0F766E') as string
  assert.ok(page.includes(`<style>${style}</style>`))
  assert.ok(String(headers['content-security-policy']).includes(contentHash(style)))
  assert.match(page, /href="https:\/\/example.com\/help"[^>]*>Support</)
  assert.match(page, /href="https:\/\/example.com\/privacy\?a=1&\S+?b=2"[^>]*>Privacy</)
  for (const accent of ['red', '#12345', '#1234567', 'url(x)'])
    assert.equal((await s.call(updateProjectConfig, { body: { accent_color: accent } })).status, 400, accent)
  assert.equal(themeStyle('red}'), undefined, 'a value that was stored earlier is not used')
})

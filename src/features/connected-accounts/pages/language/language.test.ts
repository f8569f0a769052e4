import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../templates/html.ts'
import { renderMessagePage } from '../templates/message-page.ts'
import { languageCookie, languageOf, requestedLanguage, text, TEXTS, translatorFor } from './index.ts'

const placeholders = (source: string) => (source.match(/\{\w*\}?/g) ?? []).toSorted()

test('languages: each has every text of English, with the same placeholders', () => {
  assert.deepEqual(Object.keys(TEXTS), ['en', 'de', 'fr', 'es', 'pt'])
  const { en, ...others } = TEXTS
  for (const [language, texts] of Object.entries(others)) {
    assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(en).toSorted(), language)
    for (const [key, english] of Object.entries(en)) {
      const translation = texts[key as keyof typeof en]
      assert.ok(translation.trim() === translation && translation !== '', `${language} ${key}`)
      assert.deepEqual(
        [...new Set(placeholders(translation))],
        [...new Set(placeholders(english))],
        `${language} ${key}`,
      )
    }
    const same = Object.entries(en).filter(([key, english]) => texts[key as keyof typeof en] === english)
    assert.ok(same.length < 12, `${language} is English: ${same.map(([key]) => key).join(', ')}`)
  }
})

test('languages: ?lang= wins, then its cookie, then the preferences of the browser, then English', () => {
  const languages = (query: unknown, cookie?: string, accepted?: string) =>
    languageOf({ query, headers: { cookie, 'accept-language': accepted } })
  assert.equal(languages({ lang: 'de' }, 'patchbay_language=fr', 'es'), 'de')
  assert.equal(languages({ lang: 'pt-BR' }), 'pt')
  assert.equal(languages({ lang: 'xx' }, 'a=b; patchbay_language=fr', 'es'), 'fr')
  assert.equal(languages({ lang: ['de'] }, 'patchbay_language=constructor', 'es-MX,en;q=0.5'), 'es')
  assert.equal(languages({}, undefined, 'ja, en;q=0.4, fr-CA;q=0.8, de;q=0'), 'fr')
  assert.equal(languages({}, undefined, 'ja;q=abc,*'), 'en')
  assert.equal(languages(undefined, undefined, `${'x,'.repeat(10_000)}de`), 'en')
  assert.equal(requestedLanguage({ query: { lang: '__proto__' } }), undefined)
  assert.match(languageCookie('de', true), /^patchbay_language=de; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
})

test('languages: values are escaped, and a value with braces is no placeholder', () => {
  const german = translatorFor('de')
  const page = renderMessagePage(
    {
      tone: 'good',
      title: text('flow.connected', { app: '<b>{app}' }),
      text: [text('close_page'), 'As is.'],
    },
    'http://localhost:3900',
    'req-1',
    german,
  )
  assert.match(page, /<html lang="de">/)
  assert.match(page, /<h1>&lt;b&gt;\{app\} ist verbunden<\/h1>/)
  assert.match(page, /zur Anwendung zurückkehren\. As is\.</)
  assert.match(page, /Anfrage-ID <code>req-1/)
  const lead = german.markup('connect.asks', { app: '<i>', project: html`<strong>${'<Acme>'}</strong>` })
  assert.equal(lead.text, '<strong>&lt;Acme&gt;</strong> bittet um Zugriff auf Ihr Konto bei &lt;i&gt;.')
})

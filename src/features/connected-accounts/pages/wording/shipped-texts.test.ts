import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openCatalog, type ScopesManifest, type Toolkit } from '../../../../catalog/index.ts'
import { mergeSchemeFields } from '../../../../catalog/manifest/compile/auth/auth-fields.ts'
import { type Language, type PageText, TEXTS, translatorFor } from '../language/index.ts'
import { fieldTexts, resourceText } from './field-texts.ts'
import { actionText, isAction, meaningOf, sentenceText } from './permission-texts.ts'

const DATA = 'src/features/connected-accounts/pages/language/data'
const LANGUAGES = Object.keys(TEXTS) as Language[]

const catalog = openCatalog({
  folder: fileURLToPath(new URL('../../../../../toolkits', import.meta.url)),
})
const toolkits = catalog.toolkits.map(({ slug }) => catalog.toolkit(slug) as Toolkit)

/** Whether a text exists in every language. A plain string is the same in all of them. */
const isTranslated = (text: PageText | undefined): boolean =>
  text !== undefined &&
  typeof text !== 'string' &&
  LANGUAGES.every((language) => {
    const written = translatorFor(language).text(text)
    return written.trim() === written && written !== '' && !/[{}]|undefined/.test(written)
  })

/** What a scope allows, as a text. */
function scopeText(toolkit: string, scope: string): PageText | undefined {
  const meaning = meaningOf(toolkit, scope)
  return meaning !== undefined && isAction(meaning) ? actionText(meaning.object, [meaning.verb]) : meaning
}

test('languages: fields that users of the shipped toolkits fill in have labels and hints in each language', () => {
  const missing = new Set<string>()
  for (const { name, schemes } of toolkits)
    for (const { manifest } of schemes)
      for (const field of mergeSchemeFields(manifest, 'connected_account_initiation')) {
        const { label, hint } = fieldTexts(field, name)
        if (!isTranslated(label)) missing.add(`labels.json: ${field.display_name}`)
        if (!isTranslated(hint)) missing.add(`hints.json: ${field.description.replaceAll(name, '{app}')}`)
      }
  assert.deepEqual([...missing], [], `Add the texts to ${DATA}.`)
})

test('languages: scopes of the shipped toolkits have a sentence in each language', () => {
  const missing = new Set<string>()
  for (const { slug, schemes } of toolkits)
    for (const { manifest } of schemes) {
      const scopes: ScopesManifest | undefined = 'scopes' in manifest ? manifest.scopes : undefined
      const { default: initial = [], available = [], descriptions = {} } = scopes ?? {}
      for (const sentence of Object.values(descriptions))
        if (!isTranslated(sentenceText(sentence))) missing.add(`permission-sentences.json: ${sentence}`)
      for (const scope of [...initial, ...available])
        if (!Object.hasOwn(descriptions, scope) && !isTranslated(scopeText(slug, scope)))
          missing.add(`scopes.json: ${slug} ${scope}`)
    }
  assert.deepEqual([...missing], [], `Add the texts to ${DATA}.`)
})

test('languages: what users choose after the sign-in of a shipped toolkit has a name in each language', () => {
  for (const { slug, schemes } of toolkits)
    for (const { manifest } of schemes)
      for (const { what } of ('post_connect' in manifest ? manifest.post_connect : undefined) ?? [])
        assert.ok(what === undefined || isTranslated(resourceText(what)), `labels.json: ${slug} ${what}`)
})

test('languages: a scope without a sentence is derived from its words, and others stay unknown', () => {
  const written = (scope: string, language: Language) =>
    translatorFor(language).text(scopeText('shop', scope) ?? '')
  assert.equal(written('orders:read', 'en'), 'See your orders')
  assert.equal(written('shop.orders.ReadWrite.All', 'de'), 'Ihre Bestellungen sehen, anlegen und ändern')
  assert.equal(written('invoice_delete', 'fr'), 'Supprimer vos factures')
  assert.equal(written('email', 'es'), 'Ver su dirección de correo electrónico')
  for (const scope of ['gizmos:read', 'orders', 'constructor:read', '__proto__', 'read:toString'])
    assert.equal(scopeText('shop', scope), undefined, scope)
  assert.equal(scopeText('constructor', 'gizmos:read'), undefined)
})

test('languages: texts of other toolkits stay as their author wrote them', () => {
  const field = { display_name: 'Widget code', description: 'Code of your widget.' }
  assert.deepEqual(fieldTexts(field, 'Acme'), { label: 'Widget code', hint: 'Code of your widget.' })
  assert.equal(sentenceText('Move the robot arm'), 'Move the robot arm')
  assert.equal(fieldTexts({ display_name: 'constructor', description: '__proto__' }, '').label, 'constructor')
})

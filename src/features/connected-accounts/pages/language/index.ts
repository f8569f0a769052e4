import { Markup, html } from '../templates/html.ts'
import type { DataText } from './data-text.ts'
import { de } from './de.ts'
import { en, type TextKey, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export type { TextKey }
export const TEXTS = { en, de, fr, es, pt } as const satisfies Record<string, Texts>
export type Language = keyof typeof TEXTS

/** A text of the pages with its values. */
interface TranslatedText {
  key: TextKey
  values: Readonly<Record<string, PageText>>
}

/** A text in every language, a text that is the same in all of them, or sentences one after the other. */
export type PageText = string | TranslatedText | DataText | readonly PageText[]

/** Returns a text that is shown in the language of the reader. */
export const text = (key: TextKey, values: Readonly<Record<string, PageText>> = {}): TranslatedText => ({
  key,
  values,
})

const PLACEHOLDER = /\{(\w+)\}/
const isLanguage = (name: string): name is Language => Object.hasOwn(TEXTS, name)

/** Writes texts in one language. */
export interface Translator {
  language: Language
  text(text: PageText): string
  /** Returns a text with markup in it. Everything is escaped. */
  markup(key: TextKey, values?: Readonly<Record<string, Markup | string | number>>): Markup
}

const createTranslator = (language: Language): Translator => {
  const texts = TEXTS[language]
  const write = (source: PageText): string => {
    if (typeof source === 'string') return source
    if ('texts' in source) return source.texts[language]
    if (!('key' in source)) return source.map(write).join(' ')
    return texts[source.key]
      .split(PLACEHOLDER)
      .map((part, i) => (i % 2 === 0 ? part : write(source.values[part] ?? '')))
      .join('')
  }
  return {
    language,
    text: write,
    markup: (key, values = {}) =>
      html`${texts[key].split(PLACEHOLDER).map((part, i) => (i % 2 === 0 ? part : values[part]))}`,
  }
}

const TRANSLATORS = Object.fromEntries(
  Object.keys(TEXTS).map((language) => [language, createTranslator(language as Language)]),
) as Record<Language, Translator>

export const translatorFor = (language: Language): Translator => TRANSLATORS[language]
export const ENGLISH = translatorFor('en')

const COOKIE_VALUE = /(?:^|;\s*)patchbay_language=([a-z]{2})(?:;|$)/
const ACCEPTED_MAX = 20

/** What a request says about the language of the reader. */
interface LanguageSource {
  query: unknown
  headers: { cookie?: string | undefined; 'accept-language'?: string | undefined }
}

/** Returns the language that `?lang=` names, undefined for none that exists. */
export function requestedLanguage({ query }: Pick<LanguageSource, 'query'>): Language | undefined {
  const value = (query as Record<string, unknown> | undefined)?.['lang']
  const name = typeof value === 'string' ? baseOf(value) : ''
  return isLanguage(name) ? name : undefined
}

/** Chooses the language: `?lang=`, else the cookie of an earlier `?lang=`, else `Accept-Language`, else English. */
export function languageOf(request: LanguageSource): Language {
  const fromCookie = COOKIE_VALUE.exec(request.headers.cookie ?? '')?.[1]
  return (
    requestedLanguage(request) ??
    (fromCookie !== undefined && isLanguage(fromCookie) ? fromCookie : undefined) ??
    acceptedLanguage(request.headers['accept-language'])
  )
}

/** Returns a cookie that keeps the language for the pages that follow, also after a visit to a provider. */
export const languageCookie = (language: Language, isSecure: boolean): string =>
  `patchbay_language=${language}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

function acceptedLanguage(header = ''): Language {
  const preferences = header
    .split(',', ACCEPTED_MAX)
    .map((entry) => {
      const [name = '', ...parameters] = entry.trim().split(';')
      const quality = parameters.map((one) => /^\s*q=([\d.]{1,6})$/.exec(one)?.[1]).find(Boolean)
      return { name: baseOf(name), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ name, quality }) => isLanguage(name) && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return (preferences[0]?.name as Language | undefined) ?? 'en'
}

/** `pt-BR` → `pt` */
const baseOf = (tag: string): string => tag.trim().toLowerCase().split(/[-_]/, 1)[0] as string

import { plainText, wordsOf } from '../../importers/tools/words.ts'
import { type Provider, providerOf } from './slugs.ts'
import table from './titles.json' with { type: 'json' }

const SPELLED = new Map<string, string>(Object.entries(table.spelled))
const NAMES = new Map<string, string>(Object.entries(table.names))
const SAY_NOTHING = new Set(table.sayNothing)
const BY_SLUG = new Set(table.bySlug)
const UNBRANDED = new Set(table.unbranded)
const NAME_MAX = 60

/**
 * What people read: the title of the document without what every title says, with the brand before it where
 * it does not name it. Titles that say nothing, or the same of many documents, give way to the slug in words.
 * `isSecond`: there is a built-in toolkit of the same application.
 */
export function packName(key: string, slug: string, title: string, isSecond: boolean): string {
  const chosen = NAMES.get(key)
  if (chosen !== undefined) return chosen
  const [domain = '', service] = key.split('/')
  const provider = providerOf(domain)
  const said = provider.brands.reduce(apart, withoutBoilerplate(title))
  const brand =
    provider.name ??
    (letters(title.slice(0, 200)).includes(letters(provider.slug))
      ? spelledIn(title, provider.slug)
      : undefined) ??
    inWords(provider.slug)
  const saysNothing =
    SAY_NOTHING.has(said.toLowerCase()) || /\p{Script=Han}|\p{Script=Katakana}/u.test(said) || isGlued(said)
  const words = letters(slug).startsWith(letters(provider.slug))
    ? `${brand} ${inWords(slug.slice(provider.slug.length))}`.trim()
    : inWords(slug)
  const own =
    service === undefined &&
    (saysNothing || provider.name !== undefined || letters(said.split(/ [-|–] /)[0]!) === letters(brand))
  const unsaid = service !== undefined && (saysNothing || letters(said) === letters(brand))
  const name = own
    ? brand
    : BY_SLUG.has(domain) || unsaid
      ? words
      : UNBRANDED.has(domain) || (service === undefined && provider.name === undefined)
        ? said
        : branded(provider, brand, said)
  const version = /_(v\d+)$/.exec(slug)?.[1]
  const short = name.length > NAME_MAX && service === undefined ? brand : name
  const needsVersion = version !== undefined && !name.toLowerCase().includes(version)
  const whole = needsVersion ? `${short} ${version}` : short
  return plainText(isSecond && !/\bAPI$/.test(whole) ? `${whole} API` : whole, 80)
}

/** `GitHub v3 REST API` is GitHub, `Adyen BinLookup API` is Adyen BinLookup. */
function withoutBoilerplate(title: string): string {
  let text = plainText(title, 150)
    .replace(/\s*[([](?:beta|deprecated|stable)[)\]]/gi, '')
    .replace(/\s*\([^)]*https?:[^)]*\)/g, '')
  for (let before = ''; before !== text;) {
    before = text
    text = text
      .replace(/[\s.,:;_|{}[\]-]+$/, '')
      .replace(/^(?:the|swagger|rest)\s+(?=\S)/i, '')
      .replace(/^[\s|:-]+/, '')
      .replace(
        /(?:^|\s|-|:)(?:(?:open|web|rest(?:ful)?|json|http)?\s?apis?|api\(s\)|documentation|reference|docs|specification|spec|swagger|openapi|rest|client|v\.?\d+(?:\.\d+)*|version \d+(?:\.\d+)*|\d+(?:\.\d+)+)$/i,
        '',
      )
  }
  return text.trim()
}

/** `AWSMigrationHub` is AWS Migration Hub. */
const apart = (text: string, first: string) =>
  text.startsWith(first) && /^[A-Z]\w+$/.test(text.slice(first.length))
    ? [first, ...wordsOf(text.slice(first.length))].join(' ')
    : text

/** A title that names any of the brands stays as it is. */
function branded({ brands }: Provider, brand: string, said: string): string {
  return [brand, ...brands].some((one) => letters(said).includes(letters(one))) ? said : `${brand} ${said}`
}

/** The brand as the title writes it, if it is one word there: `AdMob`, `bunq`. */
function spelledIn(title: string, slug: string): string | undefined {
  return title
    .split(/[\s:|/]+/)
    .find((word) => letters(word) === letters(slug) && /^[\p{L}\d.'-]+$/u.test(word))
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]+/gu, '')
/** `SqlManagementClient` */
const isGlued = (text: string) => /^\w+(?:Client|Service|Services)$/.test(text)

function inWords(slug: string): string {
  return slug
    .split('_')
    .filter(Boolean)
    .map(
      (word) =>
        SPELLED.get(word) ?? (/^v\d+$/.test(word) ? word : `${word[0]!.toUpperCase()}${word.slice(1)}`),
    )
    .join(' ')
    .replace(/(\d) (?=\d)/g, '$1.')
}

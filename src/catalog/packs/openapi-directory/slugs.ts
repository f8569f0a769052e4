import providers from './providers.json' with { type: 'json' }
import { isVersion, withoutNoise, wordsOfService } from './words.ts'

/** Leaves 23 characters for what a tool does, of the 64 that a tool slug has. */
export const PACK_SLUG_MAX = 40

/** What it is called, if that is known; `brands` are other names that its titles begin with. */
export interface Provider {
  readonly slug: string
  readonly name: string | undefined
  readonly brands: readonly string[]
}

const PROVIDERS = new Map<string, { slug?: string; name: string; brands?: string[] }>(
  Object.entries(providers.providers),
)
const APIS = new Map<string, string>(Object.entries(providers.apis))

/**
 * A slug for every document of the directory, by its key: the path below `api/` without `.json`, as in
 * `googleapis.com/gmail`. It depends on the set of keys, not on their order. A slug of `taken` gets `_api` at
 * its end; `former` are slugs that stay, by key.
 */
export function packSlugs(
  keys: readonly string[],
  existingSlugs: ReadonlySet<string> = new Set(),
  former: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const slugs = new Map<string, string>()
  const used = new Set(existingSlugs)
  const give = (key: string, slug: string) => {
    slugs.set(key, slug)
    used.add(slug)
  }
  const sorted = [...new Set(keys)].sort()
  for (const key of sorted) if (former.has(key)) give(key, former.get(key)!)
  const open = sorted
    .filter((key) => !slugs.has(key))
    .map((key) => ({
      key,
      candidates: wantedSlugs(key).map((slug) =>
        existingSlugs.has(slug) ? fitted([...slug.split('_'), 'api']) : slug,
      ),
    }))
  for (let level = 0; open.length > 0; level++) {
    const byWish = Map.groupBy(open, ({ candidates }) => wishAt(candidates, level))
    for (const [slug, all] of byWish) {
      if (used.has(slug)) continue
      // Where all that want a name are versions, none takes it.
      const [winner, other] = all.sort(
        (a, b) => a.candidates.length - b.candidates.length || (a.key < b.key ? -1 : 1),
      )
      if (
        other !== undefined &&
        other.candidates.length === winner!.candidates.length &&
        level < winner!.candidates.length - 1
      )
        continue
      give(winner!.key, slug)
      open.splice(open.indexOf(winner!), 1)
    }
  }
  return new Map([...slugs].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const wishAt = (candidates: readonly string[], level: number): string =>
  candidates[level] ?? numbered(candidates.at(-1)!, level - candidates.length + 2)
const numbered = (slug: string, number: number) =>
  `${slug.slice(0, PACK_SLUG_MAX - 1 - String(number).length).replace(/_$/, '')}_${number}`

/** From the one a person would choose to the one that says everything. */
function wantedSlugs(key: string): string[] {
  const chosen = APIS.get(key)
  if (chosen !== undefined) return [chosen]
  const [domain = '', service] = key.split('/')
  const { slug } = providerOf(domain)
  if (service === undefined) return [slug]
  const words = wordsOfService(domain, service, slug)
  const plain = withoutNoise(domain, words)
  const [unversioned, versioned, whole] = [plain.filter((word) => !isVersion(word)), plain, words].map(
    (some) => [...slug.split('_'), ...some],
  )
  return [
    ...new Set([fitted(unversioned!), fitted(versioned!), fitted(versioned!, GROUP_WORDS), fitted(whole!)]),
  ]
}

/** Who publishes and of what it is a part: these words stay where those after them are cut. */
const GROUP_WORDS = 2

/**
 * Whole words that fit: small ones go first, long ones are shortened then, and what remains is cut at its
 * end, or from `cutAt` on.
 */
function fitted(words: readonly string[], cutAt?: number): string {
  const long = words.filter((word) => !SMALL.has(word))
  const attempts = [words, long, long.map((word) => SHORTENED.get(word) ?? word)]
  const fitting = attempts.map((some) => some.join('_')).find((slug) => slug.length <= PACK_SLUG_MAX)
  if (fitting !== undefined) return fitting
  const shortened = [...attempts.at(-1)!]
  while (shortened.length > 1 && shortened.join('_').length > PACK_SLUG_MAX)
    shortened.splice(cutAt !== undefined && shortened.length > cutAt ? cutAt : -1, 1)
  return shortened.join('_').slice(0, PACK_SLUG_MAX)
}

const SMALL = new Set(['and', 'by', 'for', 'in', 'of', 'on', 'the', 'to'])
const SHORTENED = new Map(
  Object.entries({
    accounts: 'accts',
    administrators: 'admins',
    assesment: 'assess',
    assessment: 'assess',
    authorization: 'auth',
    certificate: 'cert',
    configuration: 'config',
    configurations: 'configs',
    connection: 'conn',
    connections: 'conns',
    database: 'db',
    databases: 'dbs',
    encryption: 'encrypt',
    environment: 'env',
    information: 'info',
    management: 'mgmt',
    recommendations: 'recs',
    registration: 'reg',
    resources: 'res',
    service: 'svc',
    services: 'svcs',
    subscription: 'sub',
    vulnerability: 'vuln',
  }),
)

/** Who publishes, by the first part of a key: `stripe.com` is stripe, `api.video` is api_video. */
export function providerOf(domain: string): Provider {
  const known = PROVIDERS.get(domain)
  const slug = known?.slug ?? (known ? slugWords(known.name).join('_') : slugOfDomain(domain))
  return { slug, name: known?.name, brands: known?.brands ?? [] }
}

const slugWords = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’]+/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

function slugOfDomain(domain: string): string {
  const ending = ENDINGS.find((one) => domain.endsWith(`.${one}`)) ?? domain.split('.').at(-1)!
  const labels = domain
    .slice(0, -ending.length)
    .split('.')
    .filter((label) => label !== '' && !['www', 'api', 'apis'].includes(label))
  const own = labels.length === 0 ? [domain.split('.')[0]!] : labels
  const words = [
    ...own,
    ...(providers.spokenEndings.includes(ending) || labels.length === 0 ? [ending] : []),
  ].flatMap((label) => slugWords(label))
  return (
    (words.length > 1 && words.at(-1) === 'api' ? words.slice(0, -1) : words)
      .join('_')
      .slice(0, PACK_SLUG_MAX)
      .replace(/_$/, '') || 'api'
  )
}

const ENDINGS = [...providers.endings].sort((a, b) => b.length - a.length)

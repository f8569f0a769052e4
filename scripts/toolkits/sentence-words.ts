import { singularNoun } from './nouns.ts'
import { isBaseVerb } from './verb-forms.ts'

/** Words that are written in another way inside a sentence. */
const SPELLINGS = new Map<string, string>([
  ...(
    'acl ai api udf cpu crm csv css dkim dns faq gdpr gpg gpu html http https iam iban ics ip jwks jwt kyc llm mfa ' +
    'ml oidc ' +
    'sim hr eor gsc skan asn bgp cidr cname ddos dex dlp dm e911 gre iot lnurl mtls otp ptr rum totp tsig waf ' +
    'pdf qr saml scim sdk sip sla smtp sql ssh ssl sso tls tts ui uri url utm uuid vat vpc vpn xml sms mms'
  )
    .split(' ')
    .map((word) => [word, word.toUpperCase()] as const),
  ...(['id', 'url', 'ip', 'api', 'pdf', 'sla', 'faq', 'llm', 'acl'] as const).map(
    (word) => [`${word}s`, `${word.toUpperCase()}s`] as const,
  ),
  ...Object.entries({ nft: 'NFT', nfts: 'NFTs', sku: 'SKU', skus: 'SKUs' }),
  ...Object.entries({ id: 'ID', oauth: 'OAuth', github: 'GitHub', json: 'JSON', webhook: 'webhook' }),
  ...Object.entries({
    google: 'Google',
    linkedin: 'LinkedIn',
    youtube: 'YouTube',
    sharepoint: 'SharePoint',
    onedrive: 'OneDrive',
  }),
])
/** Parts of words that names of operations have as words of their own: `SK_US` is SKUs. */
const JOINED: readonly (readonly [RegExp, string])[] = [
  [/\b(nf|ap|ur|sk|pd|ac) (ts|is|ls|us|fs)\b/g, '$1$2'],
  [/\bll ms\b/g, 'llms'],
  [/\bi ds\b/g, 'ids'],
  [/\bi ps\b/g, 'ips'],
  [/\bgit (hub|lab)\b/g, 'git$1'],
  [/\bo auth ?(2?)\b/g, 'oauth$1'],
  [/\byou tube\b/g, 'youtube'],
  [/\bi pv(4|6)\b/g, 'IPv$1'],
  [/\bi psec\b/g, 'IPsec'],
  [/\bm tls\b/g, 'mTLS'],
  [/\bweb p\b/g, 'WebP'],
  [/\b(\w+) c as\b/g, '$1 CAs'],
  [/\bq and a\b/g, 'Q&A'],
  [/\ba b test/g, 'A/B test'],
  [/\be (commerce|sign|mail|invoice)/g, 'e-$1'],
  [/\btls 1 (\d)\b/g, 'TLS 1.$1'],
  [/\bhttp (2|3)\b/g, 'HTTP/$1'],
  [/\b0 rtt\b/g, '0-RTT'],
  [/ orange o2 o\b/g, ' orange'],
  [/\bwhats ?app\b/g, 'WhatsApp'],
  [/\b(origin|top) as\b/g, '$1 AS'],
]
/** Words that names divide and that begin with a word of another kind: `on call` is no preposition. */
const COMPOUNDS: readonly (readonly [RegExp, string])[] = [
  [/\bon call\b(?! (?:users|now|for))/g, 'on-call'],
  [/\bsend as\b/g, 'send-as'],
  [/\bin app\b/g, 'in-app'],
  [/\bon chain\b/g, 'on-chain'],
  [/\bun (?=(?:assign|archive|subscribe|link|lock|publish)\b)/g, 'un'],
  [/\bre (index|run|try)\b/g, 're$1'],
  [/\bplug in(s?)\b/g, 'plugin$1'],
]
/** After an article: nouns that end with `s` and are no owner. */
const NO_OWNERS =
  /^(?:whats|sms|news|sales|dns|aws|sts|ats|analytics|connections|flows|time|details|properties|actions|resources|aliases)$/
/** Words after which a noun with `s` is the object itself: `a list of users by id`. */
const NO_POSSESSION =
  /^(?:of|for|in|by|to|from|with|on|at|and|or|as|via|is|are|that|which|using|into|hard|plus|enabled|feature|scim|vault)$/
const LIST_OF_ONE = /^(all|any|each|every|many|multiple|several|list)\b|\b(many|multiple|batch|one call)\b/
/** Names of products that are part of another name: GitHub Actions, Canvas apps. */
const KEPT_NAMES = new Set(['github', 'canvas', 'close', 'segment', 'exa', 'box', 'linear', 'coda', 'neon'])
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  jira: ['atlassian'],
  confluence: ['atlassian'],
  bitbucket: ['atlassian'],
  slackbot: ['slack'],
  discordbot: ['discord'],
}

/** Joins words that would be misread alone: `on call roles` are on-call roles. */
export const compoundWords = (words: readonly string[]): string[] =>
  COMPOUNDS.reduce((text, [parts, word]) => text.replace(parts, word), words.join(' ')).split(' ')

/** `a users roles` is `a user's roles`: slugs have no apostrophe. */
const withPossessives = (text: string): string =>
  text.replace(
    /\b(an?) ([a-z]{2,}[a-rtv-z]s) (?=([a-z]+)\b)/g,
    (whole, article: string, owner: string, next: string) =>
      NO_OWNERS.test(owner) || NO_POSSESSION.test(next) || singularNoun(owner) === owner
        ? whole
        : `${article} ${singularNoun(owner)}'s `,
  )

/** Writes words as in a sentence: `sso url` is `SSO URL`, and `project s bans` is `project's bans`. */
export const spelled = (text: string): string =>
  JOINED.reduce(
    (sentence, [parts, word]) => sentence.replace(parts, word),
    withPossessives(text.replace(/\b([a-z]{2,}) s$/, '$1s').replace(/\b([a-z]{2,}) s\b/g, "$1's")),
  )
    .split(' ')
    .map((word) => SPELLINGS.get(word) ?? word)
    .join(' ')

/** Leaves out the name of the toolkit after the first word: the sentence ends with it. */
export function withoutOwnName(words: readonly string[], toolkit: string): string[] {
  const names = new Set([toolkit, ...(OTHER_NAMES[toolkit] ?? [])])
  // `CLOSE_CLOSE_CREATE_SMS` creates an SMS.
  if (words.length > 2 && words[0] === toolkit && isBaseVerb(words[1]!)) return words.slice(1)
  const others = words.filter(
    (word, index) =>
      (index === 0 && word === toolkit) ||
      !(names.has(word) || (word === 's' && names.has(words[index - 1]!))),
  )
  return KEPT_NAMES.has(toolkit) || others.length < 2 ? [...words] : others
}

/** Leaves out which id selects the object, as the arguments say it: `by id`, `by id org`. */
export const withoutSelectors = (object: string): string =>
  object
    .replace(/ by id (?!and |or |in |of |for )[a-z]+(?= by |$)/g, '')
    .replace(/ by ids?$/, '')
    .replace(/ partial$/, '')
    .replace(
      /^([a-z]{3,}s) id ([a-z].*)$/,
      (_, owners: string, rest: string) => `${rest} of ${article(owners)}`,
    )

const article = (owners: string): string => {
  const one = singularNoun(owners)
  return `${/^([aeio]|un)/.test(one) ? 'an' : 'a'} ${one}`
}

/** `/contentTypes/{contentType-id}` is one content type, whatever the name of the operation says. */
export function oneOf(object: string, path: string): string {
  const [, segment = '', name = ''] = /([\w-]+)\/\{\+?([^{}/]+)\}\/?$/.exec(path) ?? []
  const [head = ''] = object.split(/ (?:of|for|in|by|to|from|with|on|at|and|or|as|via|using)\b/)
  const last = head.split(' ').at(-1) ?? ''
  const isOne =
    /(^|[-_.a-z])(id|uuid|gid|sid|slug|key|number|code|token|iid)\d*$/i.test(name) && !/ids$/i.test(name)
  const plain = segment.toLowerCase().replace(/[^a-z]/g, '')
  if (!isOne || LIST_OF_ONE.test(object) || !/s$/.test(last) || /(ss|us|is|news|series)$/.test(last))
    return object
  if (!plain.endsWith(last.toLowerCase().replace(/[^a-z]/g, ''))) return object
  return object.replace(head, `${head.slice(0, head.length - last.length)}${singularNoun(last)}`)
}

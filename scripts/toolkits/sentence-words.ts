/** Words that are written in another way inside a sentence. */
const SPELLINGS = new Map<string, string>([
  ...(
    'acl ai api cpu crm csv css dkim dns faq gdpr gpg gpu html http https iam iban ics ip jwks jwt kyc llm mfa ' +
    'ml oidc ' +
    'sim hr eor gsc skan asn bgp cidr cname ddos dex dlp dm e911 gre iot lnurl mtls otp ptr rum totp tsig waf ' +
    'pdf qr saml scim sdk sip sla smtp sql ssh ssl sso tls tts ui url utm uuid vat vpc vpn xml sms mms'
  )
    .split(' ')
    .map((word) => [word, word.toUpperCase()] as const),
  ...(['id', 'url', 'ip', 'api', 'pdf', 'sla', 'faq', 'llm', 'acl'] as const).map(
    (word) => [`${word}s`, `${word.toUpperCase()}s`] as const,
  ),
  ...Object.entries({ nft: 'NFT', nfts: 'NFTs', sku: 'SKU', skus: 'SKUs' }),
  ...Object.entries({ id: 'ID', oauth: 'OAuth', github: 'GitHub', json: 'JSON', webhook: 'webhook' }),
  ...Object.entries({
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
]
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

/** Writes words as in a sentence: `sso url` is `SSO URL`, and `project s bans` is `project's bans`. */
export const spelled = (text: string): string =>
  JOINED.reduce(
    (sentence, [parts, word]) => sentence.replace(parts, word),
    text.replace(/\b([a-z]{2,}) s\b/g, "$1's"),
  )
    .split(' ')
    .map((word) => SPELLINGS.get(word) ?? word)
    .join(' ')

/** Leaves out the name of the toolkit after the first word: the sentence ends with it. */
export function withoutOwnName(words: readonly string[], toolkit: string): string[] {
  const names = new Set([toolkit, ...(OTHER_NAMES[toolkit] ?? [])])
  const others = words.filter((word, index) => (index === 0 && word === toolkit) || !names.has(word))
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
  const one = singularOf(owners)
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
  return object.replace(head, `${head.slice(0, head.length - last.length)}${singularOf(last)}`)
}

const singularOf = (noun: string): string => {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`
  return /(ches|shes|xes|sses)$/.test(noun) ? noun.slice(0, -2) : noun.slice(0, -1)
}

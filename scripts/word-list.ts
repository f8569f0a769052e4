// The words of the project's language, as data: what is not used, and what is used instead. `npm run check`
// applies it to file names, exported names, texts that people read (string literals with spaces) and
// Markdown.

/** Descriptions of applications: an operator there is one of a search query. */
const MANIFESTS = /^toolkits\/.*\.json$/

export interface WordRule {
  /** Matches the word that is not used. Applied without regard to case. */
  readonly not: RegExp
  readonly but: string
  /** Files in which the word has another meaning. */
  readonly notIn?: RegExp
}

/** Words of prose: in Markdown, in comments and in string literals that contain a space. */
export const PROSE_RULES: readonly WordRule[] = [
  {
    not: /\b(redirect|callback|webhook|base|API|page) address(es)?\b/,
    but: 'URL (redirect URI, callback URL)',
  },
  { not: /\bway back\b/, but: 'redirect URI' },
  {
    not: /\b(is|are|was|were) told( of)?\b|\btells? of\b|\bhears? of\b/,
    but: 'receives, is notified, reports',
  },
  { not: /\bstands? in\b|\bstands? beside\b/, but: 'is in, is next to' },
  { not: /\bbeside\b/, but: 'next to, in addition to' },
  { not: /\bby itself\b/, but: 'automatically' },
  { not: /\bgoes on\b|\bgo on\b/, but: 'continues' },
  { not: /\bmend(s|ed|ing)?\b/, but: 'fix' },
  { not: /\brenewals?\b/, but: 'token refresh' },
  { not: /(?<!connection was )\brefus(e|es|ed|ing|als?)\b(?! to connect)/, but: 'reject, deny' },
  { not: /\bsomebody\b|\bnobody in particular\b|\bwhoever\b/, but: 'someone, a user, the caller' },
  { not: /\bunasked\b/, but: 'proactively, without being asked' },
  { not: /\bgoes home\b|\bgo home\b|\bdies of\b|\blives in\b/, but: 'returns, ends, is in' },
  {
    not: /\bwho(m)?ever runs\b|(?<!developer, )\boperator'?s?\b(?! precedence|:)/,
    but: 'administrator',
    notIn: MANIFESTS,
  },
  { not: /\bbad days\b/, but: 'failure injection' },
  { not: /\bcassettes?\b/, but: 'recording' },
  { not: /\bshelves\b/, but: 'toolkit disk cache' },
]

/** Whole words of file names and of exported names (`finishWalk` has the words `finish` and `walk`). */
export const NAME_WORDS: ReadonlySet<string> = new Set(
  [
    'told tell tells teller hears heard kept held taken shown wanted given joined named met',
    'walk walks arrival mend onward heal standing lanes lane tape cassette shelf shelves woven layered',
    'surroundings mistake mistakes panic unbuilt insteadof elsewhere bad-days peers stand hooked',
    'renewal renewals seal sealed sealer reseal unsealed beside refused refusal refuse',
  ].flatMap((line) => line.split(' ')),
)

/** Names that keep a word of the list, each with the reason. */
export const ALLOWED_NAMES: Readonly<Record<string, string>> = {}

/** Files whose texts are not ours to word, or that quote the words. */
export const PROSE_EXCEPTIONS: readonly { readonly path: RegExp; readonly reason: string }[] = [
  { path: /^scripts\/word-list/, reason: 'this list and its test' },
  { path: /^LICENSE$|^package-lock\.json$/, reason: 'texts of others' },
  { path: /^docs\/toolkits\//, reason: 'generated pages with the terms of vendors' },
  { path: /^bench\/search\/|^scripts\/search-vectors\//, reason: 'questions of public data sets' },
  {
    path: /^src\/catalog\/search\/(.*\.json|query\/lexicon\.ts)$/,
    reason: 'words that people use in requests',
  },
]

/** Nouns that end with `s` and are singular, or have no singular. */
const NO_PLURAL =
  /(?:ss|us|(?<!\bap)is|news|series|sms|dns|aws|ios|cors|css|https|tls|analytics|statistics|goods|sales|savings|means|logistics|alias|atlas|bias|canvas|gas|saas|paas|iaas|always|previous|this)$/i
const SINGULAR_ENDS: readonly (readonly [RegExp, string])[] = [
  [/(status|alias|bonus|virus|campus|bus|canvas|census)es$/i, '$1'],
  [/(analys|hypothes|synops)es$/i, '$1is'],
  [/(movie|cookie|zombie|calorie|selfie|^die|^tie|^pie)s$/i, '$1'],
  [/ies$/i, 'y'],
  [/(ch|sh|ss|x|zz)es$/i, '$1'],
  [/s$/i, ''],
]
/** Words whose singular follows none of these rules. */
const OWN_SINGULAR = new Map([
  ['caches', 'cache'],
  ['axes', 'axis'],
  ['people', 'person'],
  ['children', 'child'],
  ['indices', 'index'],
])
/** Extensions of files at the end of a path: `/company.json` has the noun company. */
const FILE_EXTENSION = /\.(?:json|xml|php|aspx|html)$/i

/** `companies` is `company`, `branches` is `branch`, `statuses` is `status`. Only the last word changes. */
export function singularNoun(text: string): string {
  const at = text.lastIndexOf(' ') + 1
  const word = text.slice(at)
  const own = OWN_SINGULAR.get(word)
  if (own !== undefined) return `${text.slice(0, at)}${own}`
  if (NO_PLURAL.test(word)) return text
  const [ending, replacement] = SINGULAR_ENDS.find(([end]) => end.test(word)) ?? []
  return ending === undefined ? text : `${text.slice(0, at)}${word.replace(ending, replacement!)}`
}

/** `repository` is `repositories`, `tax` is `taxes`. */
export function pluralNoun(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  if (/(?:x|ch|sh|ss|us)$/.test(noun)) return `${noun}es`
  return noun.endsWith('s') ? noun : `${noun}s`
}

/** Whether a noun phrase is about several objects. */
export const isPluralNoun = (head: string): boolean =>
  /^\w+[^su]s \w+ed$/i.test(head) ||
  (/s$/i.test(head) && !NO_PLURAL.test(head)) ||
  /\b(people|children|media|criteria)$/.test(head)

/** A segment of a path without the extension of a file. */
export const withoutExtension = (segment: string): string => segment.replace(FILE_EXTENSION, '')

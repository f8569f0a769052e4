import { wordsOf } from '../../importers/tools/words.ts'
import table from './words.json' with { type: 'json' }

const of = (words: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(words))
const [KNOWN, LEADING, TRAILING] = [of(table.known), of(table.leading), of(table.trailing)]
const ANY = '*'

export const isVersion = (word: string): boolean => /^v\d+$/.test(word)

/**
 * The words of the second part of a key, in lower case: `monitor-actionGroups_API` is monitor, action,
 * groups, api; `cloudasset` of a provider whose words are known is cloud, asset. What the provider is called,
 * and a group of words that is said twice, stand once.
 */
export function wordsOfService(domain: string, service: string, provider: string): string[] {
  const spelled = Object.entries(table.rewritten).reduce(
    (text, [from, to]) => text.replace(new RegExp(from, 'i'), to),
    service,
  )
  const parts = new Set(KNOWN.get(domain) ?? KNOWN.get(ANY))
  const words = wordsOf(spelled)
    .map((word) => word.toLowerCase())
    .flatMap((word) => split(word, parts))
  return withoutRepeats(withoutProvider(withVersions(words), provider.split('_')))
}

/** Without what says nothing at either end; a version at the end stays. */
export function withoutNoise(domain: string, words: readonly string[]): string[] {
  const left = words.filter((word) => !isVersion(word))
  while (left.length > 1 && LEADING.get(domain)?.includes(left[0]!)) left.shift()
  while (left.length > 1 && (TRAILING.get(domain) ?? TRAILING.get(ANY))!.includes(left.at(-1)!)) left.pop()
  return [...left, ...words.filter(isVersion)]
}

/** `v`, `2` is `v2`. */
const withVersions = (words: readonly string[]): string[] =>
  words.flatMap((word, index) => {
    if (word === 'v' && /^\d+$/.test(words[index + 1] ?? '')) return []
    return words[index - 1] === 'v' && /^\d+$/.test(word) ? [`v${word}`] : [word]
  })

const withoutProvider = (words: readonly string[], provider: readonly string[]): readonly string[] =>
  provider.every((word, index) => words[index] === word) ? words.slice(provider.length) : words

/** `batch ai batch ai` is `batch ai`, `authorization authorization role` is `authorization role`. */
function withoutRepeats(words: readonly string[]): string[] {
  for (let size = Math.floor(words.length / 2); size > 0; size--) {
    if (words.slice(0, size).every((word, index) => word === words[size + index]))
      return withoutRepeats(words.slice(size))
  }
  return words.filter((word, index) => word !== words[index - 1] || /^\d+$/.test(word))
}

const LETTERS_MAX = 60

/**
 * The fewest known words that make up the whole, a number or a version at its end; a word that is not made of
 * known ones stays as it is.
 */
function split(word: string, parts: ReadonlySet<string>): string[] {
  if (word.length > LETTERS_MAX || parts.has(word)) return [word]
  const best: (readonly string[] | undefined)[] = [[]]
  for (let end = 1; end <= word.length; end++) {
    for (let start = 0; start < end; start++) {
      const [before, part] = [best[start], word.slice(start, end)]
      if (!before || !(parts.has(part) || (start > 0 && end === word.length && /^v?\d+$/.test(part))))
        continue
      if (!best[end] || before.length + 1 < best[end]!.length) best[end] = [...before, part]
    }
  }
  return best[word.length] ? [...best[word.length]!] : [word]
}

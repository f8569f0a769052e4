import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, bounded, choice, flag, integer, RESULT_CHARS_MAX, text } from './args.ts'
import { CASES, changeCase, slugify } from './cases.ts'
import { extract, KINDS } from './extract.ts'

const WORDS_PER_MINUTE = 230
const REPLACEMENTS_MAX = 100
const ORDERS = ['ascending', 'descending', 'none'] as const
const COMPARISONS = ['text', 'natural', 'number', 'length'] as const

const linesOf = (value: string) => value.split(/\r\n|\r|\n/)

function textStatistics(args: Args) {
  const value = text(args, 'text')
  const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(value)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase())
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(value)].filter(
    ({ segment }) => segment.trim() !== '',
  )
  const lines = value === '' ? [] : linesOf(value)
  return {
    characters: [...value].length,
    bytes_utf8: Buffer.byteLength(value),
    words: words.length,
    unique_words: counts.size,
    sentences: sentences.length,
    lines: lines.length,
    paragraphs: lines.filter((line, index) => line.trim() !== '' && (lines[index - 1] ?? '').trim() === '')
      .length,
    reading_minutes: Math.ceil(words.length / WORDS_PER_MINUTE),
    top_words: [...counts]
      .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, 10)
      .map(([word, count]) => ({ word, count })),
  }
}

const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/**
 * Plain search, no patterns: the time it takes grows only with the text. Case is folded character by
 * character, so that places stay the same.
 */
function replaceAll(
  value: string,
  find: string,
  replacement: string,
  options: { ignoreCase: boolean; wholeWords: boolean },
) {
  const fold = (from: string) =>
    options.ignoreCase
      ? [...from]
          .map((character) => {
            const lower = character.toLowerCase()
            return lower.length === character.length ? lower : character
          })
          .join('')
      : from
  const [haystack, needle] = [fold(value), fold(find)]
  const pieces: string[] = []
  let [copiedTo, length, count] = [0, value.length, 0]
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at)) {
    const end = at + needle.length
    if (options.wholeWords && (isWordCharacter(value[at - 1]) || isWordCharacter(value[end]))) {
      at++
      continue
    }
    length += replacement.length - find.length
    if (length > RESULT_CHARS_MAX)
      throw new ToolFailure(`The result is longer than ${RESULT_CHARS_MAX} characters`)
    pieces.push(value.slice(copiedTo, at), replacement)
    copiedTo = at = end
    count++
  }
  return { result: pieces.join('') + value.slice(copiedTo), count }
}

function replaceText(args: Args) {
  const replacements = Array.isArray(args.replacements) ? (args.replacements as Args[]) : []
  if (replacements.length === 0 || replacements.length > REPLACEMENTS_MAX)
    throw new ToolFailure(`replacements must hold 1 to ${REPLACEMENTS_MAX} entries`)
  const options = { ignoreCase: flag(args, 'ignore_case'), wholeWords: flag(args, 'whole_words') }
  let [result, count] = [text(args, 'text'), 0]
  for (const replacement of replacements) {
    const find = text(replacement ?? {}, 'find', { max: 10_000 })
    if (find === '') throw new ToolFailure('find must not be empty')
    const replaced = replaceAll(
      result,
      find,
      text(replacement, 'replace', { max: 10_000, fallback: '' }),
      options,
    )
    result = replaced.result
    count += replaced.count
  }
  return { result, count }
}

function extractFromText(args: Args) {
  const all = extract(text(args, 'text'), choice(args, 'kind', KINDS))
  const matches = flag(args, 'unique', true) ? [...new Set(all)] : all
  return {
    matches: matches.slice(0, integer(args, 'limit', { min: 1, max: 10_000, fallback: 1000 })),
    total: matches.length,
  }
}

const convertCase = (args: Args) => ({
  result: bounded(changeCase(text(args, 'text'), choice(args, 'to', CASES))),
})

const slugifyText = (args: Args) => ({
  slug: slugify(
    text(args, 'text', { max: 10_000 }),
    choice(args, 'separator', ['-', '_'], '-'),
    integer(args, 'max_length', { min: 1, max: 500, fallback: 80 }),
  ),
})

function sortLines(args: Args) {
  const ignoreCase = flag(args, 'ignore_case')
  let lines = linesOf(text(args, 'text'))
  if (flag(args, 'trim')) lines = lines.map((line) => line.trim())
  if (flag(args, 'remove_empty', true)) lines = lines.filter((line) => line.trim() !== '')
  const before = lines.length
  const key = (line: string) => (ignoreCase ? line.toLowerCase() : line)
  if (flag(args, 'unique'))
    lines = [...new Map(lines.toReversed().map((line) => [key(line), line])).values()].toReversed()
  const order = choice(args, 'order', ORDERS, 'ascending')
  if (order !== 'none') lines.sort(comparison(choice(args, 'compare', COMPARISONS, 'text'), key))
  if (order === 'descending') lines.reverse()
  return { result: lines.join('\n'), lines: lines.length, removed_duplicates: before - lines.length }
}

function comparison(
  kind: (typeof COMPARISONS)[number],
  key: (line: string) => string,
): (a: string, b: string) => number {
  if (kind === 'length') return (a, b) => a.length - b.length
  if (kind === 'natural') {
    const { compare } = new Intl.Collator('en', { numeric: true })
    return (a, b) => compare(key(a), key(b))
  }
  if (kind === 'text') return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)
  const value = (line: string) => Number(/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))/.exec(line)?.[1] ?? Infinity)
  return (a, b) => (value(a) === value(b) ? 0 : value(a) - value(b))
}

export const textTools: Record<string, CodeTool> = {
  UTILITIES_TEXT_STATISTICS: textStatistics,
  UTILITIES_REPLACE_TEXT: replaceText,
  UTILITIES_EXTRACT_FROM_TEXT: extractFromText,
  UTILITIES_CONVERT_CASE: convertCase,
  UTILITIES_SLUGIFY_TEXT: slugifyText,
  UTILITIES_SORT_LINES: sortLines,
}

import type { Section } from './pages.ts'

/** A section that a search found. */
export interface Hit {
  path: string
  title: string
  heading: string | null
  /** The text around the first word that was found. */
  excerpt: string
}

const HITS_MAX = 20
const WORDS_MAX = 8
const EXCERPT_BEFORE = 60
const EXCERPT_MAX = 200
/** More occurrences of a word in a text count as this many. */
const OCCURRENCES_MAX = 5
const WEIGHTS = { title: 12, heading: 10, start: 2, text: 1 } as const

/** Finds sections that contain every word of `query`, the best first: those with the words in title and heading. */
export function searchSections(sections: readonly Section[], query: string): Hit[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, WORDS_MAX)
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, HITS_MAX)
    .map(({ section: { path, title, heading, text } }) => ({
      path,
      title,
      heading,
      excerpt: excerptOf(text, words),
    }))
}

function scoreOf({ title, heading, text }: Section, words: readonly string[]): number {
  const [ofTitle, ofHeading, ofText] = [title, heading ?? '', text].map((part) => part.toLowerCase())
  let score = heading === null ? WEIGHTS.start : 0
  for (const word of words) {
    const inText = countOf(ofText ?? '', word) * WEIGHTS.text
    const found =
      (ofTitle?.includes(word) ? WEIGHTS.title : 0) +
      (ofHeading?.includes(word) ? WEIGHTS.heading : 0) +
      inText
    if (found === 0) return 0
    score += found
  }
  return score
}

function countOf(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0 && count < OCCURRENCES_MAX; at = text.indexOf(word, at + 1))
    count++
  return count
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const first = found.length ? Math.min(...found) : 0
  const start = first <= EXCERPT_BEFORE ? 0 : text.indexOf(' ', first - EXCERPT_BEFORE) + 1
  const excerpt = text.slice(start, start + EXCERPT_MAX)
  const isWhole = start + EXCERPT_MAX >= text.length
  return `${start > 0 ? '… ' : ''}${isWhole ? excerpt : `${excerpt.slice(0, excerpt.lastIndexOf(' '))} …`}`
}

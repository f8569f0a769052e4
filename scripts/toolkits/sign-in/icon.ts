import { createHash } from 'node:crypto'

/** Pairs of a background and a shape color, each with at least 4.5:1 contrast to white text. */
const COLORS: readonly (readonly [background: string, shape: string])[] = [
  ['#1f3a5f', '#2f5b93'],
  ['#14532d', '#1f7a45'],
  ['#5b2167', '#84359a'],
  ['#7c2d12', '#a8431f'],
  ['#134e4a', '#1d736d'],
  ['#3730a3', '#554cc4'],
  ['#831843', '#ae2a60'],
  ['#374151', '#57657a'],
  ['#713f12', '#93591f'],
  ['#0c4a6e', '#13698f'],
  ['#4c1d95', '#6a33bd'],
  ['#365314', '#4f7520'],
]

const SHAPES: readonly string[] = [
  '<circle cx="32" cy="32" r="24"/>',
  '<path d="M32 6 58 32 32 58 6 32z"/>',
  '<path d="M6 44 44 6h14v14L20 58H6z"/>',
  '<path d="M32 7 54 20v24L32 57 10 44V20z"/>',
  '<path d="M0 40c20-12 44 12 64 0v24H0z"/>',
  '<circle cx="48" cy="16" r="22"/>',
]

/**
 * Returns the icon of a toolkit: its initials on a colored shape. Color and shape follow from the slug, so that
 * the same toolkit always has the same icon. Logos of vendors are trademarks and are not used.
 */
export function iconOf(slug: string, name: string): string {
  const digest = createHash('sha256').update(slug).digest()
  const [background, shape] = COLORS[digest[0]! % COLORS.length]!
  const text = initialsOf(name)
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">\n' +
    `  <rect width="64" height="64" rx="14" fill="${background}"/>\n` +
    `  <g fill="${shape}">${SHAPES[digest[1]! % SHAPES.length]!}</g>\n` +
    '  <text x="32" y="41" font-family="Helvetica,Arial,sans-serif" font-size="26" font-weight="700" ' +
    `text-anchor="middle" fill="#fff">${text}</text>\n</svg>\n`
  )
}

/** Returns two letters: the first ones of the first two words, or of the only word. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = words.length > 1 ? words[0]![0]! + words[1]![0]! : (words[0] ?? '?').slice(0, 2)
  return letters[0]!.toUpperCase() + letters.slice(1)
}

import { createHash } from 'node:crypto'

/** Dark enough for white letters (WCAG 1.4.3: contrast of 4.5 to 1). */
const COLORS = [
  '#2f6f5e',
  '#1f5f8b',
  '#6b3fa0',
  '#8b3a3a',
  '#7a4b12',
  '#2e5e2e',
  '#3b4a6b',
  '#8a2f63',
  '#4a4a4a',
  '#1d6a6a',
  '#5b3c88',
  '#7b3b1e',
]

/**
 * Draws an icon for a toolkit without one: one or two letters of its name. A name has the same icon on every
 * server.
 */
export function letterIcon(name: string): string {
  const words = name.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? []
  const letters =
    [words[0], words[1]]
      .map((word) => [...(word ?? '')][0] ?? '')
      .join('')
      .toUpperCase() || '?'
  const color = COLORS[createHash('sha256').update(name).digest()[0]! % COLORS.length]!
  const fontSize = [...letters].length > 1 ? 26 : 32
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">' +
    `<rect width="64" height="64" rx="14" fill="${color}"/>` +
    `<text x="32" y="33" fill="#fff" font-family="system-ui, sans-serif" font-size="${fontSize}" ` +
    `font-weight="600" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>\n`
  )
}

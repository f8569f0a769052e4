import type { ReactNode } from 'react'

/** A run of backticks, a text without them, and the same run: as in CommonMark. */
const CODE = /(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs

/**
 * Shows a text that has code between backticks, as descriptions of tools and errors of the API have it. Other Markdown
 * stays as it is: those texts have none. Anything else than a text is shown unchanged.
 */
export function InlineCode({ children }: { children: ReactNode }): ReactNode {
  if (typeof children !== 'string') return children
  const parts: ReactNode[] = []
  let end = 0
  for (const match of children.matchAll(CODE)) {
    parts.push(children.slice(end, match.index), <code key={match.index}>{match[2]?.trim()}</code>)
    end = match.index + match[0].length
  }
  return [...parts, children.slice(end)]
}

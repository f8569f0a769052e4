import type { Difference } from '../../../catalog/importers/index.ts'

const NAMED = 3

/** What a version changed, in a sentence for the changelog. */
export function changesIn({ added, removed, changed, toolkit }: Difference): string {
  const breaking = changed.filter((one) => one.breaking.length > 0)
  const parts = [
    counted(added, 'added'),
    counted(removed, 'removed'),
    counted(
      breaking.map(({ slug }) => slug),
      'changed so that calls may fail',
    ),
    counted(
      changed.filter((one) => one.breaking.length === 0).map(({ slug }) => slug),
      'changed',
    ),
    ...toolkit.breaking,
    ...toolkit.other,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ').slice(0, 1_000) : 'Nothing that a caller would see.'
}

function counted(slugs: readonly string[], what: string): string {
  if (slugs.length === 0) return ''
  const named = slugs.slice(0, NAMED).join(', ')
  return `${slugs.length} tool${slugs.length === 1 ? '' : 's'} ${what} (${named}${slugs.length > NAMED ? ', …' : ''}).`
}

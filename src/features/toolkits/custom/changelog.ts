import type { Difference } from '../../../catalog/importers/index.ts'

const LISTED_MAX = 3

/** Describes the changes of a version in a sentence for the changelog. */
export function describeChanges({ added, removed, changed, toolkit }: Difference): string {
  const breaking = changed.filter((one) => one.breaking.length > 0)
  const parts = [
    describeCount(added, 'added'),
    describeCount(removed, 'removed'),
    describeCount(
      breaking.map(({ slug }) => slug),
      'changed so that calls may fail',
    ),
    describeCount(
      changed.filter((one) => one.breaking.length === 0).map(({ slug }) => slug),
      'changed',
    ),
    ...toolkit.breaking,
    ...toolkit.other,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ').slice(0, 1_000) : 'No visible changes.'
}

function describeCount(slugs: readonly string[], what: string): string {
  if (slugs.length === 0) return ''
  const listed = slugs.slice(0, LISTED_MAX).join(', ')
  return (
    `${slugs.length} tool${slugs.length === 1 ? '' : 's'} ${what} ` +
    `(${listed}${slugs.length > LISTED_MAX ? ', …' : ''}).`
  )
}

import type { SchemaIssue } from '../invalid-request-message.ts'

/**
 * Removes the errors of the variants of a union that a value was not meant for: those of another type. A value of no
 * type of the union has one error with all types. Without this, the first error of `[{"a": 1}]` could be that it is no
 * text.
 */
export function pruneUnions(issues: readonly SchemaIssue[]): SchemaIssue[] {
  // Unions within unions first: their errors are among those of a variant.
  const unions = issues
    .filter(({ keyword }) => keyword === 'anyOf')
    .toSorted((one, other) => pathLength(other) - pathLength(one))
  let pruned = issues.filter((issue) => !isMissingTag(issue))
  for (const union of unions) pruned = pruneUnion(pruned, union)
  return pruned
}

/** A missing tag of a union has the error that it is required, too. */
const isMissingTag = ({ keyword, params = {} }: SchemaIssue): boolean =>
  keyword === 'discriminator' && params['tagValue'] === undefined

const pathLength = ({ schemaPath = '' }: SchemaIssue): number => schemaPath.length

function pruneUnion(issues: readonly SchemaIssue[], union: SchemaIssue): SchemaIssue[] {
  const variants = Map.groupBy(issues, (issue) => variantOf(issue, union))
  const others = variants.get(undefined) ?? []
  variants.delete(undefined)
  if (variants.size === 0) return [...issues]
  const isOtherType = (issue: SchemaIssue) =>
    issue.keyword === 'type' && issue.instancePath === union.instancePath
  const ofItsType = [...variants.values()].filter((found) => !found.some(isOtherType))
  const remaining =
    ofItsType.length > 0 ? ofItsType.flat() : [unionOfTypes([...variants.values()].flat(), union)]
  const at = others.indexOf(union)
  return at === -1
    ? [...others, ...remaining]
    : [...others.slice(0, at), ...remaining, ...others.slice(at + 1)]
}

/** Returns the variant whose error an issue is, or undefined if it is no error of this union. */
function variantOf({ schemaPath = '', instancePath }: SchemaIssue, union: SchemaIssue): string | undefined {
  const start = `${union.schemaPath}/`
  const isWithin = instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`)
  return isWithin && schemaPath.startsWith(start) ? schemaPath.slice(start.length).split('/')[0] : undefined
}

function unionOfTypes(issues: readonly SchemaIssue[], union: SchemaIssue): SchemaIssue {
  const types = issues
    .filter(({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath)
    .flatMap(({ params }) => params?.['type'] ?? [])
  return { ...union, keyword: 'type', message: `must be ${[...new Set(types)].join(',')}` }
}

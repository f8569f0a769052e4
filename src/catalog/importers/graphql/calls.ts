import type { GraphQLField, GraphQLSchema } from 'graphql'
import { BOUNDS } from '../bounds.ts'
import { isVerb } from '../tools/effect.ts'
import { ImportRejected } from '../import-rejected.ts'
import type { Nameable } from '../tools/slugs.ts'
import { inWords, shortened, wordsOf } from '../tools/words.ts'
import type { GraphQl } from './read.ts'

/** A field of Query or Mutation that a caller can ask for. */
export interface Call extends Nameable {
  readonly kind: 'query' | 'mutation'
  readonly field: GraphQLField<unknown, unknown>
  /** In words, its verb first. */
  readonly title: string
  /** `Query.issues` */
  readonly identity: string
}

/** Parts of federated schemas that gateways ask for, not people. */
const INTERNAL = new Set(['_service', '_entities', '_sdl'])
const READS = new Set([
  'get',
  'list',
  'search',
  'find',
  'fetch',
  'read',
  'lookup',
  'query',
  'count',
  'check',
  'is',
  'has',
  'validate',
  'preview',
  'all',
])

/** Every call of a schema. @throws ImportRejected when there are none, or more than anyone reads. */
export function callsOf(schema: GraphQLSchema, graphql: GraphQl): Call[] {
  const calls = (
    [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
    ] as const
  ).flatMap(([kind, root]): Call[] =>
    Object.values(root?.getFields() ?? {})
      .filter(({ name }) => !INTERNAL.has(name) && !name.startsWith('__'))
      .map((field) => {
        const words = kind === 'query' ? readWords(field, graphql) : changeWords(field.name)
        // Identities name the role and not the type, which a schema may call as it likes.
        return {
          kind,
          field,
          title: shortened(inWords(words.join(' ')), 80),
          identity: `${kind === 'query' ? 'Query' : 'Mutation'}.${field.name}`,
          method: kind,
          path: field.name,
          id: words.join(' '),
        }
      }),
  )
  if (calls.length === 0)
    throw new ImportRejected('no_operations', 'The schema has neither queries nor mutations.')
  if (calls.length > BOUNDS.operations)
    throw new ImportRejected(
      'too_large',
      `The schema has more than ${BOUNDS.operations} queries and mutations.`,
    )
  return calls
}

/** `issue` is got, `issues` are listed, `searchIssues` says it itself. */
function readWords(
  { name, type }: GraphQLField<unknown, unknown>,
  { getNamedType, getNullableType, isListType, isObjectType }: GraphQl,
): string[] {
  const words = wordsOf(name)
  if (words.length === 0 || READS.has(words[0]!.toLowerCase()) || isVerb(words[0]!)) return words
  const namedType = getNamedType(type)
  const several =
    isListType(getNullableType(type)) ||
    (isObjectType(namedType) && namedType.getFields()['pageInfo'] !== undefined)
  return [several ? 'list' : 'get', ...words]
}

/** `issueCreate` and `createIssue` are both CREATE ISSUE. */
function changeWords(name: string): string[] {
  const words = wordsOf(name)
  const last = words.at(-1)
  return last !== undefined && words.length > 1 && isVerb(last) && !isVerb(words[0]!)
    ? [last, ...words.slice(0, -1)]
    : words
}

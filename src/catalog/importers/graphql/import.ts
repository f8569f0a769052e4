import type { ToolManifest } from '../../manifest/format/index.ts'
import { checkManifest } from '../check.ts'
import type { Imported, ImportOptions, OperationOutcome } from '../imported.ts'
import { ImportRejected } from '../import-rejected.ts'
import { slugsFor, toolkitSlug } from '../tools/slugs.ts'
import { endpointOf } from './endpoint.ts'
import { callsOf } from './calls.ts'
import { type GraphQl, readSchema } from './read.ts'
import { toolMaker } from './tool.ts'

const code = (...values: string[]) => ({ path: 'errors[0].extensions.code', one_of: values })
/**
 * GraphQL answers 200 and tells what went wrong inside. The codes are those that the usual servers send;
 * GitHub calls them types.
 */
const ERRORS: NonNullable<Imported['toolkit']['errors']> = [
  {
    when: { body: code('UNAUTHENTICATED', 'AUTHENTICATION_ERROR', 'UNAUTHORIZED', 'INVALID_TOKEN') },
    meaning: 'reauth',
  },
  { when: { body: code('FORBIDDEN', 'ACCESS_DENIED', 'PERMISSION_DENIED') }, meaning: 'permission' },
  {
    when: { body: code('RATELIMITED', 'RATE_LIMITED', 'THROTTLED', 'TOO_MANY_REQUESTS') },
    meaning: 'rate_limit',
  },
  { when: { body: code('NOT_FOUND') }, meaning: 'not_found' },
  {
    when: {
      body: code(
        'GRAPHQL_VALIDATION_FAILED',
        'GRAPHQL_PARSE_FAILED',
        'BAD_USER_INPUT',
        'BAD_REQUEST',
        'argumentLiteralsIncompatible',
        'undefinedField',
      ),
    },
    meaning: 'invalid',
  },
  { when: { body: code('INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'TIMEOUT') }, meaning: 'transient' },
  {
    when: { body: { path: 'errors[0].type', one_of: ['FORBIDDEN', 'INSUFFICIENT_SCOPES'] } },
    meaning: 'permission',
  },
  { when: { body: { path: 'errors[0].type', equals: 'NOT_FOUND' } }, meaning: 'not_found' },
  { when: { body: { path: 'errors[0].type', equals: 'RATE_LIMITED' } }, meaning: 'rate_limit' },
]

/** Converts a schema to a toolkit. A field that cannot be a tool is left out and reported. @throws ImportRejected */
export function convertGraphQl(source: string, options: ImportOptions, graphql: GraphQl): Imported {
  const schema = readSchema(source, graphql)
  const calls = callsOf(schema, graphql)
  const endpoint = endpointOf(options)
  const name = options.name ?? endpoint.name
  const slug = options.slug ?? toolkitSlug(name)
  const slugs = slugsFor(`${slug.toUpperCase()}_`, calls, options.former ?? new Map())
  const make = toolMaker(schema, graphql, endpoint, name)
  const refused: OperationOutcome[] = []
  const made: { operation: string; tool: ToolManifest }[] = []
  for (const call of calls) {
    try {
      made.push({ operation: call.identity, tool: make(call, slugs.get(call.identity)!) })
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      refused.push({ operation: call.identity, cause: error.why, reason: error.message })
    }
  }
  const toolkit: Imported['toolkit'] = {
    slug,
    name,
    description: descriptionOf(schema.description, name),
    categories: ['imported'],
    base_url: endpoint.base,
    auth: [...(options.auth ?? endpoint.auth)],
    success_when: { body: { path: 'errors[0]', exists: false } },
    error_message: ['errors[0].extensions.userPresentableMessage', 'errors[0].message'],
    errors: ERRORS.slice(),
  }
  const wrong = checkManifest(
    toolkit,
    made.map(({ tool }) => tool),
  )
  const good = made.filter(({ tool }) => !wrong.has(tool.slug))
  for (const { operation, tool } of made)
    if (wrong.has(tool.slug)) refused.push({ operation, cause: 'manifest', reason: wrong.get(tool.slug)! })
  if (good.length === 0)
    throw new ImportRejected(
      'no_operations',
      `None of ${calls.length} queries and mutations can be a tool; the first: ${refused[0]?.reason ?? ''}`,
    )
  return {
    toolkit,
    tools: good.map(({ tool }) => tool),
    origins: Object.fromEntries(good.map(({ operation, tool }) => [operation, tool.slug])),
    report: {
      title: name,
      version: undefined,
      operations: calls.length,
      refused,
      notes: notesFor(options, schema.getSubscriptionType() != null),
    },
  }
}

function descriptionOf(said: string | null | undefined, name: string): string {
  const text = said?.replace(/\s+/g, ' ').trim().slice(0, 300) ?? ''
  return text.length >= 20 ? text : `Asks and changes what the GraphQL API of ${name} has.`
}

const notesFor = ({ auth }: ImportOptions, subscriptions: boolean): string[] => [
  ...(auth === undefined
    ? [
        'A GraphQL schema does not say how to sign in; a bearer token, or a key as the whole ' +
          'Authorization header, is assumed. Send `auth` if the API uses another scheme.',
      ]
    : []),
  ...(subscriptions ? ['Subscriptions are left out: a tool call has one answer.'] : []),
]

import type { GraphQLSchema, IntrospectionQuery } from 'graphql'
import { BOUNDS } from '../bounds.ts'
import { isObject, list, getOwn } from '../json.ts'
import { readDocument } from '../openapi/read-document.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'

/**
 * The reference implementation, given by the caller: it is loaded when a schema is imported and not before.
 */
export type GraphQl = typeof import('graphql')

/**
 * Reads a schema: the result of an introspection query as JSON, or the schema definition language (SDL).
 * @throws ImportRejected
 */
export function readSchema(source: string, graphql: GraphQl): GraphQLSchema {
  const text = source.replace(/^\uFEFF/, '')
  return /^\s*\{/.test(text) ? fromIntrospection(text, graphql) : fromLanguage(text, graphql)
}

function fromIntrospection(text: string, { buildClientSchema }: GraphQl): GraphQLSchema {
  const document = readDocument(text)
  const data = isObject(document['data']) ? document['data'] : document
  const [error] = list(getOwn(document, 'errors'))
  if (!isObject(getOwn(data, '__schema'))) {
    const said = getOwn(error, 'message')
    throw new ImportRejected(
      'not_graphql',
      typeof said === 'string'
        ? `The server does not tell its schema: ${quoted(said, 200)}. Give the header that signs in, or ` +
            'the schema as a file.'
        : 'The document is no answer to an introspection query: `data.__schema` is missing. Give that ' +
            'answer, or the schema definition language.',
    )
  }
  return built(() => buildClientSchema(data as unknown as IntrospectionQuery, { assumeValid: true }))
}

function fromLanguage(text: string, { buildSchema }: GraphQl): GraphQLSchema {
  if (text.length > BOUNDS.sdlCharacters)
    throw new ImportRejected(
      'too_large',
      `The schema has ${text.length} characters; at most ${BOUNDS.sdlCharacters} are read.`,
    )
  // Directives that nobody declared are common where a gateway adds them; they change nothing here.
  return built(() =>
    buildSchema(text, {
      assumeValid: true,
      assumeValidSDL: true,
      noLocation: true,
      maxTokens: BOUNDS.sdlTokens,
    }),
  )
}

function built(build: () => GraphQLSchema): GraphQLSchema {
  try {
    return build()
  } catch (error) {
    throw new ImportRejected(
      'not_graphql',
      `The GraphQL schema cannot be read: ${quoted((error as Error).message, 200)}. Correct the schema, ` +
        'or send the result of the introspection query.',
    )
  }
}

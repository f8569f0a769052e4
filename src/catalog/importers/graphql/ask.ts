import type { FetchText } from '../import.ts'
import type { Imported, ImportOptions } from '../imported.ts'
import { convertGraphQl } from './import.ts'

/**
 * Imports a GraphQL schema: the result of an introspection query, or the schema definition language (SDL).
 * @throws ImportRejected
 */
export async function importGraphQl(source: string, options: ImportOptions = {}): Promise<Imported> {
  return convertGraphQl(source, options, await import('graphql'))
}

/** Asks a GraphQL server for its schema: the text of its answer, which may also say that it does not tell. */
export async function askForSchema(address: string, fetchText: FetchText): Promise<string> {
  const { getIntrospectionQuery } = await import('graphql')
  return fetchText(
    address,
    JSON.stringify({ operationName: 'IntrospectionQuery', query: getIntrospectionQuery() }),
  )
}

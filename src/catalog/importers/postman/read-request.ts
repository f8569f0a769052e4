import type { Alternative, Operation, Parameter, ParameterPlace, Server } from '../model.ts'
import type { Schemes } from './auth.ts'
import { type Json, getOwn, isObject, list, nonEmptyString } from '../json.ts'
import { ImportRejected, quoted } from '../import-rejected.ts'
import { type Pair, pairs, proseOf, targetOf } from './address.ts'
import { bodyOf, readLoosely } from './body.ts'
import { isPlaceholder } from '../schema/scalars.ts'
import { schemaOfExample, schemaOfText } from './infer.ts'
import type { Variables } from './variables.ts'
import { isSecretName, looksSecret } from '../../../platform/secret-detection.ts'
import type { LocatedValue } from '../openapi/references.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

export interface Found {
  readonly item: Json
  readonly folders: readonly string[]
  readonly auth: readonly Alternative[] | undefined
}
export interface CollectionContext {
  readonly variables: Variables
  readonly schemes: Schemes
}

export type Reading = Operation & { readonly server: Server }

export function readRequest(
  { item, folders, auth }: Found,
  ambiguous: boolean,
  { variables, schemes }: CollectionContext,
): Reading {
  const source = item['request']
  const request: Json = typeof source === 'string' ? { url: source } : isObject(source) ? source : {}
  const method = (nonEmptyString(getOwn(request, 'method')) ?? 'GET').toLowerCase()
  if (!METHODS.includes(method))
    throw new ImportRejected(
      'unsupported_method',
      `The request uses ${quoted(method.toUpperCase(), 20)}; ${METHODS.join(', ').toUpperCase()} can be sent.`,
    )
  const target = targetOf(getOwn(request, 'url'), variables)
  if (!target) throw new ImportRejected('bad_path', 'The request has no URL.')
  const headers = pairs(getOwn(request, 'header'))
  const name = nonEmptyString(getOwn(item, 'name'))
  const readable = name !== undefined && !/:\/\/|^\{\{/.test(name) ? name : undefined
  const contentType = headers.find(({ key }) => key.toLowerCase() === 'content-type')?.value
  const declared = schemes.declared(getOwn(request, 'auth')) ?? auth
  const inferredAuth = declared && declared.length > 0 ? [] : schemes.inferFromRequest(headers, target.query)
  const graphql = getOwn(getOwn(request, 'body'), 'mode') === 'graphql'
  return {
    method,
    path: target.path,
    server: target.server,
    id:
      readable === undefined
        ? undefined
        : ambiguous && folders.length > 0
          ? `${readable} ${folders.at(-1)}`
          : readable,
    summary: readable,
    description: proseOf(getOwn(request, 'description')) ?? proseOf(getOwn(item, 'description')),
    documentation: undefined,
    tags: folders.slice(-2),
    deprecated: false,
    parameters: [
      ...[...new Set([...target.path.matchAll(/\{([^{}]+)\}/g)].map(([, place]) => place!))].map((place) =>
        parameter(
          'path',
          target.places.get(place) ?? { key: place, value: undefined, description: undefined },
          place,
        ),
      ),
      ...lists(target.query),
      ...headers.map((one) => header(one, variables)),
    ],
    body: bodyOf(
      getOwn(request, 'body'),
      contentType !== undefined && isPlaceholder(contentType) ? undefined : contentType,
      variables,
    ),
    servers: [],
    security: inferredAuth.length > 0 ? inferredAuth : (declared ?? []),
    result: resultOf(item, variables),
    ...(graphql && { success: { body: { path: 'errors[0]', exists: false } } }),
  }
}

function parameter(where: ParameterPlace, { key, value, description }: Pair, name = key): Parameter {
  // Collections that were made from other descriptions say so in words.
  const required = where === 'path' || /^\W*required\b/i.test(description ?? '')
  return {
    name,
    in: where,
    required,
    description,
    deprecated: false,
    schema: {
      value: where === 'path' ? { ...schemaOfText(value, name), type: 'string' } : schemaOfText(value, name),
      base: '',
    },
    style: where === 'query' ? 'form' : 'simple',
    explode: where === 'query',
    json: false,
    example: undefined,
  }
}

/** A name that is there several times takes a list. */
function lists(query: readonly Pair[]): Parameter[] {
  const counts = Map.groupBy(query, ({ key }) => key)
  return [...counts.values()].map((all) => {
    const one = parameter('query', all[0]!)
    return all.length === 1
      ? one
      : { ...one, schema: { value: { type: 'array', items: one.schema.value }, base: '' } }
  })
}

/**
 * A header with a fixed text belongs to the request, as a version does; one that is left open is asked for.
 */
function header(pair: Pair, variables: Variables): Parameter {
  const value = variables.filled(pair.value ?? '')
  const one = parameter('header', { ...pair, value })
  const fixed = value !== '' && !value.includes('{{') && !isSecretName(pair.key) && !looksSecret(value)
  return fixed
    ? { ...one, required: true, schema: { value: { type: 'string', enum: [value] }, base: '' } }
    : one
}

/** Of the first success that was saved: its shape, never its values. */
function resultOf(item: Json, variables: Variables): LocatedValue | undefined {
  const saved = list(getOwn(item, 'response')).find((one) => {
    const code = getOwn(one, 'code')
    return typeof code === 'number' && code >= 200 && code < 300 && typeof getOwn(one, 'body') === 'string'
  })
  const body = getOwn(saved, 'body')
  const value = typeof body === 'string' ? readLoosely(body, variables) : undefined
  return value === undefined ? undefined : { value: schemaOfExample(value, '', false), base: '' }
}

import { BOUNDS } from '../bounds.ts'
import { isObject, type Json, list, getOwn, nonEmptyString } from '../json.ts'
import type {
  Alternative,
  ApiModel,
  Operation,
  Parameter,
  ParameterPlace,
  RejectedOperation,
  Server,
} from '../model.ts'
import type { LocatedValue, References } from '../openapi/references.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'
import { isPlaceholder } from '../schema/scalars.ts'
import { identityOf } from '../tools/slugs.ts'
import { type Pair, pairs, proseOf, targetOf } from './address.ts'
import { schemesOf, type Schemes } from './auth.ts'
import { bodyOf, readLoosely } from './body.ts'
import { schemaOfExample, schemaOfText } from './infer.ts'
import { isSecretName, looksSecret } from '../../../platform/secret-detection.ts'
import { type Variables, variablesOf } from './variables.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

export interface Collection {
  readonly model: ApiModel
  readonly notes: readonly string[]
}
interface Found {
  readonly item: Json
  readonly folders: readonly string[]
  readonly auth: readonly Alternative[] | undefined
}
interface Surroundings {
  readonly variables: Variables
  readonly schemes: Schemes
}
type Reading = Operation & { readonly server: Server }

/** Reads a Postman collection of version 2.0 or 2.1 as the description of an API. @throws ImportRejected */
export function readCollection(root: Json, links: References): Collection {
  const collection = isObject(root['collection']) && !Array.isArray(root['item']) ? root['collection'] : root
  if (!Array.isArray(getOwn(collection, 'item')))
    throw new ImportRejected(
      'not_postman',
      'The document has no `item`. Export the collection from Postman in the format v2.1.',
    )
  const variables = variablesOf(collection)
  const schemes = schemesOf(variables)
  const counted = { scripts: 0 }
  const found = requestsOf(collection, [], schemes.declared(getOwn(collection, 'auth')), schemes, counted)
  const refused: RejectedOperation[] = []
  const operations: Reading[] = []
  const known = new Set<string>()
  const names = repeated(found)
  for (const one of found) {
    const name = nonEmptyString(getOwn(one.item, 'name')) ?? ''
    try {
      const operation = readRequest(one, names.has(name.toLowerCase()), { variables, schemes })
      const [place, label] = [identityOf(operation), [...one.folders, name].join(' / ').slice(0, 200)]
      // The same address may be there once for each thing that can be done with it.
      const identity =
        [place, `${place} (${label})`].find((id) => !known.has(id)) ?? `${place} (${label}) ${known.size}`
      known.add(identity)
      operations.push(identity === place ? operation : { ...operation, identity })
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      refused.push({ method: '*', path: name.slice(0, 120), error })
    }
  }
  const servers = byUse(operations)
  const main = servers[0]?.url
  const info = getOwn(collection, 'info')
  return {
    notes:
      counted.scripts > 0
        ? [`${counted.scripts} scripts of the collection are left out: nothing of a document is run.`]
        : [],
    model: {
      title: nonEmptyString(getOwn(info, 'name')) ?? '',
      description: proseOf(getOwn(info, 'description')),
      version: versionOf(getOwn(info, 'version')),
      documentation: undefined,
      contact: undefined,
      logo: undefined,
      categories: [],
      service: schemes.service,
      servers: servers.slice(0, 1),
      schemes: schemes.all,
      operations: operations.map(({ server, ...operation }) =>
        server.url === main ? operation : { ...operation, servers: [server] },
      ),
      refused,
      references: links,
    },
  }
}

const versionOf = (value: unknown): string | undefined =>
  nonEmptyString(value) ??
  (isObject(value)
    ? ['major', 'minor', 'patch']
        .map((part) => getOwn(value, part))
        .filter((part) => typeof part === 'number' || typeof part === 'string')
        .join('.') || undefined
    : undefined)

/**
 * Every request with the folders around it and the sign-in that it inherits. Documents nest no deeper than
 * their bound.
 */
function requestsOf(
  folder: Json,
  folders: readonly string[],
  auth: readonly Alternative[] | undefined,
  schemes: Schemes,
  counted: { scripts: number },
  all: Found[] = [],
): Found[] {
  counted.scripts += scriptsOf(folder)
  for (const item of list(getOwn(folder, 'item'))) {
    if (!isObject(item)) continue
    const inherited = schemes.declared(getOwn(item, 'auth')) ?? auth
    if (Array.isArray(item['item']))
      requestsOf(
        item,
        [...folders, nonEmptyString(item['name']) ?? ''].filter(Boolean),
        inherited,
        schemes,
        counted,
        all,
      )
    else if (item['request'] !== undefined) {
      if (all.length >= BOUNDS.operations)
        throw new ImportRejected('too_large', `The collection has more than ${BOUNDS.operations} requests.`)
      counted.scripts += scriptsOf(item)
      all.push({ item, folders, auth: inherited })
    }
  }
  return all
}

const scriptsOf = (holder: Json): number =>
  list(getOwn(holder, 'event')).filter((event) =>
    [getOwn(getOwn(event, 'script'), 'exec')]
      .flat()
      .some((line) => typeof line === 'string' && line.trim() !== ''),
  ).length

/** Names that several requests have: `List` in each folder. */
function repeated(found: readonly Found[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(
    found
      .map(({ item }) => (nonEmptyString(getOwn(item, 'name')) ?? '').toLowerCase())
      .filter((name) => seen.has(name) || !seen.add(name)),
  )
}

function readRequest(
  { item, folders, auth }: Found,
  ambiguous: boolean,
  { variables, schemes }: Surroundings,
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

/** The servers, the most used first. */
function byUse(operations: readonly Reading[]): Server[] {
  const counts = Map.groupBy(operations, ({ server }) => server.url)
  return [...counts.values()].sort((a, b) => b.length - a.length).map(([first]) => first!.server)
}

import type { Alternative, ApiModel, RejectedOperation, Server } from '../model.ts'
import { type Json, getOwn, isObject, list, nonEmptyString } from '../json.ts'
import { variablesOf } from './variables.ts'
import { type Schemes, schemesOf } from './auth.ts'
import type { References } from '../openapi/references.ts'
import { ImportRejected } from '../import-rejected.ts'
import { type Found, type Reading, readRequest } from './read-request.ts'
import { identityOf } from '../tools/slugs.ts'
import { proseOf } from './address.ts'
import { BOUNDS } from '../bounds.ts'

export interface Collection {
  readonly model: ApiModel
  readonly notes: readonly string[]
}
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

/** The servers, the most used first. */
function byUse(operations: readonly Reading[]): Server[] {
  const counts = Map.groupBy(operations, ({ server }) => server.url)
  return [...counts.values()].sort((a, b) => b.length - a.length).map(([first]) => first!.server)
}

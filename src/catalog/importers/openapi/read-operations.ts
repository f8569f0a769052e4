import { BOUNDS } from '../bounds.ts'
import { isObject, type Json, list, object, getOwn, nonEmptyString, texts } from '../json.ts'
import type {
  Alternative,
  Body,
  Operation,
  Parameter,
  ParameterPlace,
  RejectedOperation,
  Server,
} from '../model.ts'
import { readLinkHeader } from './link-header.ts'
import type { LocatedValue, References } from './references.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'

/** What the two dialects say differently about an operation. */
export interface Dialect {
  /** One parameter that is no body. */
  parameter(place: LocatedValue, shape: Json): Parameter
  body(operation: Json, base: string, parameters: readonly LocatedValue[]): Body | undefined
  result(operation: Json, base: string): LocatedValue | undefined
  servers(value: Json): readonly Server[]
  security(value: unknown): readonly Alternative[] | undefined
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const PLACES: readonly string[] = ['path', 'query', 'header', 'cookie'] satisfies ParameterPlace[]

/**
 * Reads every operation of `paths`; one that cannot be read is reported with its reason, and the others are
 * read.
 */
export function readOperations(
  root: Json,
  references: References,
  base: string,
  dialect: Dialect,
): { operations: Operation[]; refused: RejectedOperation[] } {
  const operations: Operation[] = []
  const refused: RejectedOperation[] = []
  const attempt = (method: string, path: string, read: () => void) => {
    try {
      read()
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      refused.push({ method, path, error })
    }
  }
  const common = dialect.security(getOwn(root, 'security'))
  for (const [path, value] of Object.entries(object(getOwn(root, 'paths')))) {
    if (path.startsWith('x-') || !isObject(value)) continue
    let item: LocatedValue = { value, base }
    attempt('*', path, () => {
      item = references.follow(item)
    })
    const shape = object(item.value)
    for (const method of METHODS) {
      const operation = getOwn(shape, method)
      if (!isObject(operation)) continue
      if (operations.length + refused.length >= BOUNDS.operations)
        throw new ImportRejected(
          'too_large',
          `The document has more than ${BOUNDS.operations} operations. Split it by the areas of the API.`,
        )
      attempt(method, path, () => {
        if (method === 'trace')
          throw new ImportRejected(
            'unsupported_method',
            'TRACE would answer the credentials of the request, so it is never sent.',
          )
        operations.push(readOperation(method, path, item, operation, { references, dialect, common }))
      })
    }
  }
  return { operations, refused }
}

interface Surroundings {
  references: References
  dialect: Dialect
  common: readonly Alternative[] | undefined
}

function readOperation(
  method: string,
  path: string,
  item: LocatedValue,
  operation: Json,
  { references, dialect, common }: Surroundings,
): Operation {
  const { base } = item
  const declared = [
    ...list(getOwn(item.value, 'parameters')),
    ...list(getOwn(operation, 'parameters')),
  ].filter(isObject)
  if (declared.length > BOUNDS.arguments)
    throw new ImportRejected(
      'too_large',
      `The operation has ${declared.length} parameters; at most ${BOUNDS.arguments} are read.`,
    )
  const all = followed(
    declared.map((value) => ({ value, base })),
    references,
  )
  const parameters = new Map<string, Parameter>()
  for (const place of all) {
    const shape = object(place.value)
    const [name, where] = [getOwn(shape, 'name'), getOwn(shape, 'in')]
    if (typeof name !== 'string' || name === '' || typeof where !== 'string' || !PLACES.includes(where))
      continue
    // The operation's own parameter replaces that of its path.
    parameters.set(
      `${where}\n${where === 'header' ? name.toLowerCase() : name}`,
      dialect.parameter(place, shape),
    )
  }
  const servers = dialect.servers(operation)
  return {
    method,
    path,
    id: nonEmptyString(getOwn(operation, 'operationId')),
    summary: nonEmptyString(getOwn(operation, 'summary')) ?? nonEmptyString(getOwn(item.value, 'summary')),
    description:
      nonEmptyString(getOwn(operation, 'description')) ?? nonEmptyString(getOwn(item.value, 'description')),
    documentation: nonEmptyString(getOwn(getOwn(operation, 'externalDocs'), 'url')),
    tags: texts(getOwn(operation, 'tags')),
    deprecated: getOwn(operation, 'deprecated') === true,
    parameters: withPath(path, [...parameters.values()], base),
    body: dialect.body(operation, base, all),
    servers: servers.length > 0 ? servers : dialect.servers(object(item.value)),
    security: dialect.security(getOwn(operation, 'security')) ?? common,
    result: dialect.result(operation, base),
    linkHeader: readLinkHeader(operation, base, references),
  }
}

/**
 * Follows all references before it throws the first failure, so that all missing documents are known
 * together.
 */
function followed(places: readonly LocatedValue[], references: References): LocatedValue[] {
  let failure: unknown
  const all = places.map((place) => {
    try {
      return references.follow(place)
    } catch (error) {
      failure ??= error
      return place
    }
  })
  if (failure !== undefined) throw failure
  return all
}

/**
 * A place of the path that nobody declared is a text; a declared one that the path does not have is left out.
 */
function withPath(path: string, parameters: readonly Parameter[], base: string): Parameter[] {
  const places = [...new Set(pathPlaces(path))]
  const known = new Map(parameters.filter((one) => one.in === 'path').map((one) => [one.name, one]))
  const made = places.map(
    (name): Parameter =>
      known.get(name) ?? {
        name,
        in: 'path',
        required: true,
        description: undefined,
        deprecated: false,
        schema: { value: { type: 'string' }, base },
        style: 'simple',
        explode: false,
        json: false,
        example: undefined,
      },
  )
  return [...made, ...parameters.filter((one) => one.in !== 'path')]
}

/**
 * Returns the names in braces. An unclosed or nested brace is an error: the placeholder has no name. @throws
 * ImportRejected
 */
export function pathPlaces(path: string): string[] {
  const bare = path.replace(/\{[^{}/?#]+\}/g, '')
  if (/[{}]/.test(bare))
    throw new ImportRejected(
      'bad_path',
      `The path ${quoted(path)} has a brace without its other one. Correct it in the document.`,
    )
  return [...path.matchAll(/\{([^{}/?#]+)\}/g)].map(([, name]) => name!)
}

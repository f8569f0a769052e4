import { isObject, type Json, object, getOwn, nonEmptyString, texts } from '../json.ts'
import { bestJson, bestMediaType } from '../tools/media-types.ts'
import type {
  Alternative,
  ApiModel,
  Body,
  Flow,
  Parameter,
  ParameterPlace,
  SecurityScheme,
} from '../model.ts'
import { readInfo, readServers } from './read-info.ts'
import { type Dialect, readOperations } from './read-operations.ts'
import type { LocatedValue, References } from './references.ts'
import { bearerScheme } from './read-security.ts'
import { ImportRejected } from '../import-rejected.ts'
import { readParameterHead } from './parameter-head.ts'

/** OpenAPI 3.0 and 3.1 (§4.8). */
export function readOpenApi3(root: Json, references: References, base: string): ApiModel {
  const dialect: Dialect = {
    parameter: (place, shape) => readParameter(place, shape, references),
    body: (operation, at) => readBody(operation, at, references),
    result: (operation, at) => readResult(operation, at, references),
    servers: (value) => readServers(getOwn(value, 'servers')),
    security: readSecurity,
  }
  return {
    ...readInfo(root),
    servers: readServers(getOwn(root, 'servers')),
    schemes: readSchemes(root, references, base),
    ...readOperations(root, references, base, dialect),
    references,
  }
}

/** Alternatives: an empty object is "no credentials needed". */
export function readSecurity(value: unknown): readonly Alternative[] | undefined {
  return Array.isArray(value)
    ? value
        .filter(isObject)
        .map((one) => new Map(Object.entries(one).map(([name, scopes]) => [name, texts(scopes)])))
    : undefined
}

function readParameter({ base }: LocatedValue, shape: Json, references: References): Parameter {
  const where = getOwn(shape, 'in') as ParameterPlace
  const content = getOwn(shape, 'content')
  const [media] = isObject(content) ? Object.entries(content) : []
  const style =
    nonEmptyString(getOwn(shape, 'style')) ?? (where === 'path' || where === 'header' ? 'simple' : 'form')
  const explode = getOwn(shape, 'explode')
  const schema: LocatedValue = {
    value: media ? (getOwn(media[1], 'schema') ?? {}) : (getOwn(shape, 'schema') ?? {}),
    base,
  }
  return {
    ...readParameterHead(shape),
    schema,
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
    json: media !== undefined && bestJson([media[0]]) !== undefined && !isPlain(schema, references),
    example: getOwn(shape, 'example'),
  }
}

/** A text under `content: application/json` is meant as it is: hardly anybody wants it in quotes. */
function isPlain(schema: LocatedValue, references: References): boolean {
  try {
    return ['string', 'integer', 'number', 'boolean'].includes(
      String(getOwn(references.follow(schema).value, 'type')),
    )
  } catch {
    return false
  }
}

function readBody(operation: Json, base: string, references: References): Body | undefined {
  const requestBody = getOwn(operation, 'requestBody')
  if (!isObject(requestBody)) return undefined
  const place = references.follow({ value: requestBody, base })
  const content = object(getOwn(place.value, 'content'))
  const mediaType = bestMediaType(Object.keys(content))
  if (mediaType === undefined) return undefined
  const media = getOwn(content, mediaType)
  const encoding = Object.entries(object(getOwn(media, 'encoding'))).map(([name, one]) => {
    const explode = getOwn(one, 'explode')
    return [
      name,
      {
        style: nonEmptyString(getOwn(one, 'style')),
        explode: typeof explode === 'boolean' ? explode : undefined,
        contentType: nonEmptyString(getOwn(one, 'contentType')),
      },
    ] as const
  })
  return {
    mediaType,
    required: getOwn(place.value, 'required') === true,
    description: nonEmptyString(getOwn(place.value, 'description')),
    schema: { value: getOwn(media, 'schema') ?? {}, base: place.base },
    encoding: new Map(encoding),
  }
}

/**
 * Reads the schema of the first success response. An unresolved reference does not reject the operation: the
 * result schema is advisory.
 */
function readResult(operation: Json, base: string, references: References): LocatedValue | undefined {
  const responses = object(getOwn(operation, 'responses'))
  const status = ['200', '201', '202', '203', '2XX', '2xx', '206', 'default'].find((one) =>
    Object.hasOwn(responses, one),
  )
  if (status === undefined) return undefined
  try {
    const place = references.follow({ value: responses[status], base })
    const content = object(getOwn(place.value, 'content'))
    const json = bestJson(Object.keys(content))
    const schema = json === undefined ? undefined : getOwn(content[json], 'schema')
    return schema === undefined ? undefined : { value: schema, base: place.base }
  } catch (error) {
    if (error instanceof ImportRejected) return undefined
    throw error
  }
}

function readSchemes(root: Json, references: References, base: string): Map<string, SecurityScheme> {
  const found = new Map<string, SecurityScheme>()
  for (const [name, value] of Object.entries(object(getOwn(getOwn(root, 'components'), 'securitySchemes')))) {
    try {
      found.set(name, readScheme(object(references.follow({ value, base }).value)))
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      found.set(name, { kind: 'unsupported', word: 'unknown', description: undefined })
    }
  }
  return found
}

function readScheme(shape: Json): SecurityScheme {
  const description = nonEmptyString(getOwn(shape, 'description'))
  const type = String(getOwn(shape, 'type')).toLowerCase()
  const where = getOwn(shape, 'in')
  const name = nonEmptyString(getOwn(shape, 'name'))
  if (type === 'apikey' && name && (where === 'header' || where === 'query' || where === 'cookie'))
    return {
      kind: 'key',
      in: where,
      name: name.trim(),
      description,
      aws: getOwn(shape, 'x-amazon-apigateway-authtype') === 'awsSigv4',
    }
  if (type === 'http' && String(getOwn(shape, 'scheme')).toLowerCase() === 'basic')
    return { kind: 'basic', description }
  if (type === 'http')
    return { ...bearerScheme(nonEmptyString(getOwn(shape, 'scheme')) ?? 'bearer'), description }
  if (type === 'oauth2') {
    const flows = getOwn(shape, 'flows')
    return {
      kind: 'oauth2',
      code: readFlow(getOwn(flows, 'authorizationCode')),
      client: readFlow(getOwn(flows, 'clientCredentials')),
      password: readFlow(getOwn(flows, 'password')),
      description,
    }
  }
  // Its endpoints are in another document; a token that the user supplies always works.
  if (type === 'openidconnect')
    return { kind: 'oauth2', code: undefined, client: undefined, password: undefined, description }
  return { kind: 'unsupported', word: type, description }
}

function readFlow(value: unknown): Flow | undefined {
  return isObject(value)
    ? {
        authorizationUrl: nonEmptyString(getOwn(value, 'authorizationUrl')),
        tokenUrl: nonEmptyString(getOwn(value, 'tokenUrl')),
        refreshUrl: nonEmptyString(getOwn(value, 'refreshUrl')),
        scopes: Object.keys(object(getOwn(value, 'scopes'))),
      }
    : undefined
}

import { isObject, type Json, object, getOwn, nonEmptyString, texts } from '../json.ts'
import { bestJson, bestMediaType, bodyTypeOf } from '../tools/media-types.ts'
import type { ApiModel, Body, Flow, Parameter, ParameterPlace, SecurityScheme, Server } from '../model.ts'
import { readInfo } from './read-info.ts'
import { readSecurity } from './read-openapi3.ts'
import { type Dialect, readOperations } from './read-operations.ts'
import type { LocatedValue, References } from './references.ts'
import { ImportRejected } from '../import-rejected.ts'
import { readParameterHead } from './parameter-head.ts'

/** Swagger 2.0. */
export function readSwagger2(root: Json, references: References, base: string): ApiModel {
  const consumes = texts(getOwn(root, 'consumes'))
  const dialect: Dialect = {
    parameter: ({ base: at }, shape) => readParameter(shape, at),
    body: (operation, at, parameters) =>
      readBody(
        parameters,
        Array.isArray(getOwn(operation, 'consumes')) ? texts(getOwn(operation, 'consumes')) : consumes,
        at,
      ),
    result: (operation, at) => readResult(operation, at, references),
    servers: () => [],
    security: readSecurity,
  }
  return {
    ...readInfo(root),
    servers: serversOf(root),
    schemes: readSchemes(root),
    ...readOperations(root, references, base, dialect),
    references,
  }
}

function serversOf(root: Json): Server[] {
  const host = nonEmptyString(getOwn(root, 'host'))
    ?.trim()
    .replace(/^https?:\/\//i, '')
  const path = nonEmptyString(getOwn(root, 'basePath')) ?? ''
  const schemes = texts(getOwn(root, 'schemes')).filter((one) => one === 'https' || one === 'http')
  if (host === undefined)
    return path === '' ? [] : [{ url: path, description: undefined, variables: new Map() }]
  const scheme = schemes.includes('https') || schemes.length === 0 ? 'https' : 'http'
  const slash = path.startsWith('/') || path === '' ? '' : '/'
  return [
    {
      url: `${scheme}://${host}${slash}${path}`,
      description: undefined,
      variables: new Map(),
    },
  ]
}

/** `collectionFormat` as a style of OpenAPI 3. */
const STYLES: Readonly<Record<string, readonly [style: string, explode: boolean]>> = {
  csv: ['form', false],
  ssv: ['spaceDelimited', false],
  tsv: ['tab', false],
  pipes: ['pipeDelimited', false],
  multi: ['form', true],
}

function styleOf(shape: Json, where: string): readonly [string, boolean] {
  const styleByLocation = where === 'path' || where === 'header' ? (['simple', false] as const) : undefined
  const format = getOwn(shape, 'collectionFormat')
  return (
    styleByLocation ??
    (typeof format === 'string' && Object.hasOwn(STYLES, format) ? STYLES[format]! : ['form', false])
  )
}

function readParameter(shape: Json, base: string): Parameter {
  const where = getOwn(shape, 'in') as ParameterPlace
  const [style, explode] = styleOf(shape, where)
  return {
    ...readParameterHead(shape),
    // The parameter itself says type, format and items; some documents write a schema all the same.
    schema: { value: getOwn(shape, 'schema') ?? schemaOf(shape), base },
    style,
    explode,
    json: false,
    example: getOwn(shape, 'x-example') ?? getOwn(shape, 'example'),
  }
}

const schemaOf = (shape: Json): Json =>
  Object.fromEntries(
    Object.entries(shape).filter(
      ([key]) =>
        !['name', 'in', 'required', 'description', 'collectionFormat', 'x-example', 'example'].includes(key),
    ),
  )

interface BodyParameter {
  readonly shape: Json
  readonly base: string
}

/** A body is one parameter `in: body`, or the parameters `in: formData` together. */
function readBody(
  parameters: readonly LocatedValue[],
  consumes: readonly string[],
  base: string,
): Body | undefined {
  const shapes = parameters.map((place) => ({ shape: object(place.value), base: place.base }))
  const body = shapes.findLast(({ shape }) => getOwn(shape, 'in') === 'body')
  if (body) return wholeBody(body, consumes)
  const fields = shapes.filter(
    ({ shape }) => getOwn(shape, 'in') === 'formData' && typeof getOwn(shape, 'name') === 'string',
  )
  return fields.length > 0 ? formBody(fields, consumes, base) : undefined
}

function wholeBody({ shape, base }: BodyParameter, consumes: readonly string[]): Body {
  const types = consumes.filter((type) => !['form', 'multipart'].includes(bodyTypeOf(type)))
  return {
    mediaType: bestMediaType(types) ?? 'application/json',
    required: isRequired(shape),
    description: nonEmptyString(getOwn(shape, 'description')),
    schema: { value: getOwn(shape, 'schema') ?? {}, base },
    encoding: new Map(),
  }
}

function formBody(fields: readonly BodyParameter[], consumes: readonly string[], base: string): Body {
  const encoding = fields.map(({ shape }) => {
    const [style, explode] = styleOf(shape, 'formData')
    return [fieldNameOf(shape), { style, explode, contentType: undefined }] as const
  })
  return {
    mediaType: formMediaType(fields, consumes),
    required: fields.some(({ shape }) => isRequired(shape)),
    description: undefined,
    schema: {
      value: {
        type: 'object',
        properties: Object.fromEntries(fields.map(({ shape }) => [fieldNameOf(shape), fieldSchema(shape)])),
        required: fields.filter(({ shape }) => isRequired(shape)).map(({ shape }) => fieldNameOf(shape)),
      },
      base: fields[0]?.base ?? base,
    },
    encoding: new Map(encoding),
  }
}

function formMediaType(fields: readonly BodyParameter[], consumes: readonly string[]): string {
  const hasFile = fields.some(({ shape }) => getOwn(shape, 'type') === 'file')
  const accepts = (kind: string) => consumes.some((type) => bodyTypeOf(type) === kind)
  return hasFile || (accepts('multipart') && !accepts('form'))
    ? 'multipart/form-data'
    : 'application/x-www-form-urlencoded'
}

const isRequired = (shape: Json): boolean => getOwn(shape, 'required') === true

const fieldNameOf = (shape: Json): string => getOwn(shape, 'name') as string

const fieldSchema = (shape: Json): Json => ({
  ...schemaOf(shape),
  ...(nonEmptyString(getOwn(shape, 'description')) !== undefined && {
    description: getOwn(shape, 'description'),
  }),
})

function readResult(operation: Json, base: string, references: References): LocatedValue | undefined {
  const responses = object(getOwn(operation, 'responses'))
  const status = ['200', '201', '202', '203', '206', 'default'].find((one) => Object.hasOwn(responses, one))
  const produces = texts(getOwn(operation, 'produces'))
  if (status === undefined || (produces.length > 0 && bestJson(produces) === undefined)) return undefined
  try {
    const place = references.follow({ value: responses[status], base })
    const schema = getOwn(place.value, 'schema')
    return isObject(schema) ? { value: schema, base: place.base } : undefined
  } catch (error) {
    if (error instanceof ImportRejected) return undefined
    throw error
  }
}

function readSchemes(root: Json): Map<string, SecurityScheme> {
  return new Map(
    Object.entries(object(getOwn(root, 'securityDefinitions'))).map(([name, value]) => [
      name,
      readScheme(object(value)),
    ]),
  )
}

function readScheme(shape: Json): SecurityScheme {
  const description = nonEmptyString(getOwn(shape, 'description'))
  const [type, where, name] = [
    getOwn(shape, 'type'),
    getOwn(shape, 'in'),
    nonEmptyString(getOwn(shape, 'name')),
  ]
  if (type === 'basic') return { kind: 'basic', description }
  if (type === 'apiKey' && name && (where === 'header' || where === 'query'))
    return {
      kind: 'key',
      in: where,
      name: name.trim(),
      description,
      aws: getOwn(shape, 'x-amazon-apigateway-authtype') === 'awsSigv4',
    }
  if (type === 'oauth2') {
    const flow: Flow = {
      authorizationUrl: nonEmptyString(getOwn(shape, 'authorizationUrl')),
      tokenUrl: nonEmptyString(getOwn(shape, 'tokenUrl')),
      refreshUrl: undefined,
      scopes: Object.keys(object(getOwn(shape, 'scopes'))),
    }
    return {
      kind: 'oauth2',
      code: getOwn(shape, 'flow') === 'accessCode' ? flow : undefined,
      client: getOwn(shape, 'flow') === 'application' ? flow : undefined,
      password: getOwn(shape, 'flow') === 'password' ? flow : undefined,
      description,
    }
  }
  return { kind: 'unsupported', word: String(type), description }
}

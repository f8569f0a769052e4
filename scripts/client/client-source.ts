import { docComment, fieldLines, propertyName, type Schema, typeOf } from './schema-types.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  deprecated?: boolean
  schema: Schema
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
  security?: object[]
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const PREFIX = '/api/v3.1'

interface NamedOperation {
  method: string
  /** Below the prefix of the version. */
  path: string
  operation: Operation
}

function operationsOf(document: Document): NamedOperation[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method]
        return operation ? [{ method: method.toUpperCase(), path: path.slice(PREFIX.length), operation }] : []
      }),
    )
    .sort((one, other) => (one.operation.operationId < other.operation.operationId ? -1 : 1))
}

function bodySchema({ requestBody }: Operation, { components }: Document): Schema {
  const body = requestBody?.content['application/json'].schema ?? {}
  return body.$ref === undefined
    ? body
    : (components.schemas[body.$ref.split('/').at(-1) as string] as Schema)
}

/** Returns the fields of a request: path and query parameters and the fields of the body, together. */
function requestSchema(operation: Operation, document: Document): Schema {
  // Headers are options of a request.
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== 'header')
  const { properties = {}, required = [] } = bodySchema(operation, document)
  const fields: Record<string, Schema> = {}
  for (const { name, schema, description, deprecated } of parameters)
    fields[name] = {
      ...schema,
      ...(description ? { description } : {}),
      ...(deprecated ? { deprecated } : {}),
    }
  Object.assign(fields, properties)
  return {
    properties: fields,
    required: [...parameters.filter((one) => one.required).map(({ name }) => name), ...required],
  }
}

const responseSchema = ({ responses }: Operation): Schema => {
  const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? []
  return success?.content?.['application/json']?.schema ?? {}
}

const HEADER = `// Generated from the OpenAPI document by scripts/write-client.ts.
/* eslint-disable */
`

/** Returns the source of the types: an interface for each shared schema, and one for all operations. */
export function typesSource(document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const comment = docComment(schema.description, '')
    return schema.type === 'object' &&
      schema.properties &&
      !schema.oneOf &&
      schema.additionalProperties === undefined
      ? `${comment}export interface ${name} {\n${fieldLines(schema, '  ')}}\n`
      : `${comment}export type ${name} = ${typeOf(schema)}\n`
  })
  const operations = operationsOf(document).map(({ operation }) => {
    const request = requestSchema(operation, document)
    const text = [`${operation.summary}.`, operation.description].filter(Boolean).join('\n\n')
    const fields = fieldLines(request, '      ')
    return [
      docComment(text, '  ', operation.deprecated),
      `  ${propertyName(operation.operationId)}: {\n`,
      `    request: ${fields ? `{\n${fields}    }` : 'Record<string, never>'}\n`,
      `    response: ${typeOf(responseSchema(operation), '    ')}\n`,
      '  }\n',
    ].join('')
  })
  return [
    HEADER,
    ...schemas,
    '/** Request and response of each operation of the API. */\nexport interface Operations {\n',
    ...operations,
    '}\n',
  ].join('\n')
}

/** Returns the source of the table that the client reads: method, path and query parameters of each operation. */
export function tableSource(document: Document): string {
  const rows = operationsOf(document).map(({ method, path, operation }) => {
    const body = operation.requestBody ? bodySchema(operation, document).properties : undefined
    // A field of the body has priority over a parameter of the same name, which has the same meaning.
    const query = (operation.parameters ?? [])
      .filter((one) => one.in === 'query' && !body?.[one.name])
      .map(({ name }) => name)
    const key = JSON.stringify(operation.security?.[0] ?? {}).includes('OrgApiKeyAuth')
      ? 'organization'
      : 'project'
    return `  ${JSON.stringify(operation.operationId)}: ${JSON.stringify([method, key, path, ...query].join(' '))},\n`
  })
  return [
    HEADER,
    '/** Method, kind of key, path, and names of the query parameters, with spaces between, by the id of the ' +
      'operation. */\n',
    'export const OPERATIONS: Readonly<Record<string, string>> = {\n',
    ...rows,
    '}\n',
  ].join('')
}

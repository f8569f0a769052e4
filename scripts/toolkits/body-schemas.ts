import { isObject, type Json, object } from '../../src/catalog/importers/json.ts'

const ANY_OBJECT = { type: 'object' }

/**
 * Returns a document in which each body has a schema: an object with any members where the document names a body and
 * does not describe it. Without one its operations would be tools that can send nothing. Some documents were converted
 * to OpenAPI 3 with the body as a parameter, as Swagger 2 has it.
 */
export function withBodySchemas(openapi: Json): Json {
  const isSwagger = openapi['swagger'] !== undefined
  const change = (operation: unknown) => withBodySchema(operation, isSwagger)
  return { ...openapi, paths: mapped(openapi['paths'], (item) => mapped(item, change)) }
}

function withBodySchema(operation: unknown, isSwagger: boolean): unknown {
  if (!isObject(operation) || !Array.isArray(operation['parameters'])) return operation
  const all = operation['parameters'].map(object)
  if (!all.some(isUndescribed)) return operation
  if (isSwagger)
    return {
      ...operation,
      parameters: all.map((one) => (isUndescribed(one) ? { ...one, schema: ANY_OBJECT } : one)),
    }
  const requestBody = { content: { 'application/json': { schema: ANY_OBJECT } } }
  return { requestBody, ...operation, parameters: all.filter((one) => !isUndescribed(one)) }
}

const isUndescribed = (parameter: Json): boolean =>
  parameter['in'] === 'body' && parameter['schema'] === undefined

const mapped = (value: unknown, change: (value: unknown) => unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]))
    : value

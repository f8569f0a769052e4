import { isObject, type Json } from '../json.ts'
import { isPlaceholder } from '../schema/scalars.ts'
import { isSecretName, looksSecret } from '../../../platform/secret-detection.ts'

const WHOLE_NAME =
  /(^|[_-])(id|ids|count|page|limit|offset|size|quantity|qty|number|year|month|day|index|position|per_?page|page_?size|skip|top|take)$|(Id|Count|Page|Limit|Offset|Size|Quantity|Number|Index|Position)$/i
const LIST_SAMPLE = 5

/**
 * What a value of JSON is, as a schema: what an example has is allowed and nothing is required, since an
 * example tells no more.
 */
export function schemaOfExample(value: unknown, name = '', examples = true): Json {
  if (value === null || value === undefined) return {}
  if (Array.isArray(value))
    return {
      type: 'array',
      items: merged(value.slice(0, LIST_SAMPLE).map((one) => schemaOfExample(one, name, examples))),
    }
  if (isObject(value))
    return {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, schemaOfExample(one, key, examples)]),
      ),
    }
  if (typeof value === 'number')
    return {
      type: Number.isInteger(value) && WHOLE_NAME.test(name) ? 'integer' : 'number',
      ...(examples && exampleSchema(name, value)),
    }
  return typeof value === 'boolean'
    ? { type: 'boolean' }
    : { type: 'string', ...(examples && exampleSchema(name, value as string)) }
}

/**
 * A text of a query or a form. Only a name that counts makes digits a number: ids are often digits today and
 * letters tomorrow.
 */
export function schemaOfText(value: string | undefined, name: string): Json {
  if (value === undefined || value === '' || isPlaceholder(value)) return { type: 'string' }
  if (value === 'true' || value === 'false') return { type: 'boolean' }
  if (/^\d{1,9}$/.test(value) && WHOLE_NAME.test(name) && !/ids?$/i.test(name))
    return { type: 'integer', ...exampleSchema(name, Number(value)) }
  return { type: 'string', ...exampleSchema(name, value) }
}

const exampleSchema = (name: string, value: string | number): Json =>
  isSecretName(name) || looksSecret(String(value)) || value === '' ? {} : { example: value }

/** Objects of a list have the members of all of them. */
function merged(schemas: readonly Json[]): Json {
  const [first, ...rest] = schemas
  if (!first) return {}
  if (rest.some((one) => one['type'] !== first['type'])) return {}
  if (first['type'] !== 'object') return first
  return {
    type: 'object',
    properties: Object.assign(Object.create(null), ...schemas.map((one) => one['properties'])) as Json,
  }
}

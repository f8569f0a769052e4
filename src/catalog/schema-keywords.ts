// The keywords of JSON Schema whose values contain schemas that validators apply: those of 2020-12, and `dependencies`
// of earlier versions, which Ajv applies, too. Definitions are not among them.

/** Keywords whose value is a schema. */
export const SINGLE_SCHEMA_KEYWORDS: readonly string[] = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
]
/** Keywords whose value is a list of schemas, except `allOf`. */
export const SCHEMA_LIST_KEYWORDS: readonly string[] = ['anyOf', 'oneOf', 'prefixItems']
/** Keywords whose value is an object with schemas as its values. `dependencies` may also have lists of names. */
export const SCHEMA_MAP_KEYWORDS: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]

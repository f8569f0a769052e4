import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from '@rjsf/utils'

/** Keywords whose errors only repeat that something inside is wrong. */
const CONTAINERS = new Set([
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
])
const MISSING = /required property "([^"]+)"/

/** Turns an error of the validator into one of the form, at the field that it concerns. */
function formError({ keyword, instanceLocation, error }: OutputUnit): RJSFValidationError {
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/'))
  const [, missing] = keyword === 'required' ? (MISSING.exec(error) ?? []) : []
  const property = [...path, ...(missing === undefined ? [] : [missing])].map((part) => `.${part}`).join('')
  const message = missing === undefined ? error : 'is required'
  return { name: keyword, property, message, stack: `${property.slice(1) || 'Arguments'}: ${message}` }
}

const errorsOf = (schema: RJSFSchema, data: unknown): RJSFValidationError[] => {
  try {
    const { errors } = new Validator(schema as Schema, '2020-12', false).validate(data ?? {})
    return errors.filter(({ keyword }) => !CONTAINERS.has(keyword)).map(formError)
  } catch {
    // A schema that this validator cannot read: the server validates.
    return []
  }
}

/** Validates forms without compiled code, which the content security policy does not allow. */
export const schemaValidator: ValidatorType = {
  validateFormData(data, schema) {
    const errors = errorsOf(schema, data)
    return { errors, errorSchema: toErrorSchema(errors) }
  },
  isValid(schema, data, root) {
    try {
      const validator = new Validator(schema as Schema, '2020-12')
      if (root.$id !== undefined && root !== schema) validator.addSchema(root as Schema)
      return validator.validate(data ?? {}).valid
    } catch {
      return false
    }
  },
  rawValidation: (schema, data) => ({ errors: errorsOf(schema, data) as never[] }),
}

import { getOwn, type Json, nonEmptyString } from '../json.ts'
import type { Parameter, ParameterPlace } from '../model.ts'

/** Reads the fields of a parameter that Swagger 2.0 and OpenAPI 3 have in common. */
export function readParameterHead(
  shape: Json,
): Pick<Parameter, 'name' | 'in' | 'required' | 'description' | 'deprecated'> {
  const where = getOwn(shape, 'in') as ParameterPlace
  return {
    name: getOwn(shape, 'name') as string,
    in: where,
    // Values in the path cannot be left out, whatever the document declares.
    required: where === 'path' || getOwn(shape, 'required') === true,
    description: nonEmptyString(getOwn(shape, 'description')),
    deprecated: getOwn(shape, 'deprecated') === true,
  }
}

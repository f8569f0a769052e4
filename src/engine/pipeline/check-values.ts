import addFormats from 'ajv-formats'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import type { JsonSchema } from '../../catalog/index.ts'
import { detail } from '../../platform/http/failures.ts'

const VALIDATORS_MAX = 2_000
/** An instance keeps something of every schema that it ever compiled, so it is given up after so many. */
const COMPILED_MAX = 500
const MISTAKES_MAX = 20

/** Checks of values against the schemas of manifests (JSON Schema 2020-12), compiled at first use. They fill in defaults, in place, and take no unknown member of the whole. */
export function valueChecks(allErrors: boolean): (schema: JsonSchema) => ValidateFunction {
  const known = new LRUCache<JsonSchema, ValidateFunction>({ max: VALIDATORS_MAX })
  let ajv = newAjv(allErrors)
  let compiled = 0
  return (schema) => {
    let validate = known.get(schema)
    if (!validate) {
      if (++compiled % COMPILED_MAX === 0) ajv = newAjv(allErrors)
      known.set(schema, (validate = ajv.compile({ additionalProperties: false, ...schema })))
    }
    return validate
  }
}

function newAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    useDefaults: true,
    strict: false,
    addUsedSchema: false,
    validateSchema: false,
  })
  addFormats.default(ajv)
  return ajv
}

/** What a check found, as sentences without the place of the whole: `limit: must be <= 100`. */
export const mistakesIn = ({ errors }: ValidateFunction): string[] =>
  (errors ?? []).slice(0, MISTAKES_MAX).map(sentence)

const sentence = (error: ErrorObject) =>
  detail('arguments', error)
    .replace(/^Error in arguments\.?/, '')
    .replace(/^: /, '')

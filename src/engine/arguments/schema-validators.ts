import { trySafePattern } from '../../platform/safe-pattern/index.ts'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { ajv as library } from '../../platform/ajv.ts'
import { createCache } from '../../platform/cache.ts'
import type { JsonSchema } from '../../catalog/index.ts'
import { validationDetail } from '../../platform/http/server/api-errors.ts'

const VALIDATORS_MAX = 2_000
/** An Ajv instance keeps some data of every schema that it compiled, so it is replaced after this many. */
const COMPILED_MAX = 500
const ERRORS_MAX = 20

/**
 * Returns a function that compiles schemas of manifests (JSON Schema 2020-12) at first use. The validators fill
 * in defaults in place and reject unknown properties at the top level.
 */
export function createSchemaValidators(allErrors: boolean): (schema: JsonSchema) => ValidateFunction {
  const validators = createCache<JsonSchema, ValidateFunction>({ max: VALIDATORS_MAX })
  let ajv: Ajv2020 | undefined
  let compiled = 0
  return (schema) => {
    let validate = validators.get(schema)
    if (!validate) {
      if (++compiled % COMPILED_MAX === 0) ajv = undefined
      ajv ??= newAjv(allErrors)
      validators.set(schema, (validate = ajv.compile({ additionalProperties: false, ...schema })))
    }
    return validate
  }
}

/**
 * Runs the patterns of schemas on arguments in bounded time; a pattern that is not supported matches nothing.
 * Ajv stores the compiled patterns by their text, so `toString` must differ.
 */
const safeRegExp = Object.assign(
  (source: string) => {
    const pattern = trySafePattern(source)
    return { test: (text: string) => pattern?.matches(text) ?? false, toString: () => source }
  },
  { code: 'safeRegExp' },
)

function newAjv(allErrors: boolean): Ajv2020 {
  const ajv = new library.Ajv2020({
    allErrors,
    useDefaults: true,
    strict: false,
    addUsedSchema: false,
    validateSchema: false,
    code: { regExp: safeRegExp },
  })
  library.addFormats(ajv)
  return ajv
}

/** Returns the errors of a validator as sentences: `limit: must be <= 100`. */
export const describeSchemaErrors = ({ errors }: ValidateFunction): string[] =>
  (errors ?? []).slice(0, ERRORS_MAX).map(sentence)

const sentence = (error: ErrorObject) =>
  validationDetail('arguments', error)
    .replace(/^Error in arguments\.?/, '')
    .replace(/^: /, '')

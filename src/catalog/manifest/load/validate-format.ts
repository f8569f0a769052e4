import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Toolkit, Tools, Triggers } from '../format/index.ts'
import type { Reporter } from '../diagnostics.ts'
import { fits } from './quick-check.ts'

export interface ManifestChecks {
  /** Each reports what is wrong and answers whether nothing is. */
  toolkit(value: unknown, report: Reporter): boolean
  tools(value: unknown, report: Reporter): boolean
  triggers(value: unknown, report: Reporter): boolean
}

/** Checks of the files against their schemas. With `thorough`, Ajv judges every file, else only those that the quick check doubts. */
export function manifestChecks(thorough: boolean): ManifestChecks {
  const checkOf = (schema: object) => {
    return (value: unknown, report: Reporter): boolean => {
      if (!thorough && fits(schema, value)) return true
      const validate = compiled(schema)
      if (validate(value)) return true
      for (const error of told(validate.errors ?? [])) report.add(error.instancePath, reasonOf(error))
      return false
    }
  }
  return { toolkit: checkOf(Toolkit), tools: checkOf(Tools), triggers: checkOf(Triggers) }
}

/** Kept for the next file that is doubted: compiling takes longer than all the rest. */
function compiled(schema: object): ValidateFunction {
  let validate = COMPILED.get(schema)
  if (!validate)
    COMPILED.set(
      schema,
      (validate = new Ajv({
        allErrors: true,
        discriminator: true,
        strictTypes: false,
        verbose: true,
      }).compile(withOneOf(schema) as object)),
    )
  return validate
}

const COMPILED = new WeakMap<object, ValidateFunction>()

/** TypeBox writes a discriminated union as `anyOf`, Ajv wants `oneOf`, and judges objects only: without `type` it would let `false` pass. */
function withOneOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withOneOf)
  if (schema === null || typeof schema !== 'object') return schema
  const discriminated = 'discriminator' in schema
  const rules = Object.entries(schema).map(([key, value]) => [
    key === 'anyOf' && discriminated ? 'oneOf' : key,
    withOneOf(value),
  ])
  return { ...(Object.fromEntries(rules) as object), ...(discriminated && { type: 'object' }) }
}

/** A union fails with the errors of all its branches; for unions of words and of shapes the one sentence about the union says it all. */
function told(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => `${schemaPath}/`)
  return errors.filter(({ schemaPath }) => !unions.some((union) => schemaPath.startsWith(union)))
}

function reasonOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties')
    return `unknown key \`${String(error.params.additionalProperty).slice(0, 60)}\`.`
  if (error.keyword === 'required') return `\`${error.params.missingProperty}\` is missing.`
  if (error.keyword === 'discriminator')
    return '`scheme` must be one of OAUTH2, DCR_OAUTH, S2S_OAUTH2, API_KEY, BEARER_TOKEN, BASIC, NO_AUTH, OAUTH1, BASIC_WITH_JWT, GOOGLE_SERVICE_ACCOUNT, SERVICE_ACCOUNT, BILLCOM_AUTH, CALCOM_AUTH, SAML.'
  if (error.keyword === 'enum') return `must be ${(error.params.allowedValues as unknown[]).join(', ')}.`
  if (error.keyword === 'const') return `must be ${String(error.params.allowedValue)}.`
  if (error.keyword === 'anyOf') {
    const words = (error.schema as { const?: unknown; type?: string }[]).map(
      (branch) => branch.const ?? branch.type,
    )
    return words.every((word) => word !== undefined)
      ? `must be ${words.join(', ')}.`
      : 'has none of the allowed shapes.'
  }
  return `${error.message ?? 'is wrong'}.`
}

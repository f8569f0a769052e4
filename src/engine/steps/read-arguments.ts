import addFormats from 'ajv-formats'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { LRUCache } from 'lru-cache'
import type { FoundTool, Tool } from '../../catalog/index.ts'
import { detail } from '../../platform/http/failures.ts'
import type { Result } from '../types.ts'

const VALIDATORS_MAX = 2_000
const MISTAKES_MAX = 20

/**
 * Checks arguments against the input schema of the tool and fills in defaults, in place. Mistakes are a failure of the tool, so that a model
 * can correct itself. An argument that the tool does not have is a mistake too: ignoring it would hide a misspelling.
 */
export function argumentReader() {
  const validators = new LRUCache<Tool, ValidateFunction>({ max: VALIDATORS_MAX })
  const ajv = addFormats.default(new Ajv({ allErrors: true, useDefaults: true, strict: false, addUsedSchema: false, validateSchema: false }))

  return function readArguments({ tool }: FoundTool, args: Record<string, unknown>): Result | undefined {
    let validate = validators.get(tool)
    if (!validate) validators.set(tool, validate = ajv.compile(closed(tool.input)))
    if (validate(args)) return undefined
    const message = `Invalid arguments: ${(validate.errors ?? []).slice(0, MISTAKES_MAX).map(sentence).join('; ')}`
    return { data: { status_code: null, message }, error: message, successful: false, statusCode: null }
  }
}

const closed = (schema: Readonly<Record<string, unknown>>) => ({ additionalProperties: false, ...schema })

const sentence = (error: ErrorObject) => detail('arguments', error).replace(/^Error in arguments\.?/, '').replace(/^: /, '')

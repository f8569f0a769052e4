import addFormats from 'ajv-formats'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import { hasWrittenNames, type JsonSchema, plainSchema, restoreArguments, type Tool } from '../../catalog/index.ts'
import { detail } from '../../platform/http/failures.ts'
import type { Result } from '../types.ts'

const VALIDATORS_MAX = 2_000
/** An instance keeps something of every schema that it ever compiled, so it is given up after so many. */
const COMPILED_MAX = 500
const MISTAKES_MAX = 20
const MESSAGE_MAX = 4_000
/** Of larger arguments only the first mistake is told: six megabytes can hold millions of them. */
const THOROUGH_CHARACTERS_MAX = 100_000

/** What arguments are read by. */
export type Described = Pick<Tool, 'slug' | 'input' | 'limits'>
export type ReadArguments = ReturnType<typeof argumentReader>

/**
 * Checks arguments against the input schema of the tool and fills in defaults, in place. Mistakes are a failure of the tool, so that a model
 * can correct itself. An argument that the tool does not have is a mistake too: ignoring it would hide a misspelling.
 */
export function argumentReader() {
  const quick = validators(false)
  const thorough = validators(true)

  return function readArguments({ tool }: { tool: Described }, args: Record<string, unknown>): Result | undefined {
    const { argumentsBytes } = tool.limits
    if (argumentsBytes !== undefined && Buffer.byteLength(JSON.stringify(args)) > argumentsBytes) return refusal(`Invalid arguments: larger than the ${argumentsBytes} bytes of JSON that ${tool.slug} takes; send less at once.`)
    let check = quick(tool)
    const { plain, renames } = plainOf(tool)
    if (renames) restoreArguments(plain, args)
    if (check(args)) return undefined
    // A model that was told the tool in a vendor's dialect writes some values in that dialect's way.
    restoreArguments(plain, args)
    if (check(args)) return undefined
    if (JSON.stringify(args).length <= THOROUGH_CHARACTERS_MAX) (check = thorough(tool))(args)
    return refusal(`Invalid arguments: ${(check.errors ?? []).slice(0, MISTAKES_MAX).map(sentence).join('; ')}`.slice(0, MESSAGE_MAX))
  }
}

const refusal = (message: string): Result => ({ data: { status_code: null, message }, error: message, successful: false, statusCode: null })

const plains = new WeakMap<Described, { plain: JsonSchema, renames: boolean }>()

function plainOf(tool: Described): { plain: JsonSchema, renames: boolean } {
  let known = plains.get(tool)
  if (!known) {
    const plain = plainSchema(tool.input)
    plains.set(tool, known = { plain, renames: hasWrittenNames(plain) })
  }
  return known
}

/** Compiled at first use; the schemas of manifests are JSON Schema 2020-12. */
function validators(allErrors: boolean): (tool: Described) => ValidateFunction {
  const known = new LRUCache<Described, ValidateFunction>({ max: VALIDATORS_MAX })
  let ajv = newAjv(allErrors)
  let compiled = 0
  return (tool) => {
    let validate = known.get(tool)
    if (!validate) {
      if (++compiled % COMPILED_MAX === 0) ajv = newAjv(allErrors)
      known.set(tool, validate = ajv.compile(closed(tool.input)))
    }
    return validate
  }
}

function newAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({ allErrors, useDefaults: true, strict: false, addUsedSchema: false, validateSchema: false })
  addFormats.default(ajv)
  return ajv
}

const closed = (schema: Readonly<Record<string, unknown>>) => ({ additionalProperties: false, ...schema })

const sentence = (error: ErrorObject) => detail('arguments', error).replace(/^Error in arguments\.?/, '').replace(/^: /, '')

import {
  hasRenamedProperties,
  type JsonSchema,
  inlineReferences,
  restoreArguments,
  type Tool,
} from '../../catalog/index.ts'
import { copyJson, isContainer } from '../../platform/copy-json.ts'
import { isLongJson } from '../../platform/json-beginning.ts'
import type { ToolResult } from '../types.ts'
import { createSchemaValidators, describeSchemaErrors } from './schema-validators.ts'

const MESSAGE_MAX = 4_000
/** Of larger arguments only the first error is reported: six megabytes can contain millions of errors. */
const ALL_ERRORS_CHARACTERS_MAX = 100_000

/** The properties of a tool by which its arguments are checked. */
export type ToolInput = Pick<Tool, 'slug' | 'input' | 'limits'>
export type CheckArguments = typeof checkArguments

const validatorFor = createSchemaValidators(false)
const thoroughValidatorFor = createSchemaValidators(true)

/**
 * Checks arguments against the input schema of the tool and fills in defaults, in place. Errors are a failure of
 * the tool, so that a model can correct its call. An argument that the tool does not have is an error: ignoring
 * it would hide a misspelling.
 */
export function checkArguments(
  { tool }: { tool: ToolInput },
  args: Record<string, unknown>,
): ToolResult | undefined {
  const { argumentsBytes } = tool.limits
  if (argumentsBytes !== undefined && Buffer.byteLength(JSON.stringify(args)) > argumentsBytes) {
    return failedCheck(
      `Invalid arguments: larger than ${argumentsBytes} bytes of JSON, the limit of ${tool.slug}. Send less at once.`,
    )
  }
  let validate = validatorFor(tool.input)
  const { plain, hasOtherNames } = plainInput(tool)
  if (hasOtherNames) restoreArguments(plain, args)
  if (validate(args)) return undefined
  // A model that received the tool in a vendor's format writes some values in that format.
  restoreArguments(plain, args)
  if (validate(args)) return undefined
  if (!isLongJson(args, ALL_ERRORS_CHARACTERS_MAX)) {
    validate = thoroughValidatorFor(tool.input)
    validate(args)
  }
  return failedCheck(`Invalid arguments: ${describeSchemaErrors(validate).join('; ')}`.slice(0, MESSAGE_MAX))
}

/** Whether `checkArguments` reads arguments of which the schema of the tool says nothing. */
export const readsAllArguments = (tool: ToolInput): boolean =>
  tool.limits.argumentsBytes !== undefined || plainInput(tool).hasOtherNames

const failedCheck = (message: string): ToolResult => ({
  data: { status_code: null, message },
  error: message,
  successful: false,
  statusCode: null,
})

interface PlainInput {
  readonly plain: JsonSchema
  readonly hasOtherNames: boolean
}

const plainInputs = new WeakMap<JsonSchema, PlainInput>()

function plainInput({ input }: ToolInput): PlainInput {
  let known = plainInputs.get(input)
  if (!known) {
    const plain = inlineReferences(input)
    plainInputs.set(input, (known = { plain, hasOtherNames: hasRenamedProperties(plain) }))
  }
  return known
}

/** More properties than any schema has. Copying half a million properties takes seconds. */
const COPIED_PROPERTIES_MAX = 1_000

/**
 * Copies arguments, so that filling in defaults does not change those of the caller. Objects with more than
 * COPIED_PROPERTIES_MAX properties are not copied.
 */
export const copyArguments = <T>(value: T): T => copyJson(value, COPIED_PROPERTIES_MAX)

/** Values that are copied at once, in a tenth of a millisecond. */
const VALUES_PER_PIECE = 1_000

/** Copies like `copyArguments`. Yields between parts of a large value, so that a caller can let other work run. */
export function* copyArgumentsInPieces(value: unknown): Generator<void, unknown> {
  const root = copyContainer(value)
  /** Copies whose inner values have not been copied. */
  const rest = root === value ? [] : [root]
  let count = 0
  while (rest.length > 0) {
    const copy = rest.pop() as Record<string, unknown>
    for (const name in copy) {
      const inner = copy[name]
      const innerCopy = copyContainer(inner)
      if (innerCopy !== inner) {
        copy[name] = innerCopy
        rest.push(innerCopy)
      }
      if (++count % VALUES_PER_PIECE === 0) yield
    }
  }
  return root
}

/** Returns a copy of a list or an object with the same inner values; any other value as it is. */
function copyContainer(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice()
  if (!isContainer(value) || Object.keys(value as object).length > COPIED_PROPERTIES_MAX) return value
  return { ...(value as object) }
}

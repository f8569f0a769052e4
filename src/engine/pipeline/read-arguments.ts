import {
  hasWrittenNames,
  type JsonSchema,
  plainSchema,
  restoreArguments,
  type Tool,
} from '../../catalog/index.ts'
import type { Result } from '../types.ts'
import { mistakesIn, valueChecks } from './check-values.ts'

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
  const quick = valueChecks(false)
  const thorough = valueChecks(true)

  return function readArguments(
    { tool }: { tool: Described },
    args: Record<string, unknown>,
  ): Result | undefined {
    const { argumentsBytes } = tool.limits
    if (argumentsBytes !== undefined && Buffer.byteLength(JSON.stringify(args)) > argumentsBytes)
      return refusal(
        `Invalid arguments: larger than the ${argumentsBytes} bytes of JSON that ${tool.slug} takes; send less at once.`,
      )
    let check = quick(tool.input)
    const { plain, renames } = plainOf(tool)
    if (renames) restoreArguments(plain, args)
    if (check(args)) return undefined
    // A model that was told the tool in a vendor's dialect writes some values in that dialect's way.
    restoreArguments(plain, args)
    if (check(args)) return undefined
    if (JSON.stringify(args).length <= THOROUGH_CHARACTERS_MAX) (check = thorough(tool.input))(args)
    return refusal(`Invalid arguments: ${mistakesIn(check).join('; ')}`.slice(0, MESSAGE_MAX))
  }
}

const refusal = (message: string): Result => ({
  data: { status_code: null, message },
  error: message,
  successful: false,
  statusCode: null,
})

const plains = new WeakMap<Described, { plain: JsonSchema; renames: boolean }>()

function plainOf(tool: Described): { plain: JsonSchema; renames: boolean } {
  let known = plains.get(tool)
  if (!known) {
    const plain = plainSchema(tool.input)
    plains.set(tool, (known = { plain, renames: hasWrittenNames(plain) }))
  }
  return known
}

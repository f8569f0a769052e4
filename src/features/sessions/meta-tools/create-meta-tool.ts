import type { JsonSchema } from '../../../catalog/index.ts'
import type { ToolInput, CheckArguments } from '../../../engine/index.ts'
import { describeApiError } from '../../../platform/http/api-error.ts'
import { parseInSlices } from '../../../platform/http/turns/parse-in-slices.ts'
import { runInSlices } from '../../../platform/http/turns/run-in-slices.ts'
import { isPartlyUnparsed, parseCheckedMembers } from '../../../platform/json-outline/index.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import type { MetaToolCall, MetaToolOutcome, MetaTool } from './meta-tool.ts'
import type { SessionScope } from '../scope/scope.ts'
import type { MetaToolDefinition } from './definition.ts'

type RunMetaTool = (
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaToolCall,
) => Promise<MetaToolOutcome>

const OUTPUT_SCHEMA: JsonSchema = { type: 'object', properties: {} }

/**
 * A meta tool of its definition and what it does. Arguments are checked first: what does not fit is an answer
 * that a model can correct itself by.
 */
export function createMetaTool(
  definition: MetaToolDefinition,
  read: CheckArguments,
  run: RunMetaTool,
): MetaTool {
  const {
    slug,
    name,
    description,
    tags,
    input,
    multiAccountInput = input,
    acceptedInput = input,
  } = definition
  // Unknown members are passed over: the tools of other servers of this API have more of them.
  const toolInput: ToolInput = {
    slug,
    input: { additionalProperties: true, ...acceptedInput },
    limits: { argumentsBytes: undefined, responseBytes: undefined, bucket: undefined },
  }
  return {
    slug,
    name,
    tags,
    output: OUTPUT_SCHEMA,
    description: () => description,
    input: ({ multi_account: { enable } }) => (enable ? multiAccountInput : input),
    async run(scope, args, call) {
      if (isPartlyUnparsed(args)) await runInSlices(parseCheckedMembers(args, toolInput.input))
      const invalidArguments = read({ tool: toolInput }, args)
      if (invalidArguments) return { data: {}, error: invalidArguments.error }
      return run(scope, await parseInSlices(args), call)
    },
  }
}

/** Describes an error for a model: what is wrong, and the next step. */
export function describeError(error: unknown): string {
  return describeApiError(toApiError(error))
}

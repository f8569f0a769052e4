import type { JsonSchema } from '../../../catalog/index.ts'
import type { ToolInput, CheckArguments } from '../../../engine/index.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import type { MetaCall, MetaOutcome, MetaTool, SessionScope } from '../index.ts'
import type { Definition } from './definitions.ts'

type Run = (scope: SessionScope, args: Record<string, unknown>, call: MetaCall) => Promise<MetaOutcome>

const ANSWER: JsonSchema = { type: 'object', properties: {} }

/** A meta tool of its definition and what it does. Arguments are checked first: what does not fit is an answer that a model can correct itself by. */
export function metaTool(definition: Definition, read: CheckArguments, run: Run): MetaTool {
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
  const described: ToolInput = {
    slug,
    input: { additionalProperties: true, ...acceptedInput },
    limits: { argumentsBytes: undefined, responseBytes: undefined, bucket: undefined },
  }
  return {
    slug,
    name,
    tags,
    output: ANSWER,
    description: () => description,
    input: ({ multi_account: { enable } }) => (enable ? multiAccountInput : input),
    async run(scope, args, call) {
      const refused = read({ tool: described }, args)
      if (refused) return { data: {}, error: refused.error }
      return run(scope, args, call)
    },
  }
}

/** What was refused, as a model reads it: what is wrong, and what to do. Trouble of this server goes on as it is. */
export function told(error: unknown): string {
  const failure = toApiError(error)
  const {
    error: { message, errors, suggested_fix: fix },
  } = failure.toEnvelope('')
  return [/[.!?:]$/.test(message) ? message : `${message}.`, ...errors.filter((one) => one !== message), fix]
    .filter(Boolean)
    .join(' ')
}

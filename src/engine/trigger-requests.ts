import { lookupOf } from '../auth-schemes/index.ts'
import {
  type CompiledRequest,
  type ErrorMeaning,
  type FoundTool,
  type FoundTrigger,
  inProject,
  type Predicate,
  renderRequest,
  type Shared,
  ToolFailure,
  type TriggerArguments,
} from '../catalog/index.ts'
import { EgressError } from '../platform/egress/index.ts'
import { ApiError } from '../platform/http/api-error.ts'
import { pauseKeyOf, RateLimited } from './pipeline/attempts.ts'
import { translated } from './pipeline/build-request.ts'
import { setupOf } from './pipeline/choose-connection.ts'
import { freshCredentials } from './pipeline/fresh-credentials.ts'
import { hiderOf } from './pipeline/hide.ts'
import { send } from './pipeline/send.ts'
import { meaningOf, shapeResult } from './pipeline/shape-result.ts'
import type { Connection, EngineDeps, Execution } from './types.ts'

/** What an application answered to a request of a trigger. Header names are lower case. */
export interface TriggerAnswer {
  ok: boolean
  /** 0 when there was no answer. */
  status: number
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: unknown
  /** What a refusal means; undefined for a success, and for an answer that is none though its status says so. */
  meaning: ErrorMeaning | undefined
  /** Why it is no success, without a credential in it. */
  message: string | null
  /** How long the application wants no calls of this account, in ms. */
  retryAfterMs: number | undefined
}

/** Makes one request of a trigger with the credentials of its account. Never throws for what the application answers or does not. @throws ApiError when the account lacks what the request needs */
export type TriggerAsk = (
  request: CompiledRequest,
  args: TriggerArguments,
  options?: {
    successWhen?: Predicate | undefined
    /** It changes something, so it is not repeated where that may have happened. */ changes?: boolean
  },
) => Promise<TriggerAnswer>

export interface TriggerRequest {
  projectId: string
  accountId: string
  found: FoundTrigger
  signal: AbortSignal
  deadlineMs: number
}

/** The bytes of one reply; a page of a list has less. */
const REPLY_BYTES_MAX = 10 * 1024 * 1024
/** Longer than an answer takes, shorter than a pause that is worth coming back for. */
const REQUEST_MS_MAX = 30_000

/**
 * Requests of triggers: the same road as those of tools, with fresh credentials, repetitions after transient faults, and pauses and places that are shared with
 * executions of the account. @throws ApiError when there is no such account, or it is not ACTIVE
 */
export function triggerRequests(shared: Shared<EngineDeps>) {
  return async function open({
    projectId,
    accountId,
    found,
    signal,
    deadlineMs,
  }: TriggerRequest): Promise<TriggerAsk> {
    const deps = await inProject<EngineDeps>(shared, projectId)
    const deadlineAt = deps.clock.now() + deadlineMs
    const account = await deps.accounts.byId(projectId, accountId)
    if (!account)
      throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${accountId}" not found`)
    const execution = executionFor(projectId, found, signal)
    let connection = await freshCredentials(deps, execution, {
      kind: 'account',
      account,
      setup: setupOf(account),
    })

    return async (request, args, { successWhen, changes = false } = {}) => {
      const tool = toolFor(found, request, successWhen, changes)
      const pausedMs = deps.traffic.pauses.leftMs(pauseKeyOf(tool, connection))
      if (pausedMs > 0)
        return unanswered(
          'rate_limit',
          `${found.toolkit.name} takes no calls of this account for ${Math.ceil(pausedMs / 1_000)} s, as it said when it was last asked.`,
          pausedMs,
        )
      try {
        const rendered = translated(() => renderRequest(request, args, lookupFor(connection)))
        const run = {
          key: `${found.trigger.slug}:${accountId}`,
          deadlineAt: Math.min(deadlineAt, deps.clock.now() + REQUEST_MS_MAX),
          keys: 0,
        }
        const sent = await send(deps, { ...execution, run }, tool, connection, rendered)
        ;({ connection } = sent)
        const { status, headers, body, retryAfterMs } = sent.answer
        const { successful, error } = shapeResult(tool, sent.answer)
        return {
          ok: successful,
          status,
          headers,
          body,
          meaning: successful ? undefined : meaningOf(tool, sent.answer),
          message: error && hiderOf(connection)(error),
          retryAfterMs,
        }
      } catch (error) {
        if (error instanceof RateLimited) return unanswered('rate_limit', error.message, error.retryAfterMs)
        if (error instanceof ToolFailure) return unanswered('invalid', hiderOf(connection)(error.message))
        if (error instanceof EgressError && error.kind !== 'aborted')
          return unanswered('transient', error.message)
        throw error
      }
    }
  }
}

export type TriggerRequests = ReturnType<typeof triggerRequests>

const unanswered = (meaning: ErrorMeaning, message: string, retryAfterMs?: number): TriggerAnswer => ({
  ok: false,
  status: 0,
  headers: {},
  body: undefined,
  meaning,
  message,
  retryAfterMs,
})

const lookupFor = (connection: Connection) =>
  connection.kind === 'account' ? lookupOf(connection.setup) : () => undefined

/** What the road of tools looks at. */
function toolFor(
  { trigger, toolkit, version }: FoundTrigger,
  request: CompiledRequest,
  successWhen: Predicate | undefined,
  changes: boolean,
): FoundTool {
  const tool = {
    slug: trigger.slug,
    effect: changes ? 'update' : 'read',
    idempotent: !changes,
    useToken: trigger.poll?.useToken,
    request,
    code: undefined,
    mcp: undefined,
    idempotencyKey: undefined,
    pagination: undefined,
    response: { pick: undefined, wrap: undefined, tidy: undefined, file: undefined },
    successWhen: successWhen ?? toolkit.successWhen,
    limits: { argumentsBytes: undefined, responseBytes: REPLY_BYTES_MAX, bucket: undefined },
  }
  return { tool: tool as unknown as FoundTool['tool'], toolkit, version }
}

function executionFor(projectId: string, { trigger, version }: FoundTrigger, signal: AbortSignal): Execution {
  return {
    projectId,
    toolSlug: trigger.slug,
    version,
    arguments: {},
    requestId: '',
    source: null,
    signal,
    settings: { checkOwner: false, maskSecrets: true, storePayloads: false, fileUrlSeconds: 0 },
  }
}

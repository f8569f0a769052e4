import {
  type CompiledRequest,
  type ErrorMeaning,
  type Predicate,
  renderRequest,
  type ResolvedTrigger,
  ToolFailure,
  type TriggerArguments,
} from '../catalog/index.ts'
import { EgressError } from '../platform/egress/index.ts'
import { ApiError } from '../platform/http/api-error.ts'
import { finish, type Finished, pipeline, UNCHANGED, type Unchanged } from '../platform/pipeline.ts'
import { newTrace } from './execution-log/call-trace.ts'
import { connectionLookup, withCallerErrors } from './http/egress-request.ts'
import { responseMeaning } from './http/provider-response.ts'
import { redactorFor } from './http/redactor.ts'
import { toToolResult } from './http/tool-result.ts'
import { addCredentials } from './pipeline/add-credentials.ts'
import { usableContext } from './pipeline/choose-connection.ts'
import type { HasRequest, HasResponse, ResolvedOperation, StepDeps } from './pipeline/context.ts'
import { recordCredentialCheck } from './pipeline/record-credential-check.ts'
import { validConnection } from './pipeline/refresh-expiring-token.ts'
import { refreshOn401 } from './pipeline/refresh-on-401.ts'
import { type Sendable, sendWithRetry } from './pipeline/send-with-retry.ts'
import { waitForCooldown } from './pipeline/wait-for-cooldown.ts'
import { releaseTurn, waitForTurn } from './pipeline/wait-for-turn.ts'
import { cooldownKey } from './throttling/cooldown-key.ts'
import { RateLimited } from './throttling/rate-limited.ts'
import type { ToolCall, ToolConnection } from './types.ts'

/** The response of an application to a request of a trigger. Header names are lower case. */
export interface TriggerResponse {
  ok: boolean
  /** 0 without a response. */
  status: number
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: unknown
  /** The meaning of an error. Undefined for a success, and for an unsuccessful response without a known meaning. */
  meaning: ErrorMeaning | undefined
  /** The text of an error, without credentials. */
  message: string | null
  /** How long the application accepts no calls of this account, in ms. */
  retryAfterMs: number | undefined
}

/**
 * Sends one request of a trigger with the credentials of its account. Errors of the application and the network are
 * responses. @throws ApiError when the account lacks what the request needs
 */
export type SendTriggerRequest = (
  request: CompiledRequest,
  args: TriggerArguments,
  options?: {
    successWhen?: Predicate | undefined
    /** The request changes something, so it is not repeated if it may have been carried out. */
    changes?: boolean
  },
) => Promise<TriggerResponse>

export interface TriggerRequests {
  projectId: string
  accountId: string
  found: ResolvedTrigger
  signal: AbortSignal
  deadlineMs: number
}

/** Prepares requests of a trigger. @throws ApiError when there is no such account, or it is not ACTIVE */
export type OpenTriggerRequests = (trigger: TriggerRequests) => Promise<SendTriggerRequest>

/** The limit of one response, which contains at most a page of a list. */
const RESPONSE_BYTES_MAX = 10 * 1024 * 1024
/** Longer than a response takes, shorter than a cooldown after which a later poll is better. */
const REQUEST_MS_MAX = 30_000

interface TriggerOutcome {
  readonly response: TriggerResponse
  /** The connection with the token that the next request uses. */
  readonly connection: ToolConnection
}
interface HasTriggerRequest {
  readonly compiledRequest: CompiledRequest
  readonly triggerArguments: TriggerArguments
}
type TriggerRun = Omit<Sendable, keyof HasRequest> & HasTriggerRequest

/** Sends a request of a trigger. Polls have no log row, and policies do not apply to them. */
const runTriggerRequest = pipeline<TriggerRun, StepDeps, TriggerOutcome>()
  .step(rejectDuringCooldown) // ends here: a later poll is better than a wait
  .recover(recoverTriggerError)
  .step(buildTriggerRequest)
  .step(waitForCooldown)
  .step(addCredentials)
  .step(waitForTurn)
  .finally(releaseTurn)
  .step(sendWithRetry)
  .step(refreshOn401)
  .step(recordCredentialCheck)
  .end(readTriggerResponse)

export async function openTriggerRequests(
  trigger: TriggerRequests,
  deps: StepDeps,
): Promise<SendTriggerRequest> {
  const { projectId, accountId, found, signal, deadlineMs } = trigger
  const deadlineAt = deps.clock.now() + deadlineMs
  const account = await deps.accounts.findById(projectId, accountId)
  if (!account) {
    throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${accountId}" not found`)
  }
  let connection: ToolConnection = { kind: 'account', account, context: usableContext(account) }
  ;({ connection } = (await validConnection(projectId, connection, deps)) ?? { connection })

  return async (compiledRequest, triggerArguments, { successWhen, changes = false } = {}) => {
    const now = deps.clock.now()
    const outcome = await runTriggerRequest(
      {
        call: callOf(trigger),
        logId: `${found.trigger.slug}:${accountId}`,
        trace: newTrace(now),
        operation: operationOf(found, compiledRequest, successWhen, changes),
        connection,
        compiledRequest,
        triggerArguments,
        deadlineAt: Math.min(deadlineAt, now + REQUEST_MS_MAX),
        signal,
        isRepeatable: !changes,
        isAuthorized: true,
        isStartLogged: false,
      },
      deps,
    )
    ;({ connection } = outcome)
    return outcome.response
  }
}

function rejectDuringCooldown(
  { operation, connection }: TriggerRun,
  { throttling }: StepDeps,
): Unchanged | Finished<TriggerOutcome> {
  const remainingMs = throttling.cooldowns.remainingMs(cooldownKey(operation, connection))
  if (remainingMs <= 0) return UNCHANGED
  const seconds = Math.ceil(remainingMs / 1_000)
  const message =
    `${operation.toolkit.name} accepts no calls of this account for ${seconds} s, ` +
    'as it said after an earlier call.'
  return finish({ connection, response: errorResponse('rate_limit', message, remainingMs) })
}

function buildTriggerRequest({ compiledRequest, triggerArguments, connection }: TriggerRun): HasRequest {
  const lookup = connectionLookup(connection, undefined)
  return { request: withCallerErrors(() => renderRequest(compiledRequest, triggerArguments, lookup)) }
}

function readTriggerResponse({ operation, connection, response }: TriggerRun & HasResponse): TriggerOutcome {
  const { successful, error } = toToolResult(operation, response)
  const { status, headers, body, retryAfterMs } = response
  const meaning = successful ? undefined : responseMeaning(operation, response)
  const message = error && redactorFor(connection)(error)
  return { connection, response: { ok: successful, status, headers, body, meaning, message, retryAfterMs } }
}

function recoverTriggerError({ connection }: TriggerRun, _deps: StepDeps, error: unknown): TriggerOutcome {
  if (error instanceof RateLimited) {
    return { connection, response: errorResponse('rate_limit', error.message, error.retryAfterMs) }
  }
  if (error instanceof ToolFailure) {
    return { connection, response: errorResponse('invalid', redactorFor(connection)(error.message)) }
  }
  if (!(error instanceof EgressError) || error.kind === 'aborted') throw error
  return { connection, response: errorResponse('transient', error.message) }
}

const errorResponse = (meaning: ErrorMeaning, message: string, retryAfterMs?: number): TriggerResponse => ({
  ok: false,
  status: 0,
  headers: {},
  body: undefined,
  meaning,
  message,
  retryAfterMs,
})

const operationOf = (
  { trigger, toolkit, version }: ResolvedTrigger,
  request: CompiledRequest,
  successWhen: Predicate | undefined,
  changes: boolean,
): ResolvedOperation => ({
  toolkit,
  version,
  tool: {
    slug: trigger.slug,
    effect: changes ? 'update' : 'read',
    idempotent: !changes,
    useToken: trigger.poll?.useToken,
    request,
    response: { pick: undefined, wrap: undefined },
    successWhen: successWhen ?? toolkit.successWhen,
    limits: { responseBytes: RESPONSE_BYTES_MAX },
  },
})

const callOf = ({ projectId, found: { trigger, version }, signal }: TriggerRequests): ToolCall => ({
  projectId,
  toolSlug: trigger.slug,
  version,
  arguments: {},
  requestId: '',
  source: null,
  signal,
  settings: {
    checkOwner: false,
    maskSecrets: true,
    storePayloads: false,
    ranksByUse: false,
    fileUrlSeconds: 0,
  },
})

import { pipeline } from '../platform/pipeline.ts'
import { addCredentials } from './pipeline/add-credentials.ts'
import type {
  CallStart,
  HasArguments,
  HasAuthorization,
  HasConnection,
  HasDeadline,
  HasOperation,
  HasRequest,
  HasResponse,
  HasSignal,
  HasTool,
  MayHaveRecorder,
  StepDeps,
} from './pipeline/context.ts'
import { addIdempotencyKey } from './pipeline/idempotency.ts'
import { logBeforeSend } from './pipeline/log-before-send.ts'
import { recordCredentialCheck } from './pipeline/record-credential-check.ts'
import { refreshOn401 } from './pipeline/refresh-on-401.ts'
import { sendWithRetry } from './pipeline/send-with-retry.ts'
import { waitForCooldown } from './pipeline/wait-for-cooldown.ts'
import { releaseTurn, waitForTurn } from './pipeline/wait-for-turn.ts'

/** A call whose tool sends its requests itself: it is code, or belongs to an MCP server. */
export type RunningTool = CallStart &
  HasTool &
  HasOperation &
  HasConnection &
  HasArguments &
  HasAuthorization &
  HasDeadline &
  HasSignal &
  MayHaveRecorder

/** The response, and the connection with the token that the next request of the tool uses. */
export type SentRequest = HasResponse & HasConnection
export type SendToolRequest = (context: RunningTool & HasRequest, deps: StepDeps) => Promise<SentRequest>

/** Sends one of several requests of a tool. The log row is written before the first one. */
export const sendToolRequest: SendToolRequest = pipeline<RunningTool & HasRequest, StepDeps, SentRequest>()
  .step(addIdempotencyKey)
  .step(waitForCooldown)
  .step(addCredentials)
  .step(waitForTurn)
  .finally(releaseTurn)
  .step(logBeforeSend)
  .step(sendWithRetry)
  .step(refreshOn401)
  .step(recordCredentialCheck)
  .end(({ response, connection }) => ({ response, connection }))

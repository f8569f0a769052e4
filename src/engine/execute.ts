import { pipeline } from '../platform/pipeline.ts'
import { addCredentials } from './pipeline/add-credentials.ts'
import { authorizeCall } from './pipeline/authorize-call.ts'
import { buildRequest } from './pipeline/build-request.ts'
import { callMcpTool } from './pipeline/call-mcp-tool.ts'
import { chooseConnection } from './pipeline/choose-connection.ts'
import type { CallStart, StepDeps } from './pipeline/context.ts'
import { describeCodeRequest, describeMcpCall, describeRequest } from './pipeline/describe-request.ts'
import { fillArguments, requireModelForText } from './pipeline/fill-arguments.ts'
import { findTool } from './pipeline/find-tool.ts'
import { addIdempotencyKey, fillIdempotencyArgument } from './pipeline/idempotency.ts'
import { loadArgumentFiles } from './pipeline/load-argument-files.ts'
import { logBeforeSend } from './pipeline/log-before-send.ts'
import { logOutcome } from './pipeline/log-outcome.ts'
import { readFurtherPages, requirePagination } from './pipeline/read-further-pages.ts'
import { replayRecording, saveRecording, startRecording } from './pipeline/record-call.ts'
import { recordCredentialCheck } from './pipeline/record-credential-check.ts'
import { recoverFailure, redactFailure } from './pipeline/recover-failure.ts'
import { refreshExpiringToken } from './pipeline/refresh-expiring-token.ts'
import { refreshOn401 } from './pipeline/refresh-on-401.ts'
import { reportSession } from './pipeline/report-session.ts'
import { runCodeTool } from './pipeline/run-code-tool.ts'
import { runHooksAfter, runHooksBefore } from './pipeline/run-hooks.ts'
import { restoreApproval } from './pipeline/restore-approval.ts'
import { sendWithRetry } from './pipeline/send-with-retry.ts'
import { saveResultFiles, shapeResult, tidyResult } from './pipeline/shape-result.ts'
import { throwApiError } from './pipeline/throw-api-error.ts'
import { validateArguments } from './pipeline/validate-arguments.ts'
import { waitForCooldown } from './pipeline/wait-for-cooldown.ts'
import { releaseTurn, waitForTurn } from './pipeline/wait-for-turn.ts'
import type { RunningTool } from './tool-request.ts'
import type { ToolResult } from './types.ts'

/** Reads one further page of a list. The page repeats the second half of `executeTool`. */
const readPage = pipeline<RunningTool, StepDeps, ToolResult>()
  .mapOutcome(redactFailure)
  .recover(recoverFailure)
  .step(fillIdempotencyArgument)
  .step(callMcpTool)
  .step(loadArgumentFiles)
  .step(runCodeTool)
  .step(buildRequest)
  .step(addIdempotencyKey)
  .step(waitForCooldown)
  .step(addCredentials)
  .step(waitForTurn)
  .finally(releaseTurn)
  .step(logBeforeSend)
  .step(sendWithRetry)
  .step(refreshOn401)
  .step(recordCredentialCheck)
  .step(shapeResult)
  .step(saveResultFiles)
  .end(tidyResult)

/** Runs one tool call. A tool that sends several requests repeats the steps of `sendToolRequest`. */
export const executeTool = pipeline<CallStart, StepDeps, ToolResult>()
  .step(findTool)
  .step(requireModelForText)
  .finally(logOutcome) // for every outcome and error of the steps below
  .recover(throwApiError)
  .mapOutcome(reportSession) // when the credentials of the call end
  .step(startRecording)
  .mapOutcome(saveRecording)
  .step(chooseConnection)
  .step(fillArguments) // defaults, and arguments that a model derives from a text
  .step(validateArguments) // ends here for wrong arguments, with a result that a model can correct
  .step(runHooksBefore) // ends here if a hook of the session blocks the call
  .mapOutcome(runHooksAfter)
  .step(authorizeCall) // ends here if a person has to approve the call
  .finally(restoreApproval) // if nothing was sent
  .step(replayRecording) // ends here if the process replays a recording
  .step(refreshExpiringToken)
  .step(requirePagination)
  .mapOutcome(readFurtherPages(readPage)) // for a call with paging
  .mapOutcome(redactFailure)
  .recover(recoverFailure) // failures that a model can act on are results
  .step(fillIdempotencyArgument)
  .step(callMcpTool) // ends here for a tool of an MCP server
  .step(loadArgumentFiles)
  .step(runCodeTool) // ends here for a tool that is code
  .step(buildRequest)
  .step(addIdempotencyKey)
  .step(waitForCooldown)
  .step(addCredentials)
  .step(waitForTurn) // limits of concurrency
  .finally(releaseTurn)
  .step(logBeforeSend) // a crash after this line leaves a row without an end
  .step(sendWithRetry) // repeats after transient failures
  .step(refreshOn401) // repeats with a new token
  .step(recordCredentialCheck)
  .step(shapeResult) // ends here for an error of the application
  .step(saveResultFiles)
  .end(tidyResult)

/** Returns the request of a tool call instead of sending it. Creates no approval and refreshes no token. */
export const dryRunTool = pipeline<CallStart, StepDeps, ToolResult>()
  .step(findTool)
  .step(requireModelForText)
  .finally(logOutcome)
  .recover(throwApiError)
  .step(chooseConnection)
  .step(fillArguments)
  .step(validateArguments)
  .step(authorizeCall) // a policy can only deny a dry run
  .step(replayRecording)
  .mapOutcome(redactFailure)
  .recover(recoverFailure)
  .step(fillIdempotencyArgument)
  .step(describeMcpCall)
  .step(loadArgumentFiles)
  .step(describeCodeRequest)
  .step(buildRequest)
  .step(addIdempotencyKey)
  .step(addCredentials)
  .end(describeRequest)

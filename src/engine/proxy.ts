import { pipeline } from '../platform/pipeline.ts'
import { addCredentials } from './pipeline/add-credentials.ts'
import { chooseCredentials } from './pipeline/choose-connection.ts'
import type { StepDeps } from './pipeline/context.ts'
import { logBeforeSend } from './pipeline/log-before-send.ts'
import {
  authorizeProxy,
  buildProxyRequest,
  findProxyAccount,
  loadProxyBody,
  logProxyOutcome,
  type ProxyStart,
  rejectProxyWithHooks,
  shapeProxyResponse,
  throwProxyError,
} from './pipeline/proxy-steps.ts'
import { recordCredentialCheck } from './pipeline/record-credential-check.ts'
import { refreshExpiringToken } from './pipeline/refresh-expiring-token.ts'
import { refreshOn401 } from './pipeline/refresh-on-401.ts'
import { restoreApproval } from './pipeline/restore-approval.ts'
import { sendWithRetry } from './pipeline/send-with-retry.ts'
import { releaseTurn, waitForTurn } from './pipeline/wait-for-turn.ts'
import type { ProxyResponse } from './types.ts'

/** Sends a request that the caller wrote, with the credentials of a connected account. */
export const executeProxy = pipeline<ProxyStart, StepDeps, ProxyResponse>()
  .step(findProxyAccount)
  .finally(logProxyOutcome) // for every outcome and error of the steps below
  .recover(throwProxyError)
  .step(chooseCredentials)
  .step(rejectProxyWithHooks)
  .step(authorizeProxy)
  .finally(restoreApproval) // if nothing was sent
  .step(loadProxyBody)
  .step(refreshExpiringToken)
  .step(buildProxyRequest)
  .step(addCredentials)
  .step(waitForTurn)
  .finally(releaseTurn)
  .step(logBeforeSend) // a crash after this line leaves a row without an end
  .step(sendWithRetry) // once: the call has no deadline, and waits for no cooldown
  .step(refreshOn401)
  .step(recordCredentialCheck)
  .end(shapeProxyResponse)

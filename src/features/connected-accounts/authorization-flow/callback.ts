import { pipeline } from '../../../platform/pipeline.ts'
import type { SharedAccountDeps } from '../deps.ts'
import type { CallbackRequest, FlowOutcome } from './context.ts'
import { checkAuthConfig } from './steps/check-auth-config.ts'
import { checkProviderError } from './steps/check-provider-error.ts'
import { checkRedirectUri } from './steps/check-redirect-uri.ts'
import { claimFlow, claimFlowOfBrowser, findFlowOfCode } from './steps/claim-flow.ts'
import { connectAccount } from './steps/connect-account.ts'
import { correlateCode } from './steps/correlate-code.ts'
import { exchangeCode } from './steps/exchange-code.ts'
import { fetchIdentity } from './steps/fetch-identity.ts'
import { loadAccount } from './steps/load-account.ts'
import { lookUpResources } from './steps/look-up-resources.ts'
import { readState } from './steps/read-state.ts'
import { markAccountFailed, toFailedOutcome, treatLateAsFailed } from './steps/record-failure.ts'
import { requestConfirmation } from './steps/request-confirmation.ts'

/** Handles the request of a browser that returns from the provider (RFC 6749, section 4.1.2). */
export const handleCallback = pipeline<CallbackRequest, SharedAccountDeps, FlowOutcome>()
  .step(readState) // rejects a request without state
  .step(claimFlow) // rejects a state that is unknown, used, expired or of another browser
  .step(loadAccount) // rejects if the account no longer waits for credentials
  .step(checkRedirectUri) // rejects a response at the redirect URI of another auth config
  .mapOutcome(markAccountFailed) // a failure below this line is stored with the account
  .mapOutcome(treatLateAsFailed)
  .recover(toFailedOutcome) // an error of the provider below this line is a failure
  .step(checkAuthConfig) // fails if the auth config was deleted during the flow
  .step(checkProviderError) // fails if the user or the provider declined
  .step(correlateCode) // ends if the code comes by webhook and is not here yet
  .step(exchangeCode) // also verifies the ID token
  .step(lookUpResources) // ends if the user has to choose one of several resources
  .step(requestConfirmation) // ends if the application has to confirm its user
  .step(connectAccount) // one transaction: credentials, status and its consequences
  .end(fetchIdentity)

/** Handles the callback of a provider that returns no state: cookie and toolkit identify the flow. */
export const handleCallbackWithoutState = pipeline<
  CallbackRequest & { readonly toolkitSlug: string },
  SharedAccountDeps,
  FlowOutcome
>()
  .step(claimFlowOfBrowser) // rejects if the browser has no open flow for the toolkit, or several
  .step(loadAccount)
  .mapOutcome(markAccountFailed)
  .mapOutcome(treatLateAsFailed)
  .recover(toFailedOutcome)
  .step(checkAuthConfig)
  .step(checkProviderError)
  .step(correlateCode)
  .step(exchangeCode)
  .step(lookUpResources)
  .step(requestConfirmation)
  .step(connectAccount)
  .end(fetchIdentity)

/** Completes a flow whose browser is back, when the provider sends the code by webhook. */
export const completeFromWebhook = pipeline<
  CallbackRequest & { readonly stateHash: Buffer },
  SharedAccountDeps,
  FlowOutcome
>()
  .step(findFlowOfCode) // rejects if the flow expired
  .step(loadAccount)
  .mapOutcome(markAccountFailed)
  .mapOutcome(treatLateAsFailed)
  .recover(toFailedOutcome)
  .step(checkAuthConfig)
  .step(checkProviderError)
  .step(exchangeCode)
  .step(lookUpResources)
  .step(requestConfirmation)
  .step(connectAccount)
  .end(fetchIdentity)

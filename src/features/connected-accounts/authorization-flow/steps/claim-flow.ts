import { finish, type Finished } from '../../../../platform/pipeline.ts'
import type { SharedAccountDeps } from '../../deps.ts'
import type { CallbackRequest, FlowOutcome, HasFlow, HasState, RejectionReason } from '../context.ts'
import * as flows from '../flow-store.ts'

const TOOLKIT_SLUG_MAX = 64

/** Claims the flow of the state. A state works once, and only in the browser that started the flow. */
export async function claimFlow(
  { state, browser }: CallbackRequest & HasState,
  { db }: SharedAccountDeps,
): Promise<HasFlow | Finished<FlowOutcome>> {
  const stateHash = flows.hashState(state)
  const flow = await flows.claimFlowByState(db, stateHash, browser?.hash)
  if (flow) return { flow }
  // The claim has decided already; this query only finds the reason for the page.
  return reject(rejectionReason(await flows.findFlowByState(db, stateHash)))
}

function rejectionReason(flow: flows.AuthorizationFlowRow | undefined): RejectionReason {
  if (!flow) return 'state_unknown'
  return flow.used_at || flow.is_expired ? 'flow_expired' : 'wrong_browser'
}

/** Claims the only flow with the toolkit that is open in this browser. */
export async function claimFlowOfBrowser(
  { toolkitSlug, browser }: CallbackRequest & { readonly toolkitSlug: string },
  { db }: SharedAccountDeps,
): Promise<HasFlow | Finished<FlowOutcome>> {
  if (!browser || toolkitSlug.length > TOOLKIT_SLUG_MAX) return reject('no_flow_in_browser')
  const flow = await flows.claimOnlyFlowInBrowser(db, toolkitSlug, browser.hash)
  if (flow) return { flow }
  const openFlows = await flows.countOpenFlowsInBrowser(db, toolkitSlug, browser.hash)
  return reject(openFlows > 1 ? 'several_flows_in_browser' : 'no_flow_in_browser')
}

/** Finds the flow that its browser claimed before the provider sent the code. */
export async function findFlowOfCode(
  { stateHash }: { readonly stateHash: Buffer },
  { db }: SharedAccountDeps,
): Promise<HasFlow | Finished<FlowOutcome>> {
  const flow = await flows.findFlowByState(db, stateHash)
  return flow && !flow.is_expired ? { flow } : reject('flow_expired')
}

const reject = (reason: RejectionReason) => finish<FlowOutcome>({ kind: 'rejected', reason })

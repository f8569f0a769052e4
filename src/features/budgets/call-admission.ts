import type { CallPolicies, PreparedCall } from '../../engine/index.ts'
import type { BudgetMeter } from './meter.ts'

/** Returns policies that also count each call that they allow. A dry run sends nothing, so it is not counted. */
export const countAllowedCalls = (policies: CallPolicies, meter: BudgetMeter): CallPolicies => ({
  async authorize(prepared) {
    const decision = await policies.authorize(prepared)
    const isPending = decision !== undefined && !('restore' in decision)
    if (isPending || prepared.call.dryRun) return decision
    const { projectId, userId, parent } = prepared.call
    try {
      await meter.admitCall({ projectId, userId: userId ?? ownerOf(prepared), sessionId: parent?.sessionId })
    } catch (error) {
      // The approval was for a call that is not made.
      await decision?.restore()
      throw error
    }
    return decision
  },
  allowsFollowUp: (prepared) => policies.allowsFollowUp(prepared),
})

/** A call may name an account only; its user is then the owner of the account. */
const ownerOf = ({ connection }: PreparedCall): string | undefined =>
  connection.kind === 'account' ? connection.account.userId : undefined

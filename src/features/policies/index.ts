export { approvalRoutes } from './approval-routes.ts'
export {
  removeGrants,
  removeOld as removeOldApprovals,
  settleLate as settleLateApprovals,
} from './approval-store.ts'
export { approvalBrowserRoutes } from './browser-routes.ts'
export { policyGuard } from './guard.ts'
export { policyRoutes } from './policy-routes.ts'
export { rulesOf } from './rules.ts'
export { sessionDecisionRoute } from './session-route.ts'

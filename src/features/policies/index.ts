export { approvalRoutes } from './approvals/routes.ts'
export {
  removeGrants,
  removeOld as removeOldApprovals,
  settleLate as settleLateApprovals,
} from './approvals/store.ts'
export { approvalBrowserRoutes } from './approvals/browser-routes.ts'
export { policyGuard } from './authorize-call.ts'
export { policyRoutes } from './routes.ts'
export { rulesOf } from './decision/policy-cache.ts'
export { sessionDecisionRoute } from './approvals/session-decision-route.ts'

export { accountsForEngine } from './accounts.ts'
export { type Browser, formToken, knownBrowser } from './browser-cookie.ts'
export {
  answer as answerPage,
  browserRoutes,
  remember as rememberBrowser,
  takeForms,
} from './browser-routes.ts'
export { message, NO_COOKIE, OTHER_BROWSER, type Outcome, UNKNOWN_LINK } from './outcome.ts'
export { fieldMarkup } from './pages/field.ts'
export { html, type Markup } from './pages/html.ts'
export { layout, originsOf } from './pages/layout.ts'
export type { AccountDeps, SharedAccountDeps } from './deps.ts'
export { failurePage } from './failure-page.ts'
export { exchangeLog } from './exchange-log.ts'
export { removeOld as removeOldExchanges } from './exchange-store.ts'
export { removeOld as removeOldCodes } from './code-store.ts'
export { removeOld as removeOldFlows } from './flow-store.ts'
export { removeOld as removeOldLinks } from './link-store.ts'
export { revocationSchedules, revocationTasks, revokeConfigLater, spreadLater } from './revocations.ts'
export { abandonedSchedule } from './abandoned.ts'
export { idleSchedule } from './idle.ts'
export { openIdentity } from './identity.ts'
export { shownIdentity } from './present.ts'
export { freeze } from './revocation-store.ts'
export { REASONS } from './lifecycle.ts'
export { createLink } from './link.ts'
export { connectedAccountRoutes } from './routes.ts'
export { removeLate as removeLateWaits } from './wait-store.ts'
export { accountService, removeAccountsOf } from './service.ts'
export {
  connectedUnder,
  expireSetups,
  forSession as accountsForSession,
  namedAccounts,
  ofUser as accountsOfUser,
  type SessionAccount,
} from './store.ts'

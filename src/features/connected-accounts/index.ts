export { type AccountCache, createAccountCache } from './account-selection/account-cache.ts'
export { createEngineAccounts } from './account-selection/engine-accounts.ts'
export {
  authConfigsWithActiveAccount,
  findAccountsByIds,
  listProjectAccountIds,
  listSessionAccounts,
  listUserAccountIds,
  listUserAccounts,
  listUserToolkits,
  type SessionAccount,
} from './account-selection/store.ts'
export { createConnectLink } from './connect-links/create-link.ts'
export type { AccountDeps, SharedAccountDeps } from './deps.ts'
export { decryptIdentity } from './identity/identity.ts'
export { type Browser, formToken, readBrowserCookie } from './pages/browser-cookie.ts'
export { browserRoutes, rememberBrowser, sendPage } from './pages/browser-routes.ts'
export { createFailurePage } from './pages/failure-page.ts'
export { acceptFormBodies } from './pages/form-body.ts'
export { ENGLISH, type PageText, text, type TextKey, type Translator } from './pages/language/index.ts'
export {
  messageOutcome,
  MISSING_FORM_COOKIE,
  type PageOutcome,
  UNKNOWN_LINK,
  WRONG_BROWSER,
} from './pages/page-outcome.ts'
export { renderField } from './pages/templates/field.ts'
export { html, type Markup } from './pages/templates/html.ts'
export { frameOf, imageOriginsOf, type PageFrame, renderLayout } from './pages/templates/layout.ts'
export type { PageTheme } from './pages/templates/theme.ts'
export { presentIdentity } from './present.ts'
export { createProviderRequestLog } from './provider-log/log-writer.ts'
export {
  revocationTasks,
  scheduleAuthConfigRevocations,
  scheduleRevocationJob,
} from './revocation/revocation-jobs.ts'
export { countPendingRevocations, freezeAccounts } from './revocation/revocation-store.ts'
export { connectedAccountRoutes } from './routes.ts'
export { accountSchedules } from './schedules.ts'
export { deleteAccount, deleteUserAccounts, updateAccount } from './service.ts'
export { type AccountStatusChange, STATUS_REASONS, type StatusChangeDeps } from './state-machine.ts'
export { countAccountsByStatus, disableAccountsOfAuthConfig } from './status-store.ts'
export { connectedAccountsProjectRows } from './project-rows.ts'
export { connectedAccountsUserRows } from './user-rows.ts'
export { type AccountSecrets, listAccountSecrets } from './exported-secrets.ts'

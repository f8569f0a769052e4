export { validateFields, type FieldError, findFieldErrors } from './validation.ts'
export { createManagedAuth, type ManagedAuth, applyScopeChoices } from './managed-auth.ts'
export { isMaskOf, maskValue, maskSecrets, readableFields, REDACTED } from './masking.ts'
export { changedHostFields, requireSecretsAgain } from './changed-hosts.ts'
export { defaultRedirectUri, hasOwnRedirectUri, isCallbackWithoutState } from './redirect-uri.ts'
export { authConfigRoutes } from './routes.ts'
export { encryptionContext, decryptConfig } from './encrypted-columns.ts'
export { type AuthConfigDeps, authConfigService } from './service.ts'
export {
  type AuthConfigRow,
  authConfigsForSessions,
  enabledAuthConfigIds,
  enabledAuthConfigs,
  findAuthConfig,
  listToolAccess,
} from './store.ts'
export { chooseSignIns, type SignInChoice } from './sign-in-choices.ts'
export { requireToolAccess } from './tool-access.ts'
export { authConfigsProjectRows } from './project-rows.ts'
export { type AuthConfigSecrets, listAuthConfigSecrets } from './exported-secrets.ts'

export { checkFields, type FieldFault, fieldFaults } from './check.ts'
export { managedAuth, type ManagedAuth, withChoices } from './managed.ts'
export { isMaskOf, masked, maskSecrets, readableNames, REDACTED } from './masking.ts'
export { authConfigRoutes } from './routes.ts'
export { contextOf, openConfig } from './sealed.ts'
export { type AuthConfigDeps, authConfigService } from './service.ts'
export {
  type AuthConfigRow,
  enabledForSessions,
  enabledOf,
  find as findAuthConfig,
  toolkitsOf,
  toolsOf,
} from './store.ts'

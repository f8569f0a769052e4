export { IdentityRejected, memberOfIdentity, roleFromClaims } from './member-of-identity.ts'
export { createAttempt, createOidcProvider, type OidcAttempt, type OidcProvider } from './provider.ts'
export { type OidcSettings, SIGN_IN_ROLES, type SignInRole } from './settings.ts'

export { IdentityRejected, memberOfIdentity, roleFromClaims } from './member-of-identity.ts'
export { type OidcSettings, SIGN_IN_ROLES, type SignInRole } from './settings.ts'

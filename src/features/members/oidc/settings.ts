import { SSO_ROLES } from '../../../contract/sso.ts'

/** A role that an identity provider can give: of the organization, or the same one in every project. */
export type SignInRole = (typeof SSO_ROLES)[number]

/** The highest role first. */
export const SIGN_IN_ROLES: readonly SignInRole[] = SSO_ROLES

/** The identity provider of the console. */
export interface OidcSettings {
  /** Issuer as the provider writes it, without `/.well-known/openid-configuration`. */
  issuer: string
  clientId: string
  /** Secret. Undefined for a public client. */
  clientSecret: string | undefined
  /** Name of the provider on the button. */
  name: string
  /** Space-separated, with `openid`. */
  scopes: string
  /** Domains of e-mail addresses that may sign in, in lower case; empty for all. */
  allowedDomains: readonly string[]
  /** Whether e-mail addresses count as verified although the provider does not send `email_verified`. */
  trustsEmail: boolean
  /** Claim with the groups or roles of the person. */
  roleClaim: string
  /** Roles by value of the claim. */
  roleMap: Readonly<Record<string, SignInRole>>
  /** Role of people whom the map gives none; undefined: they have to be invited, or to be in the map. */
  defaultRole: SignInRole | undefined
  /** Whether this is the only way to sign in. */
  isOnly: boolean
}

import type { Config } from '../config.ts'
import { lowerCaseList, matching, oneOf, optional, publicUrl, type Rule } from './rules.ts'
import type { Setting } from './settings/setting.ts'

const ROLES = ['owner', 'admin', 'developer', 'operator', 'viewer'] as const
export type ConsoleRole = (typeof ROLES)[number]

const printable = matching(/^[\x21-\x7e]{1,1000}$/, '1 to 1000 printable characters without spaces')

/** Only the machine itself may be reached without TLS. */
const issuer: Rule<string> = {
  must: 'an https URL without query; http for localhost and 127.0.0.1 only',
  read(text, cwd) {
    const url = publicUrl.read(text, cwd)
    const { protocol, hostname } = new URL(url)
    if (protocol !== 'https:' && hostname !== 'localhost' && hostname !== '127.0.0.1') throw new Error()
    // The provider compares the issuer as text, so a slash at the end stays.
    return text
  },
}

const domains = lowerCaseList(/^[a-z0-9.-]{1,253}$/, 'a comma-separated list of domains, such as example.com')

const roleMap: Rule<Readonly<Record<string, ConsoleRole>>> = {
  must: `a JSON object of values of the claim to roles: ${ROLES.map((role) => `\`${role}\``).join(', ')}`,
  read(text) {
    if (text === '') return {}
    const map: unknown = JSON.parse(text)
    const isMap =
      typeof map === 'object' &&
      map !== null &&
      !Array.isArray(map) &&
      Object.values(map).every((role) => (ROLES as readonly unknown[]).includes(role))
    if (!isMap) throw new Error()
    return map as Record<string, ConsoleRole>
  },
}

type Name = Extract<keyof Config, `consoleOidc${string}`>

/** Settings of the sign-in to the console by OpenID Connect. */
export const consoleSignInSettings: { [Field in Name]: Setting<Config[Field]> } = {
  consoleOidcIssuer: {
    name: 'CONSOLE_OIDC_ISSUER',
    rule: optional(issuer),
    default: '',
    defaultMeans: 'members sign in with passwords and passkeys',
    example: 'https://login.example.com',
    description:
      'The issuer of an OpenID Connect provider with which members sign in to the console. The redirect URI to ' +
      'register there is PUBLIC_URL followed by `/console/auth/oidc/callback`. See docs/guides/console-sign-in.md.',
  },
  consoleOidcClientId: {
    name: 'CONSOLE_OIDC_CLIENT_ID',
    rule: optional(printable),
    default: '',
    defaultMeans: 'required with CONSOLE_OIDC_ISSUER',
    example: 'patchbay',
    description: 'The client ID of the console at the provider.',
  },
  consoleOidcClientSecret: {
    name: 'CONSOLE_OIDC_CLIENT_SECRET',
    rule: optional(printable),
    default: '',
    defaultMeans: 'a public client, with PKCE only',
    example: '<client secret of the provider>',
    secret: true,
    description: 'The client secret of the console at the provider.',
  },
  consoleOidcName: {
    name: 'CONSOLE_OIDC_NAME',
    rule: matching(/^[^\p{Cc}]{1,60}$/u, '1 to 60 characters'),
    default: 'single sign-on',
    example: 'Example SSO',
    description: 'The name of the provider on the button “Continue with …”.',
  },
  consoleOidcScopes: {
    name: 'CONSOLE_OIDC_SCOPES',
    rule: matching(/^(?=.*\bopenid\b)[\x20-\x7e]{6,500}$/, 'scopes separated by spaces, with openid'),
    default: 'openid email profile',
    description: 'The scopes that the console requests. Some providers need one for groups.',
  },
  consoleOidcAllowedDomains: {
    name: 'CONSOLE_OIDC_ALLOWED_DOMAINS',
    rule: domains,
    default: '',
    defaultMeans: 'all domains',
    example: 'example.com,example.org',
    description:
      'The domains of e-mail addresses with which people may sign in. The address must be verified.',
  },
  consoleOidcTrustEmail: {
    name: 'CONSOLE_OIDC_TRUST_EMAIL',
    rule: oneOf('0', '1'),
    default: '0',
    description:
      '`1` takes e-mail addresses as verified when the provider does not send `email_verified`. Set it only if the ' +
      'provider lets nobody enter an address of another person.',
  },
  consoleOidcRoleClaim: {
    name: 'CONSOLE_OIDC_ROLE_CLAIM',
    rule: printable,
    default: 'groups',
    description: 'The claim of the ID token, or of UserInfo, that has the groups or roles of a person.',
  },
  consoleOidcRoleMap: {
    name: 'CONSOLE_OIDC_ROLE_MAP',
    rule: roleMap,
    default: '',
    defaultMeans: 'roles are managed in the console',
    example: '{"patchbay-admins":"admin","engineering":"developer"}',
    description:
      'The roles by value of the claim: `owner` and `admin` of the organization; `developer`, `operator` and ' +
      '`viewer` in every project. With a map, each sign-in sets the role, and the highest one counts.',
  },
  consoleOidcDefaultRole: {
    name: 'CONSOLE_OIDC_DEFAULT_ROLE',
    rule: oneOf(...ROLES, 'none'),
    default: 'none',
    description:
      'The role of people whom the map gives none. With `none` and without a map, only people who were invited may ' +
      'sign in.',
  },
  consoleOidcOnly: {
    name: 'CONSOLE_OIDC_ONLY',
    rule: oneOf('0', '1'),
    default: '0',
    description:
      '`1` removes the sign-in with passwords, passkeys and API keys from the console. A set-up link of `patchbay ' +
      'console link` still works, in case the provider fails.',
  },
}

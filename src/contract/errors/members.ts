import type { ErrorDefinition } from './definition.ts'

/** Errors of members of the console (10xx, after those of the console). */
export const MEMBER_ERRORS = {
  Member_NotFound: {
    code: 1010,
    status: 404,
    fix: 'List the members of the organization and use an id from there.',
  },
  Member_EmailTaken: {
    code: 1011,
    status: 409,
    fix: 'Change the existing member instead, or use another e-mail address.',
  },
  Member_OwnerOnly: { code: 1012, status: 403, fix: 'Ask an owner of the organization to make this change.' },
  Member_LastOwner: { code: 1013, status: 409, fix: 'Make another member an owner first.' },
  Member_SignInRejected: {
    code: 1014,
    status: 401,
    fix: 'Check both. An administrator can create a new password link for you.',
  },
  Member_CodeRequired: {
    code: 1015,
    status: 401,
    fix: 'Enter the six-digit code of your authenticator app.',
  },
  Member_InvalidLink: {
    code: 1016,
    status: 410,
    fix: 'Ask for a new link. On the server, `patchbay console link` prints one.',
  },
  Member_SsoRequired: { code: 1017, status: 403, fix: 'Use the button of the identity provider.' },
  Member_PasskeyRejected: {
    code: 1018,
    status: 401,
    fix: 'Try again, or sign in with your password and register the passkey again in your profile.',
  },
  Member_PasskeyNotFound: { code: 1019, status: 404, fix: 'List your passkeys and use an id from there.' },
  Sso_ProviderUnusable: {
    code: 1020,
    status: 400,
    fix:
      'Check the issuer: it must be the text of `issuer` in the metadata of the provider. For a provider in a ' +
      'private network, allow its host with EGRESS_ALLOW.',
  },
  Sso_SetByServer: {
    code: 1021,
    status: 409,
    fix: 'Change CONSOLE_OIDC_ISSUER and its companions, or remove them and restart the server.',
  },
  Sso_IsOnly: {
    code: 1022,
    status: 409,
    fix: 'Allow other ways to sign in first (PUT /org/sso/only with is_only false).',
  },
  Sso_NotProven: {
    code: 1023,
    status: 409,
    fix: 'Sign out, sign in with the button of the identity provider, and try again.',
  },
  Sso_NoProvider: { code: 1024, status: 404, fix: 'Set the identity provider first with PUT /org/sso.' },
  Sso_NoOtherSignIn: {
    code: 1025,
    status: 409,
    fix: 'Add a passkey in your profile, or set a password with a password link, and try again.',
  },
  Sso_Changed: { code: 1026, status: 409, fix: 'Read the provider again, and repeat the change.' },
} as const satisfies Record<string, ErrorDefinition>

import type { ErrorDefinition } from './definition.ts'

/** Errors of auth configs (3xx), connected accounts (6xx) and legacy ids (7xx). */
export const ACCOUNT_ERRORS = {
  Auth_Config_NotFound: {
    code: 302,
    status: 404,
    fix: 'List the auth configs of the project with GET /auth_configs and use an id from there.',
  },
  Auth_Config_NoAuthApp: {
    code: 303,
    status: 400,
    fix: 'Execute the tools of this toolkit with user_id only. They need no auth config.',
  },
  Auth_Config_SchemeNotSupported: {
    code: 304,
    status: 400,
    fix: 'Use one of the modes in auth_config_details of the toolkit (GET /toolkits/{slug}).',
  },
  Auth_Config_MissingRequiredField: {
    code: 305,
    status: 400,
    fix: 'Send every field that auth_config_details of the toolkit lists as required.',
  },
  Auth_Config_DefaultAuthConfigNotFound: {
    code: 306,
    status: 400,
    fix:
      'Create the auth config with use_custom_auth and your own credentials, or ask the ' +
      'administrator of the server to configure credentials for this toolkit.',
  },
  Auth_Config_Disabled: {
    code: 307,
    status: 400,
    fix: 'Enable the auth config with PATCH /auth_configs/{nanoid}/ENABLED.',
  },
  ConnectedAccount_BadRequest: {
    code: 600,
    status: 400,
    fix: 'Compare the connection with auth_config_details of the toolkit.',
  },
  ConnectedAccount_AliasConflict: {
    code: 601,
    status: 409,
    fix: 'Choose another alias for this user and toolkit.',
  },
  ConnectedAccount_AclOnlyForShared: {
    code: 602,
    status: 400,
    fix: 'Omit acl_config_for_shared, or set account_type to SHARED.',
  },
  ConnectedAccount_ResourceNotFound: {
    code: 606,
    status: 404,
    fix:
      'List the connected accounts of the project with GET /connected_accounts and use an ' +
      'id from there.',
  },
  ConnectedAccount_NotImplemented: {
    code: 607,
    status: 501,
    fix: 'Create a new connection with a scheme that the toolkit offers.',
  },
  ConnectedAccount_RevokeNotSupported: {
    code: 608,
    status: 400,
    fix: 'Revoke the access in the settings of the application, then delete the connected account.',
  },
  ConnectedAccount_NotRevokable: {
    code: 609,
    status: 409,
    fix: 'Read the status of the account. Only ACTIVE accounts can be revoked.',
  },
  ConnectedAccount_WebhookSignature: {
    code: 610,
    status: 401,
    fix:
      'Compare the secret of the auth config, and the signature in the manifest, with the ' +
      'settings of the app at the provider.',
  },
  ConnectedAccount_CodeNotAwaited: {
    code: 611,
    status: 404,
    fix:
      'Ask the user to start the connection in your application, then to install or allow ' +
      'the app again within ten minutes.',
  },
  ConnectedAccount_CodeUsed: {
    code: 612,
    status: 409,
    fix:
      'Read the connected account. If it is ACTIVE, nothing has to be done; otherwise ' +
      'start the connection again.',
  },
  ConnectedAccount_CodeLate: {
    code: 613,
    status: 410,
    fix: 'Start the connection again and finish it within ten minutes.',
  },
  ConnectedAccount_AuthSessionNotFound: {
    code: 614,
    status: 404,
    fix: 'Ask the user to connect again. A session is valid for ten minutes and for one confirmation.',
  },
  Migration_NotFound: { code: 701, status: 404, fix: 'Check the UUID and its type.' },
  Migration_Gone: { code: 702, status: 410, fix: 'Create a new resource. This one was deleted.' },
} as const satisfies Record<string, ErrorDefinition>

import type { ErrorDefinition } from './definition.ts'

/** Errors of API keys (8xx), projects and incidents (9xx). */
export const PROJECT_ERRORS = {
  APIKey_InvalidAPIKey: {
    code: 801,
    status: 401,
    fix:
      'Use a valid key of the kind that the operation requires. ' +
      '`patchbay keys show --reveal` prints those of this directory.',
  },
  APIKey_NotFound: { code: 804, status: 404, fix: 'List the keys and use an id from there.' },
  APIKey_AlreadyReplaced: {
    code: 805,
    status: 409,
    fix: 'Rotate the key in `replaced_by` of the list of keys, or create a key.',
  },
  APIKey_LastOrganizationKey: {
    code: 806,
    status: 409,
    fix: 'Rotate the key, or create another one without restrictions and expiry before you revoke it.',
  },
  APIKey_InsufficientPermissions: {
    code: 812,
    status: 403,
    fix: 'Use a key that has the permission in the message.',
  },
  APIKey_IpNotAllowed: {
    code: 813,
    status: 403,
    fix: 'Call from an IP address that the key allows, or use another key.',
  },
  Project_NotFound: {
    code: 901,
    status: 404,
    fix: 'List the projects of the organization and use an id from there.',
  },
  Project_NameTaken: {
    code: 902,
    status: 400,
    fix: 'Choose a name that no other project of the organization has.',
  },
  Project_LastProject: { code: 903, status: 403, fix: 'Create another project before you delete this one.' },
  Incident_NotFound: { code: 904, status: 404, fix: 'Use the id that POST /org/incidents returned.' },
  Project_DemoUnavailable: {
    code: 905,
    status: 503,
    fix: 'Start the server from a complete installation: it needs the folders `simulation` and `toolkits`.',
  },
  User_NotFound: {
    code: 931,
    status: 404,
    fix: 'Use a user_id with a connected account, a session or an execution; GET /users lists them.',
  },
} as const satisfies Record<string, ErrorDefinition>

import type { ErrorDefinition } from './definition.ts'

/** Errors of the console and its sign-in (10xx). */
export const CONSOLE_ERRORS = {
  Console_SessionExpired: { code: 1001, status: 401, fix: 'Sign in to the console again.' },
  Console_CrossOrigin: {
    code: 1002,
    status: 403,
    fix: 'Open the console at the URL of this server. Other programs use an API key.',
  },
  Console_ProjectRequired: {
    code: 1003,
    status: 400,
    fix: 'Send the header x-patchbay-project with the id of a project that this session may use.',
  },
} as const satisfies Record<string, ErrorDefinition>

import type { ErrorDefinition } from './definition.ts'

/** Errors of toolkits (21xx) and tools (24xx). */
export const TOOLKIT_ERRORS = {
  Toolkit_ToolkitNotFound: {
    code: 2101,
    status: 404,
    fix: 'List the toolkits with GET /toolkits and use a slug from there.',
  },
  Toolkit_VersionNotFound: {
    code: 2102,
    status: 404,
    fix: 'Use latest or one of available_versions of the toolkit.',
  },
  Toolkit_SlugTaken: { code: 2103, status: 409, fix: 'Choose another slug.' },
  Toolkit_InUse: { code: 2104, status: 409, fix: 'Delete the auth configs of the toolkit first.' },
  Toolkit_LimitReached: {
    code: 2105,
    status: 409,
    fix: 'Delete a toolkit that is no longer needed, or import fewer operations.',
  },
  Toolkit_NotOwn: {
    code: 2106,
    status: 403,
    fix: 'Use a toolkit that the project imported. Only those can be changed or deleted.',
  },
  Toolkit_VersionTaken: {
    code: 2107,
    status: 409,
    fix: 'Omit version, so that the next number is used.',
  },
  Toolkit_DocumentRefused: {
    code: 2110,
    status: 422,
    fix: 'Correct the document as the message says, or send another one.',
  },
  Toolkit_DocumentTooLarge: {
    code: 2111,
    status: 413,
    fix: 'Send a smaller document, for example one for each area of the API.',
  },
  Toolkit_DocumentUnreachable: {
    code: 2112,
    status: 422,
    fix:
      'Check the URL and its headers, or send the document in content. IP addresses of ' +
      'private networks need EGRESS_ALLOW.',
  },
  Tool_ToolNotFound: {
    code: 2401,
    status: 404,
    fix: 'List the tools of the toolkit with GET /tools and use a slug and a version from there.',
  },
} as const satisfies Record<string, ErrorDefinition>

import type { ErrorDefinition } from './definition.ts'

/** Errors of HTTP itself: 10000 and the status. */
export const HTTP_ERRORS = {
  HTTP_BadRequest: {
    code: 10400,
    status: 400,
    fix: 'Correct the fields in errors and send the request again.',
  },
  HTTP_Unauthorized: {
    code: 10401,
    status: 401,
    fix: 'Send exactly one credential header, x-api-key or x-org-api-key, as the operation requires.',
  },
  HTTP_Forbidden: { code: 10403, status: 403, fix: 'Use a resource of your own project.' },
  HTTP_NotFound: {
    code: 10404,
    status: 404,
    fix: 'Check the path and the method in the API reference at /reference.',
  },
  HTTP_MethodNotAllowed: {
    code: 10405,
    status: 405,
    fix: 'Use a method that the API reference at /reference lists for this path.',
  },
  HTTP_RequestTimeout: { code: 10408, status: 408, fix: 'Send the whole request without pauses.' },
  HTTP_Gone: {
    code: 10410,
    status: 410,
    fix: 'Use /api/v3.1, or /api/v3 for earlier clients. The API reference at /reference lists the operations.',
  },
  HTTP_PayloadTooLarge: { code: 10413, status: 413, fix: 'Send a smaller body, at most 6 MB.' },
  HTTP_UnsupportedMediaType: { code: 10415, status: 415, fix: 'Send the body as application/json.' },
  HTTP_TooManyRequests: { code: 10429, status: 429, fix: 'Wait for the number of seconds in Retry-After.' },
  HTTP_HeadersTooLarge: {
    code: 10431,
    status: 431,
    fix: 'Send a shorter URL and fewer or shorter headers, at most 16 KB together.',
  },
  HTTP_InternalServerError: {
    code: 10500,
    status: 500,
    fix: 'Try again. If the error persists, send the request id to the administrator of the server.',
  },
  HTTP_ServiceUnavailable: {
    code: 10503,
    status: 503,
    fix: 'Try again in a few seconds. The server recovers automatically.',
  },
} as const satisfies Record<string, ErrorDefinition>

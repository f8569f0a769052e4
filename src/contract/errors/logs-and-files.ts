import type { ErrorDefinition } from './definition.ts'

/** Errors of logs (15xx) and files (16xx). */
export const LOG_AND_FILE_ERRORS = {
  Log_NotFound: {
    code: 1504,
    status: 404,
    fix: 'Use a log_id that an execution of this project returned. Logs are stored for LOG_RETENTION_DAYS.',
  },
  Log_TooManyStreams: {
    code: 1505,
    status: 429,
    fix: 'Close streams that are not read.',
  },
  File_AddressRefused: {
    code: 1601,
    status: 403,
    fix: 'Use the URL exactly as the server returned it, with the method that it was created for.',
  },
  File_AddressExpired: {
    code: 1603,
    status: 403,
    fix:
      'Request a new URL. The project setting signed_url_file_expiry_in_seconds limits how ' +
      'long one is valid.',
  },
  File_NotFound: {
    code: 1604,
    status: 404,
    fix:
      'Upload the file in this project first, or execute the tool that returned it again. ' +
      'Files are stored for a limited time.',
  },
  File_DigestMismatch: {
    code: 1605,
    status: 400,
    fix: 'Send the content whose MD5 the request named, or request an upload with the MD5 of this content.',
  },
  File_TypeMismatch: {
    code: 1606,
    status: 400,
    fix: 'Send the mimetype of the upload request as Content-Type.',
  },
  File_AlreadyUploaded: { code: 1609, status: 409, fix: 'Request another upload for other content.' },
  File_UploadInProgress: {
    code: 1610,
    status: 409,
    fix: 'Wait until the other upload to this URL has ended.',
  },
  File_TooLarge: {
    code: 1613,
    status: 413,
    fix: 'Send a smaller file, or ask the administrator of the server to raise FILE_MEGABYTES_MAX.',
  },
  File_QuotaExceeded: {
    code: 1614,
    status: 413,
    fix:
      'Wait until older files have expired, or ask the administrator of the server to ' +
      'raise FILES_MEGABYTES_PER_PROJECT.',
  },
  File_StorageUnavailable: {
    code: 1653,
    status: 503,
    fix:
      'Try again in a few seconds. If the error persists, the administrator of the server ' +
      'finds the cause in the log.',
  },
} as const satisfies Record<string, ErrorDefinition>

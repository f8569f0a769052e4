import type { ErrorSlug } from '../errors/index.ts'

/** Errors of every call to an application, be it a tool or a proxied request, in a session or not. */
export const CALL_ERRORS = [
  'ActionExecute_ConnectedAccountExpired',
  'ActionExecute_ConnectedAccountNotActive',
  'ActionExecute_SharedAccessDenied',
  'ActionExecute_ToolNotAllowed',
  'ActionExecute_PolicyRefused',
  'Approval_LimitReached',
  'ActionExecute_UpstreamUnreachable',
  'ActionExecute_UpstreamUnavailable',
  'ActionExecute_UpstreamTimeout',
] as const satisfies readonly ErrorSlug[]

/** Errors of calls outside of sessions, which may name their account or its user. */
export const REQUESTED_ACCOUNT_ERRORS = [
  'ActionExecute_ConnectedAccountEntityIdRequired',
  'ActionExecute_ConnectedAccountEntityIdMismatch',
  'ConnectedAccount_ResourceNotFound',
  'ConnectedAccount_BadRequest',
] as const satisfies readonly ErrorSlug[]

/** Errors of proxied requests, in a session or not. */
export const PROXY_ERRORS = [
  ...CALL_ERRORS,
  'ActionExecute_ApprovalRequired',
  'ActionProxy_OriginMismatch',
  'Auth_Config_SchemeNotSupported',
  'Toolkit_ToolkitNotFound',
  'File_NotFound',
  'File_AddressRefused',
  'File_AddressExpired',
  'File_TooLarge',
  'File_QuotaExceeded',
  'File_StorageUnavailable',
] as const satisfies readonly ErrorSlug[]

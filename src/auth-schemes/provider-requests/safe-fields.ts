// Fields of requests to providers whose values may be logged.

/** Allowlists of safe fields: an unknown parameter is redacted. */
export const SAFE_REQUEST_FIELDS = new Set([
  'grant_type',
  'scope',
  'user_scope',
  'redirect_uri',
  'response_type',
  'resource',
  'audience',
  'access_type',
  'prompt',
  'token_type_hint',
  'client_assertion_type',
  'code_challenge_method',
  'subject_token_type',
  'requested_token_type',
  'token_endpoint_auth_method',
])
export const SAFE_RESPONSE_FIELDS = new Set([
  'error',
  'error_description',
  'error_uri',
  'error_code',
  'errcode',
  'errmsg',
  'error_message',
  'message',
  'msg',
  'detail',
  'title',
  'token_type',
  'scope',
  'expires_in',
  'expires',
  'expires_at',
  'expiresIn',
  'expires_on',
  'refresh_token_expires_in',
  'refresh_expires_in',
  'ok',
  'success',
  'status',
  'ttl',
  'issued_at',
  'interval',
])
/** Safe only within an error object. */
export const SAFE_ERROR_FIELDS = new Set(['code', 'type', 'reason', 'status', 'description'])

export const SAFE_HEADERS = new Set(['accept', 'content-type', 'user-agent'])

/**
 * HTTP status of each error code (RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8707 §2, RFC 9449 §5). Clients react to the code:
 * `invalid_grant` starts a new sign-in, `invalid_client` a new registration, `use_dpop_nonce` a second attempt.
 */
const STATUS_BY_CODE = {
  invalid_request: 400,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_target: 400,
  unsupported_token_type: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  unsupported_response_type: 400,
  interaction_required: 400,
  invalid_client: 401,
  slow_down: 429,
  temporarily_unavailable: 503,
} as const
export type OAuthErrorCode = keyof typeof STATUS_BY_CODE

export class OAuthRequestError extends Error {
  readonly error: OAuthErrorCode
  constructor(error: OAuthErrorCode, description: string) {
    super(description)
    this.error = error
  }
  get status(): number {
    return STATUS_BY_CODE[this.error]
  }
  get body() {
    return { error: this.error, error_description: this.message }
  }
}

/** Errors of the endpoints that clients call (RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8707 §2). Clients act on the exact one: `invalid_grant` begins a new sign-in, `invalid_client` a new registration. */
const STATUS = {
  invalid_request: 400,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_target: 400,
  unsupported_token_type: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_client: 401,
  slow_down: 429,
  temporarily_unavailable: 503,
} as const
export type OAuthError = keyof typeof STATUS

export class OAuthFailure extends Error {
  readonly error: OAuthError
  constructor(error: OAuthError, description: string) {
    super(description)
    this.error = error
  }
  get status(): number {
    return STATUS[this.error]
  }
  get body() {
    return { error: this.error, error_description: this.message }
  }
}

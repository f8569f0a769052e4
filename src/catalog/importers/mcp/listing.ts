/** How a server wants to be signed in to, as far as it says. Every address in it was found to be safe. */
export interface McpSignIn {
  /** It answers without any credentials. */
  readonly anonymous: boolean
  /** Scheme of its challenge, in lower case. */
  readonly challenge?: string
  /** Scopes that its challenge asks for; and those that its document names. */
  readonly scopes?: readonly string[]
  readonly scopesSupported?: readonly string[]
  /** RFC 8707; the address itself when no document says more. */
  readonly resource: string
  /** Its document stands at no usual place: only the challenge tells where. */
  readonly isTold?: boolean
  readonly server?: {
    readonly issuer: string
    readonly authorizationEndpoint: string
    readonly tokenEndpoint: string
    readonly registrationEndpoint?: string
    readonly revocationEndpoint?: string
    readonly authMethods?: readonly string[]
  }
  /**
   * Headers that were given to list its tools, without their values; `word` is what stands before the value
   * in Authorization.
   */
  readonly headers: readonly { readonly name: string; readonly word?: string }[]
  /** Members of the query that were taken for secrets and left out of the address. */
  readonly query: readonly string[]
}

/**
 * A remote MCP server as it was asked: everything an import needs, and no secret. Plain JSON; what the server
 * said is in it as it came.
 */
export interface McpListing {
  /** Whole address, secrets left out. */
  readonly address: string
  /** Revision of the protocol that it speaks. */
  readonly revision: string
  readonly serverInfo: unknown
  readonly instructions: unknown
  readonly tools: readonly unknown[]
  readonly signIn: McpSignIn
}

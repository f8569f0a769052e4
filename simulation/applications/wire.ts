/** A request as a simulated application receives it. Header names are in lower case. */
export interface WireRequest {
  readonly method: string
  /** Absolute, of the application itself: `https://api.example.com/things?limit=2`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** `json` or `text`; neither: no body. */
export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
}

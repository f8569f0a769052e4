/**
 * A file: one that a caller uploaded, in place of an argument marked `file_uploadable`, or one that an
 * application answered with.
 */
export interface ToolFile {
  readonly name: string
  readonly type: string | undefined
  readonly bytes: Buffer
}

/** What a code tool may use; credentials are applied by `request`, the tool never sees them. */
export interface CodeToolContext {
  /**
   * Sends a request below the toolkit's base URL with the account's credentials on it, and returns the
   * parsed body, which is a `ToolFile` when it is no text.
   * A provider error throws; let it pass, the engine turns it into the tool's failure.
   */
  request(request: {
    method: string
    path: string
    query?: Record<string, unknown>
    headers?: Record<string, string>
    body?: unknown
    body_type?: 'json' | 'form' | 'text'
  }): Promise<unknown>
  /**
   * Sends a file to a URL that the application returned for it. The URL itself grants the access, so the request has no
   * credentials. Its host must be that of the base URL or below it.
   */
  upload(request: { method: 'POST' | 'PUT'; url: string; file: ToolFile }): Promise<void>
  /**
   * Saves a file for the caller. The return value goes into the result where the output is marked
   * `file_downloadable`.
   */
  saveFile(file: ToolFile): Promise<{ name: string; mimetype: string; s3url: string }>
  /** Milliseconds since the epoch; code tools do not read the clock themselves. */
  now(): number
  signal: AbortSignal
}

/** A tool that data cannot say. Throw `ToolFailure` for what the caller did wrong; its message is shown. */
export type CodeTool = (args: Record<string, unknown>, context: CodeToolContext) => unknown

/** A failure of the tool itself: HTTP 200 with `successful: false` and this message. */
export class ToolFailure extends Error {
  readonly statusCode: number | null

  constructor(message: string, options: { statusCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'ToolFailure'
    this.statusCode = options.statusCode ?? null
  }
}

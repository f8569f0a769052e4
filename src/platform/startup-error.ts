/**
 * A failure to start that the administrator can fix. `main.ts` prints `message` and `fix`, and exits with
 * `exitCode`. Any other error is a defect and is printed with its stack.
 */
export class StartupError extends Error {
  /** One imperative sentence: what to do next. */
  readonly fix: string
  readonly exitCode: number

  constructor(message: string, fix: string, options: { cause?: unknown; exitCode?: number } = {}) {
    super(message, { cause: options.cause })
    this.name = 'StartupError'
    this.fix = fix
    this.exitCode = options.exitCode ?? 1
  }
}

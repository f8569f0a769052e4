/** A command line that cannot be run: exit code 2. */
export class UsageError extends Error {
  /** One sentence: what to type instead. */
  readonly fix: string

  constructor(message: string, fix: string) {
    super(message)
    this.name = 'UsageError'
    this.fix = fix
  }
}

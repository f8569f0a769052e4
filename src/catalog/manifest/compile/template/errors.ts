/** A required place of a template that nothing supplies. */
export class MissingValue extends Error {
  /** The name that has no value. */
  readonly missing: string

  constructor(missing: string) {
    super(`No value for \`${missing}\`.`)
    this.name = 'MissingValue'
    this.missing = missing
  }
}

/**
 * A value that would escape its position: another host, a parent folder, a second header. Never
 * quotes the value.
 */
export class UnsafeValue extends Error {
  readonly unsafe: string

  constructor(unsafe: string, reason: string) {
    super(`The value of \`${unsafe}\` ${reason}.`)
    this.name = 'UnsafeValue'
    this.unsafe = unsafe
  }
}

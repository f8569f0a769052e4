export interface FormatError {
  /** JSON Pointer. */
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

interface FormatValidator {
  (value: unknown): boolean
  /** Errors of the last call that returned false. */
  errors: readonly FormatError[] | null
}

export const toolkit: FormatValidator
export const tools: FormatValidator
export const triggers: FormatValidator

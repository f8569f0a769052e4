/** One error of the API. */
export interface ErrorDefinition {
  /** Numeric code. Its hundreds name the subject. */
  code: number
  /** HTTP status of the response. */
  status: number
  /** Next step for the caller, as `suggested_fix`. */
  fix: string
}

/** An operation of the API, as `/openapi/operations.json` lists it. */
export interface OperationSummary {
  id: string
  method: string
  /** With the prefix of its version, and `{name}` for each parameter. */
  path: string
  summary: string
  tag: string
  isDeprecated: boolean
  /** Whether calls can be in the audit log. */
  isAudited: boolean
}

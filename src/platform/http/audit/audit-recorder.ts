/** What is known about an audited call before it runs. */
export interface AuditedCall {
  /** Id of the operation, such as `authConfigs.update`. */
  action: string
  organizationId: string
  /** Undefined for a call with a key of the organization. */
  projectId: string | undefined
  /** Id of the API key, or `member:<id>`. */
  callerId: string
  object: AuditedObject
  sourceIp: string
  userAgent: string | null
  requestId: string
}

export interface AuditedObject {
  /** Such as `auth_config`. */
  type: string
  /** Null until a new object has its id. */
  id: string | null
}

/** How an audited call ended. */
export interface AuditResult {
  outcome: 'success' | 'failure'
  /** HTTP status of the response. */
  status: number
  /** Slug of the error. */
  error: string | null
  objectId: string | null
  /** The object before and after the call, as read through the API. Undefined if it was not read. */
  before: unknown
  after: unknown
}

/** Writes the audit log. */
export interface AuditRecorder {
  /**
   * Stores that a call begins, so that it is in the log even if the process is killed. Rejects if that fails: then the
   * call must not run. The returned function stores how the call ended.
   */
  begin(call: AuditedCall): Promise<(result: AuditResult) => Promise<void>>
  /**
   * Stores that a call was rejected before it began. A caller has a limited number of such entries per minute, so that
   * it cannot fill the log.
   */
  reject(call: AuditedCall, result: Pick<AuditResult, 'status' | 'error'>): Promise<void>
}

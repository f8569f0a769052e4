import type { ProviderRequestLogEntry } from '../../../../auth-schemes/index.ts'
import type { ProviderRequestKind, ProviderRequestRow } from '../request-store.ts'

/** A logged request, with the values that conditions compare. */
export interface DiagnosedRequest {
  row: ProviderRequestRow
  /** Position in the log, the newest first. */
  index: number
  request: ProviderRequestLogEntry['request']
  response: ProviderRequestLogEntry['response']
  /** The scheme as the manifest of the toolkit declares it. */
  manifest: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
  /** Fields of the response by dotted path. */
  paths: ReadonlyMap<string, unknown>
  /** Code and messages of the error. */
  errorText: string
  /** Names of the parameters that were sent. */
  parameters: ReadonlySet<string>
  clientAuth: 'post' | 'basic' | 'jwt' | 'none'
  /** An earlier request returned tokens. */
  succeededBefore: boolean
}

/** A condition holds if all of its fields do. */
export interface DiagnosisCondition {
  /** The request succeeded, but something could be improved. Default: false. */
  ok?: true
  kinds?: readonly ProviderRequestKind[]
  message?: RegExp
  status?: readonly [min: number, max: number]
  format?: readonly NonNullable<ProviderRequestLogEntry['response']['format']>[]
  failure?: readonly string[]
  auth?: readonly DiagnosedRequest['clientAuth'][]
  sent?: string
  notSent?: string
  /** The response has a field with such a path. */
  has?: RegExp
  /** The response has no field with such a path. */
  lacks?: RegExp
  succeededBefore?: boolean
  manifest?(request: DiagnosedRequest): boolean
}

/**
 * A symptom, its likely cause, the field of the scheme's manifest that fixes it (null: the fix is elsewhere),
 * and what to do.
 */
export interface DiagnosisRule {
  when: DiagnosisCondition
  cause: string
  field: string | null
  fix: string
}

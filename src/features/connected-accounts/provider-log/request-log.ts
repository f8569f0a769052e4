import {
  type ProviderRequestLogEntry,
  GrantRejected,
  mapTexts,
  logEntryWithoutRequest,
  ProviderUnavailable,
  type SchemeDeps,
  secretsRedactor,
  type ConnectionContext,
  shortenText,
} from '../../../auth-schemes/index.ts'
import { authSchemeOf } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import type { ProviderRequestDraft, ProviderRequestKind } from './request-store.ts'

/** More requests than a connection needs; limits the memory of a scheme that repeats requests. */
const REQUESTS_MAX = 20
const CODE_CHARACTERS_MAX = 100

/** Writes log rows in the background: it never fails and never makes a caller wait. */
export interface ProviderRequestLog {
  add(createDrafts: () => readonly ProviderRequestDraft[]): void
  /**
   * Waits until all earlier entries are written, by default for a second at most; those of an account that does not
   * exist yet wait for it.
   */
  flush(waitMs?: number): Promise<void>
}

export interface ProviderRequestSubject {
  projectId: string
  accountId: string
  kind: ProviderRequestKind
  connection: ConnectionContext
}

/** The kind of a token refresh: schemes with a redirect use a refresh token, others sign in again. */
export const refreshRequestKind = (connection: ConnectionContext): ProviderRequestKind =>
  authSchemeOf(connection)?.redirects ? 'refresh' : 'sign_in'

/** Runs a step of a scheme, and logs its requests to the provider and the outcome of the step. */
export async function logProviderRequests<T>(
  deps: Pick<AccountDeps, 'egress' | 'clock' | 'providerRequests'>,
  subject: ProviderRequestSubject,
  work: (tools: SchemeDeps) => Promise<T>,
): Promise<T> {
  const entries: ProviderRequestLogEntry[] = []
  const at = new Date(deps.clock.now())
  const tools: SchemeDeps = {
    egress: deps.egress,
    now: deps.clock.now,
    logRequest(entry) {
      if (entries.length < REQUESTS_MAX) entries.push(entry)
    },
  }
  try {
    const result = await work(tools)
    deps.providerRequests.add(() => toDrafts(subject, at, entries, undefined))
    return result
  } catch (error) {
    const failure = error instanceof GrantRejected || error instanceof ProviderUnavailable ? error : undefined
    if (failure && !entries.length) entries.push(logEntryWithoutRequest(failure.message))
    deps.providerRequests.add(() => toDrafts(subject, at, entries, failure))
    throw error
  }
}

function toDrafts(
  { projectId, accountId, kind, connection }: ProviderRequestSubject,
  at: Date,
  entries: readonly ProviderRequestLogEntry[],
  failure: GrantRejected | ProviderUnavailable | undefined,
): ProviderRequestDraft[] {
  const redact = secretsRedactor(connection)
  return entries.map(({ followUp, error: ignoredError, ...entry }, index) => {
    const { request, response, durationMs } = mapTexts(entry, (text) =>
      shortenText(redact(text)),
    ) as ProviderRequestLogEntry
    // Requests before the last one succeeded, or the next one would not have been sent; unless an error was
    // ignored.
    const error = ignoredError ?? (index === entries.length - 1 ? failure : undefined)
    return {
      project_id: projectId,
      connected_account_id: accountId,
      kind: followUp ? 'follow_up' : kind,
      at,
      duration_ms: durationMs,
      request,
      response,
      outcome: outcomeOf(error),
      code: error ? errorCode(error, response).slice(0, CODE_CHARACTERS_MAX) : null,
    }
  })
}

function outcomeOf(error: GrantRejected | ProviderUnavailable | undefined) {
  if (!error) return 'ok'
  return error instanceof GrantRejected ? 'refused' : 'trouble'
}

function errorCode(
  error: GrantRejected | ProviderUnavailable,
  { body, failure, status }: ProviderRequestLogEntry['response'],
): string {
  if (error instanceof GrantRejected) return error.code.replaceAll('\0', '').toWellFormed()
  const value = (body as Record<string, unknown> | undefined)?.['error']
  const details = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  const code = details ? (details['code'] ?? details['type']) : value
  if (typeof code === 'string' && code) return code
  if (failure) return failure.kind
  return status !== undefined && status >= 300 ? `status_${status}` : 'unexpected_answer'
}

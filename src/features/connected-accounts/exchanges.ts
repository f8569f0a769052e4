import {
  authSchemes,
  type ExchangeNote,
  GrantRejected,
  mapTexts,
  noteOfNothing,
  ProviderTrouble,
  type SchemeTools,
  secretsHider,
  type ConnectionContext,
  shortened,
} from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import type { AccountDeps } from './deps.ts'
import type { ExchangeDraft, ExchangeKind } from './exchange-store.ts'

/** More than a connection needs; a scheme that went round in circles would not fill the memory. */
const NOTES_MAX = 20
const CODE_MAX = 100

/** Writes exchanges behind the calls that made them: it never fails and never waits. */
export interface ExchangeLog {
  add(drafts: () => readonly ExchangeDraft[]): void
  /** Everything that was added before is written, or given up. */
  settled(): Promise<void>
}

export interface Subject {
  projectId: string
  accountId: string
  kind: ExchangeKind
  setup: ConnectionContext
}

/** What to call the renewal of a scheme: some trade a refresh token, others sign in again. */
export const renewalKind = ({ scheme }: ConnectionContext): ExchangeKind =>
  authSchemes[scheme.mode as AuthSchemeName]?.redirects ? 'refresh' : 'sign_in'

/** Runs a step of a scheme and writes down what was said with the provider, and how the step ended. */
export async function recorded<T>(
  deps: Pick<AccountDeps, 'egress' | 'clock' | 'exchanges'>,
  subject: Subject,
  work: (tools: SchemeTools) => Promise<T>,
): Promise<T> {
  const notes: ExchangeNote[] = []
  const at = new Date(deps.clock.now())
  const tools: SchemeTools = {
    egress: deps.egress,
    now: deps.clock.now,
    note(note) {
      if (notes.length < NOTES_MAX) notes.push(note)
    },
  }
  try {
    const result = await work(tools)
    keep(undefined)
    return result
  } catch (error) {
    keep(error)
    throw error
  }

  function keep(error: unknown): void {
    const failed = error instanceof GrantRejected || error instanceof ProviderTrouble ? error : undefined
    if (failed && !notes.length) notes.push(noteOfNothing(failed.message))
    deps.exchanges.add(() => drafts(failed))
  }

  function drafts(failed: GrantRejected | ProviderTrouble | undefined): ExchangeDraft[] {
    const { projectId, accountId, kind, setup } = subject
    const hide = secretsHider(setup)
    return notes.map(({ followUp, failed: passedOver, ...note }, index) => {
      const { request, answer, durationMs } = mapTexts(note, (text) => shortened(hide(text))) as ExchangeNote
      // What came before the last one went well, or there would have been no next one; unless it was passed over.
      const ended = passedOver ?? (index === notes.length - 1 ? failed : undefined)
      return {
        project_id: projectId,
        connected_account_id: accountId,
        kind: followUp ? 'follow_up' : kind,
        at,
        duration_ms: durationMs,
        request,
        answer,
        outcome: !ended ? 'ok' : ended instanceof GrantRejected ? 'refused' : 'trouble',
        code: ended ? codeOf(ended, answer).slice(0, CODE_MAX) : null,
      }
    })
  }
}

function codeOf(
  error: GrantRejected | ProviderTrouble,
  { body, failure, status }: ExchangeNote['answer'],
): string {
  if (error instanceof GrantRejected) return error.code.replaceAll('\0', '').toWellFormed()
  const told = (body as Record<string, unknown> | undefined)?.['error']
  const code =
    typeof told === 'object' && told !== null
      ? ((told as Record<string, unknown>)['code'] ?? (told as Record<string, unknown>)['type'])
      : told
  return typeof code === 'string' && code
    ? code
    : (failure?.kind ?? (status !== undefined && status >= 300 ? `status_${status}` : 'unexpected_answer'))
}

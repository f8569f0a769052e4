import { GrantRejected, ProviderTrouble, type ConnectionContext } from '../../auth-schemes/index.ts'
import type { AskManifest, Toolkit } from '../../catalog/index.ts'
import { askApplication } from '../../engine/index.ts'
import type { AccountDeps } from './deps.ts'
import { recorded } from './exchanges.ts'

interface Subject {
  projectId: string
  accountId: string
  toolkit: Toolkit
  setup: ConnectionContext
}

/** A request of the manifest with the credentials of a connection, written down as an exchange; answers its reply. @throws GrantRefused, ProviderTrouble, ApiError, ToolFailure */
export function ask(
  deps: AccountDeps,
  { toolkit, ...subject }: Subject,
  request: AskManifest,
  timeoutMs?: number,
): Promise<unknown> {
  return recorded(deps, { ...subject, kind: 'probe' }, async (tools) => {
    const answered = await askApplication(tools, toolkit, subject.setup, request, timeoutMs)
    if (answered.ok) return answered.body
    throw answered.refused
      ? new GrantRejected(`status_${answered.status}`, answered.message)
      : new ProviderTrouble(answered.message)
  })
}

import * as contract from '../../../contract/policies/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { presentSource, type SourceTracker } from './track-sources.ts'

export interface UntrustedSourceDeps {
  sources: SourceTracker
  /** Whether the project has the session. */
  sessionExists(projectId: string, sessionId: string): Promise<boolean>
}

/** What a session has read of other people, and content that reached it without a tool. */
export function untrustedSourceRoutes(api: Api, { sources, sessionExists }: UntrustedSourceDeps): void {
  const openContext = async (projectId: string, sessionId: string) => {
    if (!(await sessionExists(projectId, sessionId)))
      throw new ApiError('ToolRouterV2_SessionNotFound', `Session ${sessionId} not found`)
    return { projectId, contextId: sessionId }
  }
  const listOf = async (context: { projectId: string; contextId: string }) => ({
    items: (await sources.list(context)).map(presentSource),
  })
  api.on(contract.listUntrustedSources, async ({ projectId, params }) =>
    listOf(await openContext(projectId, params.session_id)),
  )
  api.on(contract.addUntrustedSource, async ({ projectId, params, body: { category, note = null } }) => {
    const context = await openContext(projectId, params.session_id)
    await sources.record(context, {
      category,
      toolkit_slug: '',
      tool_slug: '',
      account: '',
      note,
      log_id: null,
    })
    return listOf(context)
  })
}

import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../catalog/importers/index.ts'
import type { PreparedCall } from '../../../engine/index.ts'

/** Where a tool runs without an account. */
export const NO_ACCOUNT = '__none__'

/** What a call is, as approvals are kept by it. */
export interface Called {
  projectId: string
  sessionId: string | null
  userId: string | null
  tool: string
  toolkit: string
  version: string
  accountId: string | null
}

export function calledOf({ call: execution, resolvedTool: found, connection }: PreparedCall): Called {
  const account = connection.kind === 'account' ? connection.account : undefined
  return {
    projectId: execution.projectId,
    sessionId: execution.parent?.sessionId ?? null,
    userId: execution.userId ?? account?.userId ?? null,
    tool: found.tool.slug,
    toolkit: found.toolkit.slug,
    version: found.version,
    accountId: account?.id ?? null,
  }
}

/**
 * SHA-256 over everything that makes it this call and no other: project, session, user, tool and version, account or the credentials that came with it, and the exact arguments as
 * canonical JSON (RFC 8785), after defaults were filled in.
 */
export function bindingOf(call: PreparedCall): Buffer {
  const { customAuth, customConnection } = call.call
  return createHash('sha256')
    .update(
      canonicalJson({
        ...calledOf(call),
        credentials: [customAuth, customConnection],
        arguments: call.arguments,
      }),
    )
    .digest()
}

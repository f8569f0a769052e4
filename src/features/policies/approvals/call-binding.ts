import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../catalog/importers/versions/index.ts'
import type { PreparedCall } from '../../../engine/index.ts'

/** The account id of grants for tools that run without an account. */
export const NO_ACCOUNT = '__none__'

/** Identifies a call in approvals and in the decision log. */
export interface CallIdentity {
  projectId: string
  sessionId: string | null
  userId: string | null
  tool: string
  toolkit: string
  version: string
  accountId: string | null
}

export function callIdentity({ call, resolvedTool, connection }: PreparedCall): CallIdentity {
  const account = connection.kind === 'account' ? connection.account : undefined
  return {
    projectId: call.projectId,
    sessionId: call.parent?.sessionId ?? null,
    userId: call.userId ?? account?.userId ?? null,
    tool: resolvedTool.tool.slug,
    toolkit: resolvedTool.toolkit.slug,
    version: resolvedTool.version,
    accountId: account?.id ?? null,
  }
}

/**
 * Returns the SHA-256 of everything that identifies the call: project, session, user, tool and version, account or
 * the credentials in the request, and the exact arguments as canonical JSON (RFC 8785), after defaults were filled in.
 */
export function callBinding(prepared: PreparedCall): Buffer {
  const { customAuth, customConnection } = prepared.call
  return createHash('sha256')
    .update(
      canonicalJson({
        ...callIdentity(prepared),
        credentials: [customAuth, customConnection],
        arguments: prepared.arguments,
      }),
    )
    .digest()
}

import type { FindOptions } from '../../../../catalog/index.ts'
import type { SessionScope } from '../../scope/scope.ts'

/** Returns the similarity of tools to a request, by an embedding model; undefined without one. */
export type SimilarityOfTools = (
  projectId: string,
  catalog: SessionScope['catalog'],
  text: string,
) => Promise<FindOptions['similarity']>

/** Returns the numbers of recent successful calls of a project, by tool slug. */
export type RecentToolUses = (projectId: string) => Promise<ReadonlyMap<string, number>>

/**
 * Returns what moves tools up in a search of this session: the applications that its user can use without
 * another step, and, unless the project turned it off, the tools that the project called recently.
 */
export async function readSearchContext(
  scope: SessionScope,
  recentToolUses: RecentToolUses,
): Promise<NonNullable<FindOptions['context']>> {
  const [connected, used] = await Promise.all([
    scope.usableToolkits(),
    scope.caller.settings.ranksByUse ? recentToolUses(scope.projectId) : undefined,
  ])
  return { connected, used }
}

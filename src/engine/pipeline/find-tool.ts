import { describeMissingTool } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Catalog, ResolvedTool, ToolCall } from '../types.ts'
import type { CallStart, HasDeadline, HasOperation, HasSignal, HasTool, StepDeps } from './context.ts'

/** The time limit of a call, with all waits and retries. A tool whose one request may take longer has that time. */
const DEADLINE_MS = 60_000

/** Finds the tool in the requested version. A tool that the application no longer has is rejected. */
export function findTool(
  { call, trace }: CallStart,
  { catalog }: StepDeps,
): HasTool & HasOperation & HasDeadline & HasSignal {
  const resolvedTool = resolveTool(catalog, call)
  return {
    resolvedTool,
    operation: resolvedTool,
    deadlineAt: trace.startedAt + timeLimitMs(resolvedTool),
    signal: call.signal,
  }
}

const timeLimitMs = ({ tool, toolkit }: ResolvedTool): number =>
  Math.max(DEADLINE_MS, (tool.request?.timeoutSeconds ?? toolkit.timeoutSeconds ?? 0) * 1_000)

export function resolveTool(
  catalog: Catalog,
  { toolSlug, version }: Pick<ToolCall, 'toolSlug' | 'version'>,
): ResolvedTool {
  const resolved = catalog.tool(toolSlug, version)
  if (!resolved) {
    throw new ApiError('Tool_ToolNotFound', describeMissingTool(catalog, toolSlug, version))
  }
  const { slug, retirement } = resolved.tool
  if (!retirement?.gone) return resolved
  const sentences = [
    `${resolved.toolkit.name} no longer offers what ${slug} does.`,
    retirement.reason,
    retirement.replacedBy && `Use ${retirement.replacedBy}.`,
  ]
  throw new ApiError('ActionExecute_ToolDeprecated', sentences.filter(Boolean).join(' '))
}

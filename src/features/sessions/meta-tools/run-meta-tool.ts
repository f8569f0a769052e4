import { SANDBOX_META_TOOLS } from './definitions.ts'
import type { ExecutionRow } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import { newLogId } from '../../../platform/ids.ts'
import {
  type CustomTool,
  META_TOOL_SLUGS,
  type MetaToolOutcome,
  type MetaTools,
  availableMetaTool,
} from './meta-tool.ts'
import { executionRow } from '../execution-row.ts'
import type { SessionScope } from '../scope/scope.ts'

export interface MetaToolRunDeps {
  metaTools: MetaTools
  /** Returns the name of a meta tool on the wire. */
  toWireName(slug: string): string
  /** Returns the internal name for a name in a request. */
  fromWireName(name: string): string
  record(row: ExecutionRow): Promise<void>
  clock: { now(): number }
}

export interface MetaToolRun extends MetaToolOutcome {
  logId: string
}

export const META_VERSION = '20261121_00'

/** Returns the internal slug of a meta tool for a name in any case and brand, or undefined for any other name. */
export function metaToolSlug({ fromWireName }: MetaToolRunDeps, name: string): string | undefined {
  const slug = fromWireName(name.toUpperCase())
  return META_TOOL_SLUGS.includes(slug) ? slug : undefined
}

/**
 * Runs a meta tool of the session, for REST and MCP. An error of the arguments is part of the result, so that
 * a model can correct itself. The tool calls that it makes are logged under its log id.
 * @param ignoreAvailability runs it even if the session does not offer it
 * @throws ApiError 4306 if the session does not offer it, and errors of this server
 */
export async function runMetaTool(
  deps: MetaToolRunDeps,
  scope: SessionScope,
  slug: string,
  args: Record<string, unknown>,
  call: { signal: AbortSignal; custom?: readonly CustomTool[] },
  ignoreAvailability = false,
): Promise<MetaToolRun> {
  const tool = ignoreAvailability
    ? deps.metaTools.get(slug)
    : availableMetaTool(deps.metaTools, scope.config, slug)
  if (!tool) throw unavailableMetaTool(deps, scope, slug)
  const logId = newLogId()
  const startedAt = deps.clock.now()
  const { data, error, visit } = await tool
    .run(scope, args, { ...call, logId })
    .catch((thrown: unknown): MetaToolOutcome => {
      const failure = toApiError(thrown)
      if (failure.status >= 500) throw failure
      return { data: {}, error: [failure.message, ...failure.details].join(' ') }
    })
  const durationMs = Math.max(0, deps.clock.now() - startedAt)
  await deps
    .record(
      executionRow(scope, { id: logId, toolSlug: slug, version: META_VERSION, startedAt, durationMs, error }),
    )
    .catch((thrown: unknown) =>
      scope.caller.log.error(
        { err: thrown, log_id: logId, request_id: scope.caller.requestId },
        'the log row of a meta tool was not written',
      ),
    )
  return { data, error, visit, logId }
}

function unavailableMetaTool(deps: MetaToolRunDeps, { config }: SessionScope, slug: string): ApiError {
  const isDisabled = SANDBOX_META_TOOLS.includes(slug) && config.workbench.enable
  return new ApiError(
    'ToolRouterV2_MetaToolDisabled',
    isDisabled
      ? `${deps.toWireName(slug)} is disabled on this server (setting WORKBENCH_DRIVER).`
      : `${deps.toWireName(slug)} is not enabled in this session.`,
  )
}

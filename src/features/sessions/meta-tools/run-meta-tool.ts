import type { ExecutionRow } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import { newId } from '../../../platform/ids.ts'
import {
  type CustomTool,
  META_TOOL_SLUGS,
  type MetaToolOutcome,
  type MetaTools,
  availableMetaTool,
} from './meta-tool.ts'
import type { SessionScope } from '../scope/scope.ts'

export interface MetaToolRunDeps {
  metaTools: MetaTools
  /** How the wire spells the name of a meta tool. */
  toWireName(slug: string): string
  /** The inside spelling of a name that a request may give in either. */
  fromWireName(name: string): string
  record(row: ExecutionRow): Promise<void>
  clock: { now(): number }
}

export interface MetaToolRun extends MetaToolOutcome {
  logId: string
}

/** What all meta tools belong to. */
export const META_TOOLKIT = 'service'
export const META_VERSION = '20261121_00'

/** The inside slug of a meta tool that a request names in any case and spelling; undefined for what is none. */
export function metaToolSlug({ fromWireName: neutral }: MetaToolRunDeps, name: string): string | undefined {
  const slug = neutral(name.toUpperCase())
  return META_TOOL_SLUGS.includes(slug) ? slug : undefined
}

/**
 * Runs a meta tool that the session offers, by whichever door it was called. What it refuses is in the answer, so that a model can correct itself; its calls of tools are logged
 * under its log id. @param ignoreAvailability runs it even where the session offers it to no model
 * @throws ApiError 4306 where the session does not offer it, and for trouble of this server
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
  if (!tool)
    throw new ApiError(
      'ToolRouterV2_MetaToolDisabled',
      `${deps.toWireName(slug)} is not enabled in this session.`,
    )
  const logId = newId('log')
  const startedAt = deps.clock.now()
  const { data, error, visit } = await tool
    .run(scope, args, { ...call, logId })
    .catch((error: unknown): MetaToolOutcome => {
      const failure = toApiError(error)
      if (failure.status >= 500) throw failure
      return { data: {}, error: [failure.message, ...failure.details].join(' ') }
    })
  const {
    projectId,
    sessionId,
    userId,
    caller: { requestId, source },
  } = scope
  // What its tools were asked and answered stands in the rows of their own.
  await deps
    .record({
      id: logId,
      projectId,
      toolSlug: slug,
      toolkitSlug: META_TOOLKIT,
      version: META_VERSION,
      effect: 'read',
      dryRun: false,
      userId,
      connectedAccountId: null,
      authConfigId: null,
      sessionId,
      sandboxId: null,
      parentId: null,
      requestId,
      source,
      startedAt,
      timings: {},
      requests: 0,
      requestBytes: 0,
      responseBytes: 0,
      successful: error === null,
      statusCode: null,
      error: error?.slice(0, ERROR_MAX) ?? null,
      durationMs: Math.max(0, deps.clock.now() - startedAt),
      payload: null,
    })
    .catch((error: unknown) =>
      scope.caller.log.error(
        { err: error, log_id: logId, request_id: requestId },
        'the log row of a meta tool could not be written',
      ),
    )
  return { data, error, visit, logId }
}

const ERROR_MAX = 2_000

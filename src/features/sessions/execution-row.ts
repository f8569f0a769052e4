import type { ExecutionRow } from '../../engine/index.ts'
import type { SessionScope } from './scope/scope.ts'

/** The toolkit of meta tools and recipes. */
export const META_TOOLKIT = 'service'
const ERROR_CHARACTERS_MAX = 2_000

type Run = Pick<ExecutionRow, 'id' | 'toolSlug' | 'version' | 'startedAt' | 'durationMs' | 'error'> &
  Partial<Pick<ExecutionRow, 'parentId' | 'payload'>>

/** Builds the log row of a meta tool or a recipe. The tools that it called have rows of their own. */
export const executionRow = (
  { projectId, sessionId, userId, caller: { requestId, source } }: SessionScope,
  { error, parentId = null, payload = null, ...run }: Run,
): ExecutionRow => ({
  ...run,
  projectId,
  toolkitSlug: META_TOOLKIT,
  effect: 'read',
  dryRun: false,
  userId,
  connectedAccountId: null,
  authConfigId: null,
  sessionId,
  sandboxId: null,
  parentId,
  requestId,
  source,
  timings: {},
  requests: 0,
  requestBytes: 0,
  responseBytes: 0,
  successful: error === null,
  isStartLogged: false,
  statusCode: null,
  error: error?.slice(0, ERROR_CHARACTERS_MAX) ?? null,
  payload,
})

import { type MountEntry, SandboxBusy, type Sandboxes, type SandboxOutcome } from '../../../sandbox/index.ts'
import { readConversation } from '../meta-tools/conversation-id.ts'
import type { MetaToolCall, MetaToolOutcome } from '../meta-tools/meta-tool.ts'
import type { SessionScope } from '../scope/scope.ts'
import { describeError } from '../meta-tools/create-meta-tool.ts'
import type { CodeRun, CodeToRun, ForwardedRun, RunForwarder } from './forwarded-runs.ts'
import { createWorkbenchHost, type MountSizes, type WorkbenchHostDeps } from './host.ts'
import { digestOf, type SandboxLease } from './lease.ts'

/** Counts the time in which code runs. */
export interface SandboxMeter {
  /** @throws ApiError if a budget has no seconds left */
  requireRemaining(scope: SessionScope): Promise<void>
  record(scope: SessionScope, seconds: number): Promise<void>
}

export interface WorkbenchDeps extends WorkbenchHostDeps {
  meter: SandboxMeter
  sandboxes: Sandboxes
  lease: SandboxLease
  forwarder: RunForwarder
  /** Time of one run. */
  timeoutMs: number
  brand: string
}

type FinishedRun = Exclude<CodeRun, { problem: string }>

const LEASE_GRACE_MS = 60_000
const MOUNT_PAGE = 1_000
const MOUNT_FILES_MAX = 20_000
const OUTPUT_CHARACTERS_MIN = 1_000
const OUTPUT_CHARACTERS_MAX = 200_000
const SUFFIX_LENGTH = 4
const RESTARTED = 'Kernel was restarted; earlier variables are gone.'

/** Runs a cell of Python. The result has the fields of the contract, 2.7. */
export const runPython = (
  deps: WorkbenchDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaToolCall,
): Promise<MetaToolOutcome> =>
  runCell(
    deps,
    scope,
    { kind: 'python', code: args['code_to_execute'] },
    args,
    call,
    ({ outcome, stderr }) => ({
      results: outcome.results,
      stdout: outcome.stdout,
      stderr,
      error: outcome.error,
      results_file_path: outcome.resultsPath,
      stdout_file_path: outcome.stdoutPath,
      stderr_file_path: outcome.stderrPath,
    }),
  )

/** Runs bash commands. The result has the fields of the contract, 2.6. */
export const runBash = (
  deps: WorkbenchDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaToolCall,
): Promise<MetaToolOutcome> =>
  runCell(deps, scope, { kind: 'bash', code: args['command'] }, args, call, ({ outcome, stderr }) => ({
    stdout: outcome.stdout,
    stdoutLines: outcome.stdoutLines,
    stderr,
    stderrLines: outcome.stderrLines,
    stdout_file_path: outcome.stdoutPath,
    stderr_file_path: outcome.stderrPath,
    exit_code: outcome.exitCode,
  }))

/** Runs code in the sandbox of the session. `presentRun` returns the fields of the result that the tool has. */
async function runCell(
  deps: WorkbenchDeps,
  scope: SessionScope,
  { kind, code }: { kind: CodeToRun['kind']; code: unknown },
  args: Record<string, unknown>,
  { logId, signal }: MetaToolCall,
  presentRun: (run: FinishedRun) => Record<string, unknown>,
): Promise<MetaToolOutcome> {
  const session = readConversation(args['session_id'])
  const run = await runCode(deps, scope, { kind, code: code as string, logId }, signal)
  if ('problem' in run) return { data: { session }, error: run.problem }
  return {
    data: { ...presentRun(run), sandbox_id_suffix: run.suffix, session },
    error: run.outcome.error || null,
  }
}

/** Text of the output of a recipe, with the results of its steps. */
const RECIPE_OUTPUT_CHARACTERS = 5_000_000

/** Runs the code of a recipe. Its output is JSON, so it is not cut like that of a cell. */
export async function runRecipeCode(
  deps: WorkbenchDeps,
  scope: SessionScope,
  code: string,
  call: Pick<MetaToolCall, 'signal' | 'logId'>,
): Promise<{ results: string; error: string } | { problem: string }> {
  const run = await runCode(
    deps,
    scope,
    { kind: 'python', code, logId: call.logId, outputCharacters: RECIPE_OUTPUT_CHARACTERS },
    call.signal,
  )
  return 'problem' in run ? run : run.outcome
}

/**
 * Runs code in the sandbox of the session. It is not aborted when the client disconnects: clients repeat a request
 * after a minute, and the repeated one gets the result of this run.
 */
async function runCode(
  deps: WorkbenchDeps,
  scope: SessionScope,
  run: CodeToRun,
  signal: AbortSignal,
): Promise<CodeRun> {
  const { sandboxes, forwarder, timeoutMs, meter } = deps
  await meter.requireRemaining(scope)
  // Code of projects that store no payloads is not written to the database, so their sessions move.
  const isForwarded = !sandboxes.has(scope.sessionId) && scope.caller.settings.storePayloads
  const forwarded = isForwarded && (await forwarder.forward(scope, run, timeoutMs + LEASE_GRACE_MS))
  return forwarded || runHere(deps, scope, run, signal)
}

/** Runs code for another server, if this one has the sandbox of the session. */
export async function runForwarded(
  deps: WorkbenchDeps,
  run: ForwardedRun,
  openScope: () => Promise<SessionScope>,
): Promise<CodeRun | undefined> {
  if (!deps.sandboxes.has(run.sessionId)) return undefined
  try {
    // The caller waits until the run has ended, also after its client has disconnected.
    return await runHere(deps, await openScope(), run, new AbortController().signal)
  } catch (error) {
    return { problem: describeError(error) }
  }
}

async function runHere(
  deps: WorkbenchDeps,
  scope: SessionScope,
  { kind, code, logId, outputCharacters }: CodeToRun,
  signal: AbortSignal,
): Promise<CodeRun> {
  const { sandboxes, lease, timeoutMs, brand, meter } = deps
  const { projectId, sessionId, config } = scope
  const { auto_offload_threshold: threshold, sandbox_size: size } = config.workbench
  const key = { projectId, sessionId, digest: digestOf(kind, code) }
  const claim = await lease.claim(key, timeoutMs + LEASE_GRACE_MS, signal)
  if (claim.kind === 'attached') {
    const { outcome, sandboxId: id } = claim
    return { outcome, suffix: id.slice(-SUFFIX_LENGTH), stderr: outcome.stderr }
  }
  if (claim.kind === 'busy')
    return { problem: 'Another server runs code of this session. Try again when it has finished.' }
  // What this process has is older than the run on the other server.
  if (claim.isMoved) sandboxes.stop(sessionId, 'the session moved to another server')
  const sizes: MountSizes = new Map()
  let sandboxId = claim.sandboxId
  const startedAt = performance.now()
  let stored: SandboxOutcome | undefined
  try {
    const result = await sandboxes.run({
      session: sessionId,
      size,
      run: {
        kind,
        code,
        timeoutMs,
        brand,
        outputCharacters:
          outputCharacters ?? Math.min(Math.max(threshold, OUTPUT_CHARACTERS_MIN), OUTPUT_CHARACTERS_MAX),
      },
      host: createWorkbenchHost(deps, scope, logId, sizes),
      listMount: () => listMount(deps, scope, sizes),
    })
    sandboxId = result.sandboxId || sandboxId
    const isRestarted = result.isNew && claim.sandboxId !== '' && claim.sandboxId !== result.sandboxId
    const { outcome } = result
    if (scope.caller.settings.storePayloads) stored = outcome
    return {
      outcome,
      suffix: sandboxId.slice(-SUFFIX_LENGTH),
      stderr: isRestarted ? [RESTARTED, outcome.stderr].filter(Boolean).join('\n') : outcome.stderr,
    }
  } catch (error) {
    if (error instanceof SandboxBusy) return { problem: error.message }
    throw error
  } finally {
    await lease.release(key, sandboxId, stored)
    await meter.record(scope, (performance.now() - startedAt) / 1_000)
  }
}

/** Lists the whole mount. */
async function listMount(
  { mounts }: WorkbenchDeps,
  { projectId, sessionId }: SessionScope,
  sizes: MountSizes,
): Promise<MountEntry[]> {
  const entries: MountEntry[] = []
  for (let after = ''; entries.length < MOUNT_FILES_MAX;) {
    const page = await mounts.list(projectId, sessionId, { prefix: '', after, limit: MOUNT_PAGE })
    for (const { id, mount_path: path, size } of page) {
      entries.push({ path, size, version: id })
      sizes.set(path, size)
    }
    if (page.length < MOUNT_PAGE) break
    after = page.at(-1)!.mount_path
  }
  return entries
}

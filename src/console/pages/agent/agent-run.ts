import type { PlaygroundMessage } from '../../../contract/playground.ts'
import { ApiFailure, callApi } from '../../api/index.ts'

export interface AgentTool {
  slug: string
  description: string
  input_parameters: Record<string, unknown>
}

export interface CallEntry {
  kind: 'call'
  id: string
  name: string
  args: Record<string, unknown>
  status: 'running' | 'waiting' | 'done' | 'failed'
  result?: unknown
  /** Approvals that a person decides before the call continues. */
  approvals: readonly PendingApproval[]
}

/** What the conversation shows. */
export type Entry = { kind: 'text'; id: string; role: 'user' | 'assistant'; text: string } | CallEntry

export interface PendingApproval {
  id: string
  tool_slug: string
  reason: string | null
}

interface Outcome {
  data: unknown
  error: string | null
}

export interface AgentRun {
  sessionId: string
  tools: readonly AgentTool[]
  /** The conversation for the model, which the run extends. */
  messages: PlaygroundMessage[]
  signal: AbortSignal
  onEntry(entry: Entry): void
  /** Waits until a person has decided the approvals of a call. */
  waitForDecision(callId: string): Promise<void>
}

const STEPS_MAX = 25
const DECISIONS_MAX = 5
const RESULT_CHARACTERS_MAX = 60_000
const DEPTH_MAX = 12
const APPROVALS_MAX = 10

/**
 * Continues the conversation until the model makes no more calls. The tools run in the session, as those of any agent.
 * @throws ApiFailure if the model cannot be used, or makes too many calls
 */
export async function runAgent(run: AgentRun): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const { message } = await callApi<{ message: PlaygroundMessage }>(
      {
        method: 'POST',
        path: '/playground/chat',
        body: { messages: run.messages, tools: run.tools.map(toFunction) },
      },
      run.signal,
    )
    run.messages.push(message)
    if (message.content)
      run.onEntry({ kind: 'text', id: crypto.randomUUID(), role: 'assistant', text: message.content })
    const calls = message.tool_calls ?? []
    if (calls.length === 0) return
    for (const call of calls)
      run.messages.push({ role: 'tool', tool_call_id: call.id, content: await runCall(run, call.function) })
  }
  throw new ApiFailure(`The agent made ${STEPS_MAX} steps without an end.`, {
    fix: 'Send another message to let it continue, or clear the conversation.',
  })
}

const toFunction = ({ slug, description, input_parameters: parameters }: AgentTool) => ({
  type: 'function',
  function: { name: slug, description, parameters },
})

/** Runs one call, and returns its result as the model reads it. */
async function runCall(run: AgentRun, { name, arguments: text }: { name: string; arguments: string }) {
  const id = crypto.randomUUID()
  const args = parseArguments(text)
  const entry: CallEntry = { kind: 'call', id, name, args: args ?? {}, status: 'running', approvals: [] }
  run.onEntry(entry)
  if (!args) return finish(run, entry, { data: null, error: 'The arguments are not a JSON object.' })
  for (let decision = 0; ; decision++) {
    const outcome = await execute(run, name, args)
    const approvals = findApprovals(outcome.data)
    if (approvals.length === 0 || decision === DECISIONS_MAX) return finish(run, entry, outcome)
    run.onEntry({ ...entry, status: 'waiting', approvals })
    await run.waitForDecision(id)
    run.onEntry(entry)
  }
}

function finish(run: AgentRun, entry: CallEntry, outcome: Outcome): string {
  run.onEntry({ ...entry, status: outcome.error === null ? 'done' : 'failed', result: outcome })
  return JSON.stringify(outcome).slice(0, RESULT_CHARACTERS_MAX)
}

/** A failure of the call is a result, which the model can react to. */
async function execute({ sessionId, signal }: AgentRun, slug: string, args: object): Promise<Outcome> {
  try {
    const { data, error } = await callApi<Outcome>(
      {
        method: 'POST',
        path: `/tool_router/session/${sessionId}/execute`,
        body: { tool_slug: slug, arguments: args },
      },
      signal,
    )
    return { data, error }
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiFailure) || error.status === 0) throw error
    return { data: null, error: `${error.message} ${error.fix}`.trim() }
  }
}

function parseArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Finds the pending approvals in a result: of the call itself, or of calls of a batch. */
export function findApprovals(value: unknown, depth = 0): PendingApproval[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return []
  const { approval } = value as { approval?: { id?: unknown; status?: unknown } }
  if (approval && typeof approval.id === 'string' && approval.status === 'pending')
    return [approval as PendingApproval]
  return Object.values(value)
    .flatMap((member) => findApprovals(member, depth + 1))
    .slice(0, APPROVALS_MAX)
}

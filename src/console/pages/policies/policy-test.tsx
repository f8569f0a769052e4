import { useQuery } from '@tanstack/react-query'
import type { ToolExecutionLog } from '../../../contract/logs/index.ts'
import type { checkPolicies } from '../../../contract/policies/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { type ApiFailure, callApi, currentProject, useStore } from '../../api/index.ts'
import { DateTime, Loaded, StatusBadge } from '../../components/index.ts'
import type { LogEntry } from '../logs/use-logs.ts'

/** Each call needs two requests, so few are tested, and some at a time. */
const CALLS_MAX = 40
const AT_ONCE = 5

interface Tested {
  call: LogEntry
  decision: ReplyOf<typeof checkPolicies>
  /** Whether the decision considers the arguments: a project may not store them. */
  hasArguments: boolean
}

/** Asks what today's policies decide about the latest calls. Nothing is executed. */
async function testPastCalls(signal: AbortSignal): Promise<Tested[]> {
  const { logs } = await callApi<{ logs: LogEntry[] }>(
    { method: 'POST', path: '/logs/tool_execution', body: { limit: CALLS_MAX } },
    signal,
  )
  const results: Tested[] = []
  for (let start = 0; start < logs.length; start += AT_ONCE) {
    const tested = await Promise.all(
      logs.slice(start, start + AT_ONCE).map((call) => testCall(call, signal).catch(ignoreMissingTool)),
    )
    results.push(...tested.filter((one) => one !== undefined))
  }
  return results
}

async function testCall(call: LogEntry, signal: AbortSignal): Promise<Tested> {
  const log = await callApi<ToolExecutionLog>({ path: `/logs/tool_execution/${call.id}` }, signal)
  const sent = (log.data.request as { arguments?: object } | undefined)?.arguments
  const { tool_slug, user_id, connected_account_id } = call.metadata
  const decision = await callApi<Tested['decision']>(
    {
      method: 'POST',
      path: '/policies/check',
      body: {
        tool_slug,
        ...(user_id && { user_id }),
        ...(connected_account_id && { connected_account_id }),
        ...(sent && { arguments: sent }),
      },
    },
    signal,
  )
  return { call, decision, hasArguments: sent !== undefined }
}

/** A tool of the past may not exist any more. @throws every other error */
function ignoreMissingTool(error: unknown): undefined {
  if ((error as ApiFailure).status !== 404) throw error
}

const OUTCOMES = {
  allow: ['OK', 'Allowed'],
  ask: ['PENDING', 'A person decides'],
  deny: ['DENIED', 'Denied'],
} as const

/** What the policies would have done to the latest calls. */
export function PolicyTest() {
  const project = useStore(currentProject)
  const test = useQuery<Tested[], ApiFailure>({
    queryKey: [project ?? '', 'policies', 'past calls'],
    queryFn: ({ signal }) => testPastCalls(signal),
    staleTime: 0,
  })
  return (
    <Loaded query={test} lines={8}>
      {(results) => {
        const stopped = results.filter(({ decision }) => decision.outcome !== 'allow')
        return (
          <>
            <p role="status">
              {results.length === 0
                ? 'There are no executions to test with yet.'
                : `The policies would have stopped ${stopped.length} of the latest ${results.length} calls.`}
            </p>
            <ul className="timeline">
              {results.map((result) => (
                <TestedCall key={result.call.id} {...result} />
              ))}
            </ul>
          </>
        )
      }}
    </Loaded>
  )
}

function TestedCall({ call, decision, hasArguments }: Tested) {
  const [status, label] = OUTCOMES[decision.outcome]
  return (
    <li className={decision.outcome === 'deny' ? 'bad' : ''}>
      <div className="row">
        <StatusBadge status={status} label={label} />
        <code>{call.metadata.tool_slug}</code>
        <span className="hint">
          {call.metadata.user_id} <DateTime value={call.timestamp} />
        </span>
      </div>
      {decision.policies.length > 0 && (
        <p className="hint">{decision.policies.map(({ name }) => name).join(', ')}</p>
      )}
      {!hasArguments && decision.policies.some(({ certain }) => !certain) && (
        <p className="hint">The arguments of this call are not stored, so the decision may differ.</p>
      )}
    </li>
  )
}

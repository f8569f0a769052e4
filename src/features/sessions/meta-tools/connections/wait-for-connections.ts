import type { Clock, Wait } from '../../../../platform/clock.ts'
import type { MetaToolCall, MetaToolOutcome } from '../meta-tool.ts'
import type { SessionScope } from '../../scope/scope.ts'
import { readConversation } from '../conversation-id.ts'

export interface WaitForConnectionsDeps {
  clock: Clock
  wait: Wait
}

/** The limit of the contract (2.4). Clients time out after a minute. */
const WAIT_MS = 45_000
const CHECK_INTERVAL_MS = 1_000
const PENDING = 'INITIATED'

interface WaitStatus {
  toolkit: string
  status: 'ACTIVE' | 'INITIATED' | 'FAILED' | 'NOT_FOUND'
  connected_account_id?: string
}

/**
 * Waits until toolkits are connected, waiting cannot help, or 45 seconds have passed, and returns the status of each. A
 * timeout is not an error.
 */
export async function waitForConnections(
  { clock, wait }: WaitForConnectionsDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  { signal }: MetaToolCall,
): Promise<MetaToolOutcome> {
  const toolkits = [
    ...new Set((args['toolkits'] as string[]).map((slug) => slug.toLowerCase().slice(0, 100))),
  ]
  const isAny = args['mode'] === 'any'
  const deadline = clock.now() + WAIT_MS
  for (;;) {
    const results = await readStatuses(scope, toolkits)
    const pending = results.filter(({ status }) => status === PENDING)
    const isDone = !pending.length || (isAny && results.some(({ status }) => status === 'ACTIVE'))
    if (isDone || clock.now() >= deadline)
      return {
        data: {
          message: statusMessage(results, isDone),
          results: Object.fromEntries(results.map((one) => [one.toolkit, one])),
          session: readConversation(args['session_id']),
        },
        error: null,
      }
    await wait(CHECK_INTERVAL_MS, signal)
  }
}

async function readStatuses(scope: SessionScope, toolkits: readonly string[]): Promise<WaitStatus[]> {
  const visible = toolkits.filter((slug) => scope.toolkit(slug))
  const connections = await scope.connections(visible)
  return toolkits.map((toolkit): WaitStatus => {
    const found = connections.get(toolkit)
    if (!found) return { toolkit, status: 'NOT_FOUND' }
    if (scope.toolkit(toolkit)?.noAuth) return { toolkit, status: 'ACTIVE' }
    const [active] = found.active
    if (active) return { toolkit, status: 'ACTIVE', connected_account_id: active.id }
    const pending = found.others.find(({ status }) => status === PENDING || status === 'INITIALIZING')
    if (pending) return { toolkit, status: PENDING, connected_account_id: pending.id }
    const [other] = found.others
    return other
      ? { toolkit, status: 'FAILED', connected_account_id: other.id }
      : { toolkit, status: 'NOT_FOUND' }
  })
}

function statusMessage(results: readonly WaitStatus[], isDone: boolean): string {
  const toolkitsWith = (status: WaitStatus['status']) =>
    results
      .filter((one) => one.status === status)
      .map(({ toolkit }) => toolkit)
      .join(', ')
  if (!isDone)
    return `Still waiting for the user: ${toolkitsWith(PENDING)}. Call this again, or continue with another task.`
  if (results.every(({ status }) => status === 'ACTIVE')) return 'All connected'
  return [
    ['Connected', toolkitsWith('ACTIVE')],
    ['Waiting for the user', toolkitsWith(PENDING)],
    ['Failed. Request a new link', toolkitsWith('FAILED')],
    ['Not started. Request a link', toolkitsWith('NOT_FOUND')],
  ]
    .filter(([, list]) => list)
    .map(([what, list]) => `${what}: ${list}`)
    .join('. ')
}

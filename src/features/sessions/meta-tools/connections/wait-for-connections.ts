import type { Clock, Wait } from '../../../../platform/clock.ts'
import type { MetaCall, MetaOutcome, SessionScope } from '../../index.ts'
import { conversation } from '../conversation-id.ts'

export interface WaitDeps {
  clock: Clock
  wait: Wait
}

/** The contract's (2.4): clients give up after a minute, and then begin anew. */
const WAIT_MS = 45_000
const EVERY_MS = 1_000
const OPEN = 'INITIATED'

interface Told {
  toolkit: string
  status: 'ACTIVE' | 'INITIATED' | 'FAILED' | 'NOT_FOUND'
  connected_account_id?: string
}

/** Waits until toolkits are connected, or no wait can help, or 45 seconds have passed; then tells how each stands. Running out of time is no error. */
export async function waitForConnections(
  { clock, wait }: WaitDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  { signal }: MetaCall,
): Promise<MetaOutcome> {
  const toolkits = [
    ...new Set((args['toolkits'] as string[]).map((slug) => slug.toLowerCase().slice(0, 100))),
  ]
  const isAny = args['mode'] === 'any'
  const until = clock.now() + WAIT_MS
  for (;;) {
    const told = await statuses(scope, toolkits)
    const open = told.filter(({ status }) => status === OPEN)
    const isDone = !open.length || (isAny && told.some(({ status }) => status === 'ACTIVE'))
    if (isDone || clock.now() >= until)
      return {
        data: {
          message: messageOf(told, isDone),
          results: Object.fromEntries(told.map((one) => [one.toolkit, one])),
          session: conversation(args['session_id']),
        },
        error: null,
      }
    await wait(EVERY_MS, signal)
  }
}

async function statuses(scope: SessionScope, toolkits: readonly string[]): Promise<Told[]> {
  const shown = toolkits.filter((slug) => scope.toolkit(slug))
  const connections = await scope.connections(shown)
  return toolkits.map((toolkit): Told => {
    const found = connections.get(toolkit)
    if (!found) return { toolkit, status: 'NOT_FOUND' }
    if (scope.toolkit(toolkit)?.noAuth) return { toolkit, status: 'ACTIVE' }
    const [active] = found.active
    if (active) return { toolkit, status: 'ACTIVE', connected_account_id: active.id }
    const pending = found.others.find(({ status }) => status === OPEN || status === 'INITIALIZING')
    if (pending) return { toolkit, status: OPEN, connected_account_id: pending.id }
    const [other] = found.others
    return other
      ? { toolkit, status: 'FAILED', connected_account_id: other.id }
      : { toolkit, status: 'NOT_FOUND' }
  })
}

function messageOf(told: readonly Told[], isDone: boolean): string {
  const of = (status: Told['status']) =>
    told
      .filter((one) => one.status === status)
      .map(({ toolkit }) => toolkit)
      .join(', ')
  if (!isDone)
    return `Still waiting for the user: ${of(OPEN)}. Call this again, or go on with something else.`
  if (told.every(({ status }) => status === 'ACTIVE')) return 'All connected'
  return [
    ['Connected', of('ACTIVE')],
    ['Waiting for the user', of(OPEN)],
    ['Failed; ask for a new link', of('FAILED')],
    ['Never begun; ask for a link', of('NOT_FOUND')],
  ]
    .filter(([, list]) => list)
    .map(([what, list]) => `${what}: ${list}`)
    .join('. ')
}

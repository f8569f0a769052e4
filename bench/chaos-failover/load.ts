import { setTimeout as wait } from 'node:timers/promises'
import type { Application } from '../chaos-events/application.ts'
import type { Feeds } from '../chaos-events/set-up.ts'
import { SLUG, toolkitFiles } from '../chaos-events/toolkit.ts'
import { TOOL } from '../chaos-refresh/program.ts'
import type { CallerKind } from './callers.ts'
import { emitterOf } from '../chaos-events/trouble.ts'

const TICK_MS = 100
const API = '/api/v3.1'
const WRITE_TOOL = 'SAMPLE_CREATE_ITEM'

/** The files of the sample application, with a tool that changes something. */
export function sampleFiles(url: string): Record<string, object> {
  const files = toolkitFiles(url)
  const { tools } = files['tools.json'] as { tools: object[] }
  const create = {
    slug: WRITE_TOOL,
    name: 'Create an item',
    description: 'Creates an item with a number.',
    effect: 'create',
    input: { type: 'object', properties: { n: { type: 'integer', description: 'Its number.' } } },
    output: { type: 'object', properties: {} },
    request: { method: 'POST', path: '/created', body: { n: { $: 'n' } } },
  }
  return { ...files, 'tools.json': { tools: [...tools, create] } }
}

const logIdOf = (reply: Record<string, unknown>): string | undefined =>
  reply['successful'] === true ? String(reply['log_id']) : undefined

/** Writes, calls that read with tokens of a few seconds, and calls that change something. */
export const callerKinds = (users: readonly string[], callers: number): CallerKind[] => [
  {
    name: 'write',
    callers: Math.ceil(callers / 4),
    pauseMs: 50,
    path: `${API}/auth_configs`,
    body: (n) => ({
      toolkit: { slug: SLUG },
      auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', name: `write ${n}`, credentials: {} },
    }),
    idOf: (reply) => (reply['auth_config'] as { id: string } | undefined)?.id,
  },
  {
    name: 'execution with a token refresh',
    callers,
    pauseMs: 200,
    path: `${API}/tools/execute/${TOOL}`,
    body: (n) => ({ user_id: users[n % users.length], arguments: {} }),
    idOf: logIdOf,
  },
  {
    name: 'execution that changes something',
    callers: Math.ceil(callers / 2),
    pauseMs: 100,
    path: `${API}/tools/execute/${WRITE_TOOL}`,
    body: (n) => ({ user_id: 'u-17', arguments: { n } }),
    idOf: logIdOf,
  },
]

/** Adds and sends items of all feeds in turn, so many a second, until the signal fires. */
export async function emitUntil(
  application: Application,
  feeds: Feeds,
  perSecond: number,
  signal: AbortSignal,
): Promise<void> {
  const emitNext = emitterOf(application, feeds)
  const startedAt = performance.now()
  for (let done = 0; !signal.aborted; await wait(TICK_MS)) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond)
    for (; done < due; done++) emitNext()
  }
}

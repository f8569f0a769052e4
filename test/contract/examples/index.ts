import assert from 'node:assert/strict'
import type { Raw } from '../send.ts'
import type { World } from '../world.ts'
import { CONNECTED_ACCOUNTS_EXAMPLES } from './connected-accounts.ts'
import { CONTROLS_EXAMPLES } from './controls.ts'
import { LOGS_EXAMPLES } from './logs.ts'
import { MCP_SERVERS_EXAMPLES } from './mcp-servers.ts'
import { ORGANIZATION_EXAMPLES } from './organization.ts'
import { SESSIONS_EXAMPLES } from './sessions.ts'
import { TOOLKITS_EXAMPLES } from './toolkits.ts'
import { TRIGGERS_EXAMPLES } from './triggers.ts'
import { WEBHOOKS_EXAMPLES } from './webhooks.ts'
import type { Example } from './samples.ts'

export type { Example } from './samples.ts'

/** One realistic call of every operation that is built; it succeeds, and may be made again. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...CONNECTED_ACCOUNTS_EXAMPLES,
  ...CONTROLS_EXAMPLES,
  ...LOGS_EXAMPLES,
  ...MCP_SERVERS_EXAMPLES,
  ...ORGANIZATION_EXAMPLES,
  ...SESSIONS_EXAMPLES,
  ...TOOLKITS_EXAMPLES,
  ...TRIGGERS_EXAMPLES,
  ...WEBHOOKS_EXAMPLES,
}

/** The example of an operation. @throws when it has none: a new operation has to be given one. */
export function exampleOf(id: string, world: World): Promise<Raw> {
  const example = EXAMPLES[id]
  assert.ok(example, `${id} is built but has no call in test/contract/examples/`)
  return Promise.resolve(example(world))
}

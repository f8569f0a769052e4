// Objects that examples of several areas need.
import { createConnectedAccount } from '../../../src/contract/connected-accounts/index.ts'
import { createSession } from '../../../src/contract/sessions/index.ts'
import { executeTool } from '../../../src/contract/tools/index.ts'
import { upsertTrigger } from '../../../src/contract/triggers/index.ts'
import { sql, values } from '../../../src/platform/db/sql.ts'
import type { Raw } from '../send.ts'
import { unique, type World } from '../world.ts'

export type Example = (world: World) => Raw | Promise<Raw>

export const executed = async ({ own }: World): Promise<string> =>
  (
    await own.call(executeTool, {
      params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' },
      body: { user_id: 'user-1', arguments: { timezone: 'UTC' } },
    })
  ).body.log_id

export async function approval({
  app: { db },
  own,
  encryptor,
}: World): Promise<{ params: { approval_id: string } }> {
  const id = `apr_${unique()}`
  await db.run(
    sql`insert into approvals ${values({
      id,
      project_id: own.project,
      tool_slug: 'SHOP_REFUND',
      toolkit_slug: 'shop',
      version: '20261121_00',
      policy_ids: [],
      choices: ['allow_once', 'deny'],
      seconds: 600,
      log_id: 'log_1',
      binding: Buffer.from(id),
      encrypted_payload: encryptor.encryptWithRing({ amount: 500 }, `approvals:${id}:encrypted_payload`),
      expires_at: sql`now() + interval '10 minutes'`,
    })}`,
  )
  return { params: { approval_id: id } }
}

export const session = async ({ own }: World, more: object = {}): Promise<string> =>
  (
    await own.call(createSession, {
      body: { user_id: 'user-1', toolkits: { enable: ['utilities', 'nodered'] }, ...more },
    })
  ).body.session_id

/** A trigger type that polls, with an account of its own at an application that answers. */
export async function triggerOf({ own, application }: World): Promise<Raw> {
  const state = { authScheme: 'BEARER_TOKEN', val: { token: 'secret', server_url: application.url } }
  const { body } = await own.call(createConnectedAccount, {
    body: {
      auth_config: { id: own.authConfig },
      connection: { user_id: `user-${unique()}`, state } as never,
    },
  })
  return {
    params: { slug: 'NODERED_FLOW_ADDED' },
    body: {
      connected_account_id: body.id,
      trigger_config: { interval: 15 },
      toolkit_versions: { nodered: 'latest' },
    },
  }
}

export const trigger = async (w: World): Promise<string> =>
  (await w.own.call(upsertTrigger, (await triggerOf(w)) as never)).body.trigger_id

import assert from 'node:assert/strict'
import { createWebhook } from '../../src/contract/webhooks/index.ts'
import { createSession, updateSession } from '../../src/contract/sessions/index.ts'
import { sql, values } from '../../src/platform/db/sql.ts'
import type { World } from './world.ts'

/** Adds four rows to each list. @param set part of their ids and names */
export async function insertRows(w: World, set = 'a'): Promise<void> {
  await createByApi(w, set)
  await insertControls(w, set)
  await insertTriggersAndGrants(w, set)
}

async function createByApi(w: World, set: string): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await w.account()
    await w.call(createSession, { body: { user_id: `user-${i}` } })
    await w.project()
    await w.call(updateSession, {
      params: { session_id: w.own.session },
      body: {
        preload: {
          tools: [
            'GITHUB_GET_AN_ISSUE',
            'GMAIL_SEND_EMAIL',
            'GMAIL_FETCH_EMAILS',
            'UTILITIES_GET_CURRENT_TIME',
          ],
        },
      },
    })
    assert.equal(
      (
        await w.call(createWebhook, {
          body: {
            webhook_url: `https://hooks.example.com/${set}${i}`,
            enabled_events: ['service.connected_account.expired'],
          },
        })
      ).status,
      201,
    )
  }
}

async function insertControls(w: World, set: string): Promise<void> {
  await w.app.db.run(sql`
    insert into files (id, project_id, kind, object_key, toolkit_slug, tool_slug, filename, mimetype, md5,
      uploaded_at, expires_at)
    select ${`file_${set}`} || i, ${w.keys.projectId}, 'result', ${set} || i, 'a', 'A_B', ${`file-${set}`} || i,
      'text/plain', 'x', now(), now() + interval '1 hour' from generate_series(1, 4) i`)
  await w.app.db.run(
    sql`insert into events (id, project_id, type, data)
        select ${`evt_${set}`} || i, ${w.keys.projectId}, 'connected_account.expired', '{}'
        from generate_series(1, 4) i`,
  )
  const projectId = w.keys.projectId
  await w.app.db.run(
    sql`insert into policies (id, project_id, name, outcome, enabled, fallback, covers_proxy,
        approval_seconds, approval_link, conditions)
        select ${`pol_${set}`} || i, ${projectId}, 'n', 'ask', false, false, true, 60, true, '{}'
        from generate_series(1, 4) i`,
  )
  await w.app.db.run(
    sql`insert into budgets (id, project_id, name, metric, scope, period, amount)
        select ${`bdg_${set}`} || i, ${projectId}, 'n', 'calls', 'project', 'day', 1 from generate_series(1, 4) i`,
  )
  await w.app.db.run(
    sql`insert into incidents (id, organization_id, user_id)
        select ${`inc_${set}`} || i, organization_id, 'u' from projects, generate_series(1, 4) i
        where id = ${projectId}`,
  )
}

async function insertTriggersAndGrants(w: World, set: string): Promise<void> {
  const projectId = w.keys.projectId
  await w.app.db.run(
    sql`insert into saved_session_configs (id, project_id, name, config)
        select ${`sc_${set}`} || i, ${projectId}, ${`n${set}`} || i, '{}' from generate_series(1, 4) i`,
  )
  await w.app.db.run(sql`
    insert into recipes (id, project_id, user_id, slug, name, description, version)
    select ${`rcp_${set}`} || i, ${projectId}, 'u', ${`R_${set}`} || i, 'n', '', 1 from generate_series(1, 4) i`)
  for (const number of [1, 2, 3, 4]) await insertMemory(w, `mem_${set}${number}`)
  await w.app.db.run(
    sql`insert into approvals (id, project_id, status, tool_slug, toolkit_slug, version, policy_ids,
        choices, seconds, log_id, expires_at) select ${`apr_${set}`} || i, ${projectId}, 'used', 'T', 't', 'v',
        '{}', '{deny}', 60, 'l', now() from generate_series(1, 4) i`,
  )
  await w.app.db.run(
    sql`insert into approval_decisions (id, project_id, event, policy_ids, tool_slug)
        select ${`dec_${set}`} || i, ${projectId}, 'refused', '{}', 'T' from generate_series(1, 4) i`,
  )
  await w.app.db.run(
    sql`insert into trigger_instances (id, project_id, connected_account_id, toolkit_slug, trigger_slug,
        version, config, config_hash) select ${`ti_${set}`} || i, ${projectId}, ${w.own.account}, 'nodered',
        'NODERED_FLOW_ADDED', 'latest', '{}', ${set} || i from generate_series(1, 4) i`,
  )
  await w.app.db.run(
    sql`insert into mcp_grants (id, project_id, resource_kind, resource_id, user_id, client_id)
        select ${`mcg_${set}`} || i, ${projectId}, 'mcp_server', 's', 'u', 'c' from generate_series(1, 4) i`,
  )
}

async function insertMemory({ app, keys, encryptor }: World, id: string): Promise<void> {
  const encrypted_payload = encryptor.encryptWithRing([], `user_memories:${id}:encrypted_payload`)
  const row = { id, project_id: keys.projectId, user_id: 'u', toolkit: id, encrypted_payload }
  await app.db.run(sql`insert into user_memories ${values(row)}`)
}

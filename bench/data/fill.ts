import pg from 'pg'
import { rollUpNextHour } from '../../src/features/logs/rollups/roll-up.ts'
import { rollUpNextDay } from '../../src/features/logs/rollups/roll-up-days.ts'
import { createDataKeyStore } from '../../src/features/projects/index.ts'
import { createEncryptor, parseKeyRing, type ProjectEncryptor } from '../../src/platform/crypto/index.ts'
import { connect } from '../../src/platform/db/pool.ts'
import {
  createPartitions,
  GROUPS,
  listPeriods,
  type PartitionGroup,
} from '../../src/platform/db/partitions/index.ts'
import { type Pool, sql } from '../../src/platform/db/sql.ts'
import { portions, type Progress, withoutIndexes } from './fill-table.ts'

/** How many rows of each kind a project has. */
export interface Amounts {
  executions: number
  events: number
  accounts: number
  triggers: number
}

/** What the rows refer to: made through the API, so that they have all that the product writes. */
export interface Anchors {
  projectId: string
  authConfigId: string
  subscriptionId: string
}

export const DAYS = 30
const ROWS_PER_INSERT = 100_000
const ACCOUNTS_PER_INSERT = 5_000
const DAY_MS = 86_400_000
const PARTITION_DAYS = 7
/** Arguments and result of a small call, encrypted. */
const LOG_PAYLOAD_BYTES = 400
const EVENT_PAYLOAD_BYTES = 400

/** Id of the n-th account, whose user is `user-<n mod 50,000>`. */
export const accountId = (n: number): string => `ca_${String(n).padStart(12, '0')}`

/** Fills the tables of one project that grow with use. The rows are spread evenly over the days. */
export async function fill(
  databaseUrl: string,
  encryptionKeys: string,
  anchors: Anchors,
  amounts: Amounts,
  progress: Progress,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('set synchronous_commit = off')
  const db = connect(databaseUrl, { max: 1 })
  const encryptor = await createEncryptor(parseKeyRing(encryptionKeys))
    .withStore(createDataKeyStore(db))
    .ofProject(anchors.projectId)
  for (const group of Object.keys(GROUPS) as PartitionGroup[]) await createPastPartitions(db, group)
  await fillAccounts(client, anchors, amounts, encryptor, progress)
  await fillTriggers(client, anchors, amounts, progress)
  await fillEvents(client, anchors, amounts, progress)
  await withoutIndexes(client, 'tool_executions', progress, () =>
    fillExecutions(client, anchors, amounts, progress),
  )
  progress('vacuum')
  await client.query('vacuum analyze')
  // The server has rolled up the hours before these rows existed.
  await client.query('delete from usage_hours; delete from usage_days; delete from usage_progress')
  await client.end()
  await db.close()
  await rollUp(databaseUrl, progress)
}

/** Creates the partitions that a server would have created in these days. */
async function createPastPartitions(db: Pool, group: PartitionGroup): Promise<void> {
  for (;;) {
    const oldest = (await listPeriods(db, group))[0]!.from
    if (oldest < Date.now() - (DAYS + 1) * DAY_MS) return
    await db.begin((tx) =>
      createPartitions(tx, group, { from: oldest - PARTITION_DAYS * DAY_MS, to: oldest }),
    )
  }
}

async function fillAccounts(
  client: pg.Client,
  { projectId, authConfigId }: Anchors,
  { accounts }: Amounts,
  encryptor: ProjectEncryptor,
  progress: Progress,
): Promise<void> {
  for (const [first, last] of portions(accounts, ACCOUNTS_PER_INSERT)) {
    const ids = Array.from({ length: last - first + 1 }, (_, at) => accountId(first + at))
    const credentials = ids.map((id) =>
      encryptor.encrypt({ token: `token-of-${id}` }, `connected_accounts:${id}:val`),
    )
    await client.query(
      `insert into connected_accounts (id, word_id, project_id, user_id, auth_config_id, toolkit_slug, auth_scheme,
         status, credentials, connected_at, created_at)
       select id, 'github_' || id, $3, 'user-' || n % 50000, $4, 'github', 'BEARER_TOKEN',
         case when n % 50 = 0 then 'EXPIRED' else 'ACTIVE' end, credentials, at, at
       from (select id, credentials, $5 + ordinality - 1 as n,
           now() - interval '${DAYS} days' * (1 - ($5 + ordinality - 1)::float8 / $6) as at
         from unnest($1::text[], $2::bytea[]) with ordinality as rows (id, credentials, ordinality)) accounts`,
      [ids, credentials, projectId, authConfigId, first, accounts],
    )
    await client.query(
      `insert into account_status_changes (project_id, connected_account_id, to_status)
       select $2, id, 'ACTIVE' from unnest($1::text[]) id`,
      [ids, projectId],
    )
    progress(`${last.toLocaleString('en')} accounts`)
  }
}

/** Disabled instances: the bench measures lists, and polls would send requests to an application. */
async function fillTriggers(
  client: pg.Client,
  { projectId }: Anchors,
  { triggers }: Amounts,
  progress: Progress,
): Promise<void> {
  await client.query(
    `insert into trigger_instances (id, project_id, connected_account_id, toolkit_slug, trigger_slug, version, config,
       config_hash, disabled_at, disabled_reason, created_at)
     select 'ti_' || lpad(n::text, 12, '0'), $1, 'ca_' || lpad((n * 10)::text, 12, '0'), 'github',
       'GITHUB_STAR_ADDED_EVENT', '20260101_00', '{}', 'hash-' || n, now(), 'bench', now() - interval '1 day'
     from generate_series(1, $2::int) n`,
    [projectId, triggers],
  )
  progress(`${triggers.toLocaleString('en')} triggers`)
}

/** Each event is delivered to one receiver; one of a thousand is dead. Each fourth event is of a trigger. */
async function fillEvents(
  client: pg.Client,
  { projectId, subscriptionId }: Anchors,
  { events, triggers }: Amounts,
  progress: Progress,
): Promise<void> {
  for (const [first, last] of portions(events, ROWS_PER_INSERT)) {
    await client.query(
      `with new_events as (
         insert into events (id, project_id, type, data, encrypted_payload, created_at)
         select 'evt_' || md5(n::text), $3, 'trigger.message', '{"trigger_id": "ti_000000000001"}',
           decode(repeat(md5(n::text), ${EVENT_PAYLOAD_BYTES / 16}), 'hex'),
           now() - interval '${DAYS} days' * (1 - n::float8 / $4)
         from generate_series($1::int, $2::int) n returning id, seq, created_at),
       deliveries as (
         insert into webhook_deliveries (id, project_id, subscription_id, event_id, event_created_at, seq, status,
           attempts, created_at, finished_at)
         select 'dlv_' || substr(id, 5), $3, $5, id, created_at, seq,
           case when seq % 1000 = 0 then 'dead' else 'delivered' end, 1, created_at, created_at
         from new_events returning id, event_created_at),
       attempts as (
         insert into webhook_attempts (delivery_id, event_created_at, project_id, number, ended_at, status, latency_ms)
         select id, event_created_at, $3, 1, event_created_at, 200, 40 from deliveries)
       insert into trigger_logs (id, project_id, instance_id, kind, event_id, created_at)
       select 'log_t' || substr(id, 6), $3, 'ti_' || lpad((1 + seq % $6)::text, 12, '0'), 'event', id, created_at
       from new_events where seq % 4 = 0`,
      [first, last, projectId, events, subscriptionId, triggers],
    )
    progress(`${last.toLocaleString('en')} events with their deliveries`)
  }
}

/**
 * 1,000 users, 200 tools, one of a thousand failed. A quarter is of sessions of one user with 50 calls, and a quarter
 * has an account. Ids begin with the time, as those of the product.
 */
async function fillExecutions(
  client: pg.Client,
  { projectId }: Anchors,
  { executions, accounts }: Amounts,
  progress: Progress,
): Promise<void> {
  for (const [first, last] of portions(executions, ROWS_PER_INSERT)) {
    await client.query(
      `insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, user_id, request_id, successful,
         status_code, duration_ms, requests, request_bytes, response_bytes, effect, session_id, connected_account_id,
         timings, payload, created_at)
       select 'log_' || to_hex(floor(epoch / 60)::bigint) || substr(digest, 1, 10), $4, 'SHOP_TOOL_' || n % 200, 'shop',
         '20260101_00', 'user-' || (case when n % 4 = 0 then n / 200 else n end * 7919::bigint) % 1000,
         '0' || to_hex(floor(epoch * 1000)::bigint) || '-7' || substr(digest, 1, 3) || '-a' ||
           substr(digest, 4, 3) || '-' || substr(digest, 7, 12),
         n % 1000 <> 0, 200, n % 500, 1, 300, 900, 'read',
         case when n % 4 = 0 then 'trs_' || n / 200 end,
         case when n % 4 = 1 then 'ca_' || lpad((1 + n % $5)::text, 12, '0') end,
         '{"account": 1.2, "validate": 0.4, "request": 33.1}', decode(repeat(digest, ${LOG_PAYLOAD_BYTES / 16}), 'hex'),
         to_timestamp(epoch)
       from (
         select n, md5(n::text) as digest,
           extract(epoch from now() - interval '${DAYS} days' * (1 - n::float8 / $3)) as epoch
         from generate_series($1::int, $2::int) n) rows`,
      [first, last, executions, projectId, accounts],
    )
    progress(`${last.toLocaleString('en')} executions`)
  }
}

async function rollUp(databaseUrl: string, progress: Progress): Promise<void> {
  const db = connect(databaseUrl, { max: 1 })
  let hours = 0
  while (await rollUpNextHour(db)) if (++hours % 24 === 0) progress(`${hours} hours rolled up`)
  while (await rollUpNextDay(db));
  // Autovacuum has done this on a server that is filled over weeks.
  await db.run(sql`analyze usage_hours, usage_days`)
  await db.close()
}

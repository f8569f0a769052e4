import { batchCalls } from '../../platform/db/batch.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import type { SessionConfig } from './config/session-config.ts'
import { type StoredConfig, withConfig } from './config/stored-config.ts'
import { keyTable, type SessionKey } from './store.ts'

/** The rules of a session that apply to calls before they are sent. */
export type SessionRules = Pick<SessionConfig, 'hooks'> & {
  permissions: NonNullable<SessionConfig['experimental']>['permissions'] | null
  /** Tags of tools whose calls need an approval: for all toolkits, and by toolkit. */
  approvalTags: { all: string[] | null; toolkits: Record<string, string[]> | null }
}

/**
 * Creates a reader of session rules. It reads them once per call, which the `call` object identifies, and concurrent
 * calls share a statement.
 */
export function createSessionRulesReader(
  db: Db,
): (key: SessionKey, call: object) => Promise<SessionRules | undefined> {
  const load = batchCalls((keys: readonly SessionKey[]) => findManyRules(db, keys))
  const known = new WeakMap<object, Promise<SessionRules | undefined>>()
  return (key, call) => {
    let rules = known.get(call)
    if (!rules) known.set(call, (rules = load(key)))
    return rules
  }
}

/** Finds the rules of many sessions in one statement, in the order of the keys; undefined for a missing session. */
async function findManyRules(db: Db, keys: readonly SessionKey[]): Promise<(SessionRules | undefined)[]> {
  const rows = await db.rows<StoredConfig & { id: string; n: number }>(sql`
    select k.n::int, s.id, s.config, s.encrypted_config from ${keyTable(keys)}
    join sessions s on s.project_id = k.project_id and s.id = k.id and s.deleted_at is null`)
  const found: (SessionRules | undefined)[] = keys.map(() => undefined)
  for (const row of rows) found[row.n - 1] = rulesOf(withConfig(db, row).config)
  return found
}

function rulesOf({ hooks = [], experimental, tags, tools = {} }: SessionConfig): SessionRules {
  const ofToolkits = Object.entries(tools).flatMap(([toolkit, lists]): [string, string[]][] =>
    lists.tags?.require_approval ? [[toolkit, [...lists.tags.require_approval]]] : [],
  )
  return {
    hooks,
    permissions: experimental?.permissions ?? null,
    approvalTags: {
      all: tags?.require_approval ? [...tags.require_approval] : null,
      toolkits: ofToolkits.length > 0 ? Object.fromEntries(ofToolkits) : null,
    },
  }
}

import type { TestContext } from 'node:test'
import { clonedDatabase } from '../../../../test/fixtures/clone.ts'
import type { Catalog } from '../../../catalog/index.ts'
import type { Executed, Execution, ExecutionRow } from '../../../engine/index.ts'
import { keyRingFrom, sealer } from '../../../platform/crypto/index.ts'
import { connect } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createLog } from '../../../platform/log.ts'
import type { SessionAccount } from '../../connected-accounts/index.ts'
import { openScope, type ScopeDeps } from '../scope.ts'
import type { SessionConfig, SessionScope } from '../index.ts'
import { metaTools, type MetaToolDeps } from './index.ts'

/** The meta tools on a database, in sessions over a catalogue whose tools answer what a test says. */
export async function metaStage(t: TestContext, catalog: Catalog, more: Partial<MetaToolDeps> = {}) {
  const db = connect(await clonedDatabase(t), { max: 4 })
  t.after(() => db.close())
  for (const id of ['proj_a', 'proj_b']) {
    await db.run(sql`insert into organizations (id, name) values (${`org_${id}`}, 'o')`)
    await db.run(sql`insert into projects (id, organization_id, name) values (${id}, ${`org_${id}`}, 'p')`)
  }
  const seal = sealer(keyRingFrom(`test:${Buffer.alloc(32, 7).toString('base64')}`))
  const executed: Execution[] = []
  const links: { toolkit: string; again: string | undefined }[] = []
  const files: { name: string; bytes: Buffer }[] = []
  const changed: string[] = []
  const rows: ExecutionRow[] = []
  const state = {
    now: Date.parse('2026-02-03T10:00:00Z'),
    accounts: [] as SessionAccount[],
    answer: async (_call: Execution): Promise<Omit<Executed, 'logId'>> => ({
      data: {},
      error: null,
      successful: true,
    }),
  }
  const { metaTools: tools, runOther } = metaTools({
    async record(row) {
      rows.push(row)
    },
    db,
    sealer: seal,
    clock: { now: () => state.now },
    wait: async (ms, signal) => {
      signal.throwIfAborted()
      state.now += ms
    },
    spell: (slug) => slug.replace('SERVICE_', 'BRAND_'),
    neutral: (slug) => slug.replace('BRAND_', 'SERVICE_'),
    async keepFile(_scope, name, bytes) {
      files.push({ name, bytes })
      return { url: `https://files.example/${name}`, expiresAt: '2026-02-03T11:00:00.000Z' }
    },
    async renameAccount(_projectId, id, alias) {
      changed.push(`${id}=${alias}`)
    },
    async removeAccount(_projectId, id) {
      state.accounts = state.accounts.filter((one) => one.id !== id)
    },
    ...more,
  })
  const scopeDeps: ScopeDeps = {
    catalogOf: async () => catalog,
    runOther,
    execute: async (call) => {
      executed.push(call)
      return { ...(await state.answer(call)), logId: `log_${executed.length}` }
    },
    accountsForSession: async (_project, user, { toolkits, named }) =>
      state.accounts.filter(
        (one) =>
          named.includes(one.id) ||
          (one.user_id === user && (!toolkits || toolkits.includes(one.toolkit_slug))),
      ),
    configsForSessions: async (_project, toolkit) => (toolkit === 'bare' ? [] : [`ac_${toolkit}`]),
    createManagedConfig: async () => undefined,
    async createLink(_project, config, { connected_account_id: again }) {
      links.push({ toolkit: config.slice(3), again })
      return {
        link_token: 'lk_1',
        redirect_url: `https://connect.example/link/lk_${links.length}`,
        expires_at: '2026-02-03T10:10:00.000Z',
        connected_account_id: again ?? 'ca_new',
      }
    },
  }
  const scopeOf = (
    config: SessionConfig = {},
    { projectId = 'proj_a', userId = 'u1', storePayloads = true } = {},
  ): Promise<SessionScope> =>
    openScope(
      scopeDeps,
      {
        projectId,
        keyId: 'key_1',
        settings: { checkOwner: false, maskSecrets: true, storePayloads, fileUrlSeconds: 3_600 },
        requestId: 'req_1',
        log: createLog('silent') as never,
        source: null,
      },
      {
        id: 'trs_1',
        project_id: projectId,
        user_id: userId,
        config,
        config_version: 1,
        created_at: new Date(0),
        configured_at: new Date(0),
        last_used_at: new Date(0),
        configs: [],
      },
    )
  return Object.assign(state, {
    db,
    executed,
    links,
    files,
    changed,
    rows,
    scope: scopeOf,
    account: (toolkit: string, more: Partial<SessionAccount> = {}): SessionAccount => ({
      id: `ca_${toolkit}`,
      word_id: `word_${toolkit}`,
      alias: null,
      user_id: 'u1',
      status: 'ACTIVE',
      status_reason: null,
      toolkit_slug: toolkit,
      auth_scheme: 'API_KEY',
      account_type: 'PRIVATE',
      acl: null,
      identity: null,
      auth_config_id: `ac_${toolkit}`,
      is_service_managed: false,
      created_at: new Date(0),
      for_sessions: true,
      ...more,
    }),
    async run(
      slug: string,
      args: Record<string, unknown>,
      config: SessionConfig | SessionScope = {},
      custom: never[] = [],
    ) {
      const scope = 'find' in config ? (config as SessionScope) : await scopeOf(config as SessionConfig)
      return tools
        .get(`SERVICE_${slug}`)!
        .run(scope, args, { signal: new AbortController().signal, logId: 'log_meta', custom }) as Promise<{
        data: any
        error: string | null
        visit?: unknown
      }>
    },
  })
}

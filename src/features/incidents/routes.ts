import type { CatalogOf } from '../../catalog/index.ts'
import * as contract from '../../contract/incidents.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import { pageMeta, pageOf, readPage } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import {
  freezeAccounts,
  scheduleRevocationJob,
  STATUS_REASONS,
  type StatusChangeDeps,
} from '../connected-accounts/index.ts'
import * as store from './store.ts'

/** Ends one kind of access of projects, or of one user in them. Returns how many objects it ended. */
type Revoke = (
  tx: Db,
  scope: { projectIds: readonly string[]; userId: string | undefined },
) => Promise<number>

export interface IncidentDeps extends StatusChangeDeps {
  db: Pool
  catalogOf: CatalogOf
  revoke: Readonly<Record<contract.RevocableKind, Revoke>>
  /** Called after keys were revoked: this process forgets the ones that it has cached. */
  keysChanged(): void
}

/** Kinds that belong to a whole project, so that they cannot be selected by user. */
const OF_PROJECTS: readonly contract.RevocableKind[] = ['keys', 'webhook_subscriptions']
const NOTHING_REVOKED = { keys: 0, mcp_grants: 0, sessions: 0, webhook_subscriptions: 0 }

type Draft = Call<typeof contract.createIncident>['body']

const presentIncident = ({
  frozen,
  pending,
  done,
  failed,
  unsupported,
  created_at: createdAt,
  revoked,
  ...row
}: store.IncidentRow & store.RevocationCounts): contract.Incident => ({
  ...row,
  created_at: createdAt.toISOString(),
  frozen,
  revocations: { pending, done, failed, unsupported },
  revoked: { ...NOTHING_REVOKED, ...revoked },
})

export function incidentRoutes(api: Api, deps: IncidentDeps): void {
  const { db } = deps
  api.on(contract.createIncident, async ({ organizationId, body }) => {
    const { project_id: projectId, toolkit_slug: toolkit, user_id: userId } = body
    if (projectId === undefined && toolkit === undefined && userId === undefined)
      throw badRequest('Error in payload: one of project_id, toolkit_slug and user_id is required')
    checkSelection(body)
    if (projectId !== undefined && !(await store.hasProject(db, organizationId, projectId)))
      throw new ApiError('Project_NotFound', `Project ${projectId} not found`)
    return readIncident(db, organizationId, await storeIncident(deps, organizationId, body))
  })

  api.on(contract.listIncidents, async ({ organizationId, query }) => {
    const page = readPage(query)
    const { rows, total, next } = await store.list(db, organizationId, page)
    return pageOf(rows.map(presentIncident), total, page, next)
  })

  api.on(contract.readIncident, async ({ organizationId, params, query }) => {
    const page = readPage(query)
    const incident = await readIncident(db, organizationId, params.incident_id)
    const { rows, next } = await store.listFrozenAccounts(db, incident.id, page)
    return {
      ...incident,
      items: await Promise.all(rows.map((row) => presentFrozenAccount(deps, row))),
      ...pageMeta(incident.frozen, page, next),
    }
  })
}

/** Checks that what is selected has the properties by which it is selected. @throws ApiError 400 */
function checkSelection({
  project_id: projectId,
  toolkit_slug: toolkit,
  user_id: userId,
  revoke = [],
}: Draft): void {
  const of = (kind: contract.RevocableKind) => `Error in payload.revoke.${revoke.indexOf(kind)}: ${kind}`
  for (const kind of revoke) {
    if (toolkit !== undefined)
      throw badRequest(`${of(kind)} cannot be selected by toolkit_slug. Create a second incident without it.`)
    if (!OF_PROJECTS.includes(kind)) continue
    if (projectId === undefined || userId !== undefined)
      throw badRequest(`${of(kind)} belong to a project: send project_id, and no user_id`)
  }
}

/**
 * Stores an incident and freezes its accounts. They are frozen when the transaction commits, because every call reads
 * its account from the database. A background job revokes the tokens at the providers afterwards.
 */
async function storeIncident(
  deps: IncidentDeps,
  organizationId: string,
  { project_id: projectId, toolkit_slug, user_id: userId, reason, revoke = [] }: Draft,
): Promise<string> {
  const { db, onAccountStatusChanged } = deps
  const id = newId('inc')
  const toolkit = toolkit_slug?.toLowerCase()
  await db.begin(async (tx) => {
    await store.insert(tx, organizationId, {
      id,
      project_id: projectId ?? null,
      toolkit_slug: toolkit ?? null,
      user_id: userId ?? null,
      reason: reason ?? null,
    })
    await freezeAccounts(
      { onAccountStatusChanged },
      tx,
      id,
      { organizationId, projectId, toolkit, userId },
      `${STATUS_REASONS.frozen}${reason ? `: ${reason}` : '.'}`,
    )
    await scheduleRevocationJob(tx, id)
    const projectIds = projectId === undefined ? await store.listProjectIds(tx, organizationId) : [projectId]
    const revoked: store.IncidentRow['revoked'] = {}
    for (const kind of revoke) revoked[kind] = await deps.revoke[kind](tx, { projectIds, userId })
    await store.recordRevoked(tx, id, revoked)
  })
  if (revoke.includes('keys')) deps.keysChanged()
  return id
}

async function readIncident(db: Pool, organizationId: string, id: string): Promise<contract.Incident> {
  const row = await store.find(db, organizationId, id)
  if (!row) throw new ApiError('Incident_NotFound', `Incident ${id} not found`)
  return presentIncident({ ...row, ...(await store.countRevocations(db, id)) })
}

async function presentFrozenAccount({ catalogOf }: IncidentDeps, account: store.FrozenAccountRow) {
  const { toolkit_slug: slug, status, allowed_tools: allowedTools, ...row } = account
  const catalog = await catalogOf(row.project_id)
  return {
    ...row,
    toolkit: { slug },
    revocation: status,
    tools_count: allowedTools.length || (catalog.toolkit(slug)?.toolCount ?? 0),
  }
}

import * as contract from '../../contract/audit-log.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageMeta, pageOf, readPage } from '../../platform/http/paging.ts'
import { exportRows, presentEntry, type PresentedEntry } from './export.ts'
import { type AuditFilter, type AuditScope, listEntries } from './store.ts'
import { verifyChains } from './verify.ts'

interface AuditDeps {
  db: Pool
  /** Returns names of API keys and members of the organization by their ids. */
  listActorNames(
    organizationId: string,
    ids: readonly string[],
  ): Promise<readonly { id: string; name: string }[]>
}

export function auditRoutes(api: Api, { db, listActorNames }: AuditDeps): void {
  api.on(contract.listAuditLog, async ({ projectId, query }) => list({ projectId }, query))
  api.on(contract.listOrganizationAuditLog, async ({ organizationId, query }) =>
    list({ organizationId }, query),
  )
  api.on(contract.exportAuditLog, async ({ projectId, query }) => exportPage({ projectId }, query))
  api.on(contract.exportOrganizationAuditLog, async ({ organizationId, query }) =>
    exportPage({ organizationId }, query),
  )
  api.on(contract.verifyAuditLog, async ({ projectId }) => verify({ projectId }))
  api.on(contract.verifyOrganizationAuditLog, async ({ organizationId }) => verify({ organizationId }))

  async function list(scope: AuditScope, query: contract.AuditQuery) {
    const page = readPage(query)
    const { rows, total, next } = await listEntries(db, scope, readFilter(query), page)
    return pageOf(await withNames(rows.map(presentEntry)), total, page, next)
  }

  /** Adds names: entries have ids only, because names change. */
  async function withNames(entries: readonly PresentedEntry[]) {
    const callers = entries.filter(({ actor }) => actor.type === 'api_key' || actor.type === 'member')
    const ids = [...new Set(callers.flatMap(({ actor }) => actor.id ?? []))]
    const organization = callers[0]?.organization_id
    const names = organization === undefined ? [] : await listActorNames(organization, ids)
    const nameOf = new Map(names.map(({ id, name }) => [id, name]))
    const isCaller = new Set(callers)
    return entries.map((entry) => ({
      ...entry,
      actor: { ...entry.actor, name: (isCaller.has(entry) && nameOf.get(entry.actor.id ?? '')) || null },
    }))
  }

  async function exportPage(scope: AuditScope, query: contract.AuditExportQuery) {
    const page = readPage(query)
    const { rows, total, next } = await listEntries(db, scope, readFilter(query), page)
    const { format = 'ndjson' } = query
    return { format, content: exportRows(rows, format, page.page === 1), ...pageMeta(total, page, next) }
  }

  async function verify(scope: AuditScope) {
    const chains = await verifyChains(db, scope)
    return { valid: chains.every(({ problem }) => problem === null), chains }
  }
}

const readFilter = (
  query: contract.AuditQuery & {
    project_id?: string | undefined
    scope?: 'all' | 'organization' | undefined
  },
): AuditFilter => ({
  action: query.action,
  actorId: query.actor_id,
  objectType: query.object_type,
  objectId: query.object_id,
  outcome: query.outcome,
  projectId: query.project_id,
  isWithoutProject: query.scope === 'organization',
  from: readTime('from', query.from),
  to: readTime('to', query.to),
})

/** A leap second passes the format check, but PostgreSQL and JavaScript do not have it. */
function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw badRequest(`Error in query.${field}: is not a valid time`)
  return date
}

import * as contract from '../../contract/logs.ts'
import * as usageContract from '../../contract/usage.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { type AppNames, internalDetailsOf, internalEntryOf, internalFields } from './internal.ts'
import { detailsOf, entryOf, type Payload } from './present.ts'
import { readInternalSearch, readSearch, writeCursor } from './search.ts'
import * as store from './store.ts'
import { breakdown, summary } from './usage.ts'

export interface LogDeps {
  db: Db
  encryptor: Encryptor
  /** How a toolkit is called and shown; also one that is no longer there. */
  appNames(projectId: string, toolkitSlug: string): AppNames | Promise<AppNames>
}

export function logRoutes(api: Api, { db, encryptor, appNames }: LogDeps): void {
  async function read(projectId: string, id: string) {
    const row = await store.find(db, projectId, id)
    if (!row) throw new ApiError('Log_NotFound', `Log ${id} not found`)
    return {
      row,
      payload: row.payload
        ? encryptor.decrypt<Payload>(row.payload, `tool_executions:${id}:payload`)
        : undefined,
    }
  }

  api.on(contract.searchLogs, async ({ projectId, body }) => {
    const { rows, next } = await store.search(db, projectId, readSearch(body))
    return { logs: rows.map(entryOf), next_cursor: next === null ? null : writeCursor(next) }
  })
  api.on(contract.readLog, async ({ projectId, params }) => {
    const { row, payload } = await read(projectId, params.id)
    return detailsOf(row, payload)
  })
  api.on(contract.searchInternalLogs, async ({ projectId, body }) => {
    const { rows, next } = await store.search(db, projectId, readInternalSearch(body))
    return {
      data: await Promise.all(
        rows.map(async (row) => internalEntryOf(row, await appNames(projectId, row.toolkit_slug))),
      ),
      nextCursor: next,
    }
  })
  api.on(contract.readInternalLogFields, async () => ({ fields: internalFields }))
  api.on(contract.readInternalLog, async ({ projectId, params }) => {
    const { row, payload } = await read(projectId, params.id)
    return internalDetailsOf(row, payload, await appNames(projectId, row.toolkit_slug))
  })
  api.on(usageContract.usageSummary, async ({ projectId, body }) => summary(db, { projectId }, body))
  api.on(usageContract.usageEntity, async ({ projectId, params, body }) =>
    breakdown(db, params.entity_type, { projectId }, body),
  )
  api.on(usageContract.orgUsageSummary, async ({ organizationId, body }) =>
    summary(db, { organizationId }, body),
  )
  api.on(usageContract.orgUsageEntity, async ({ organizationId, params, body }) =>
    breakdown(db, params.entity_type, { organizationId }, body),
  )
}

import type { ApartLimits } from '../../../catalog/importers/worker/index.ts'
import type { ToolkitImport, ToolkitImportReport } from '../../../contract/toolkits/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { type KeyPermissions, requireUnrestrictedKey } from '../../../platform/http/key-permissions.ts'
import type { CustomToolkits } from '../custom/index.ts'
import { readDocument } from './document-reader.ts'
import { toImportError } from './import-errors.ts'
import { readImportRequest, urlWithoutQuery } from './read-request.ts'
import { reportOf } from './report.ts'

export interface ImportDeps {
  customToolkits: Pick<CustomToolkits, 'put' | 'preview' | 'findNewest'>
  egress: Egress
  clock: Clock
  /** Default: 40 seconds, 768 MB. */
  limits?: ApartLimits
}

const CONCURRENT_MAX = 2

export interface Caller {
  projectId: string
  permissions: KeyPermissions
  signal: AbortSignal
}

/** Imports documents as toolkits of projects: each document completely or not at all. */
export function importService(deps: ImportDeps) {
  const running = new Set<string>()
  const requireFreePlace = (projectId: string): void => {
    if (running.has(projectId))
      throw new ApiError(
        'HTTP_TooManyRequests',
        'Another import of this project is in progress. Try again when it has finished.',
        { headers: { 'retry-after': '1' } },
      )
    if (running.size >= CONCURRENT_MAX)
      throw new ApiError(
        'HTTP_ServiceUnavailable',
        'Imports of other projects are in progress. Try again later.',
      )
  }
  return {
    /**
     * Rejects an import that has no place, before its body is read: checking a document takes as long as many calls.
     * @throws ApiError 429, 503
     */
    requireFreePlace,
    /** @throws ApiError 400, 413, 422, 429, 503 */
    async importToolkit(caller: Caller, body: ToolkitImport): Promise<ToolkitImportReport> {
      requireFreePlace(caller.projectId)
      running.add(caller.projectId)
      try {
        return await importDocument(deps, caller, body)
      } finally {
        running.delete(caller.projectId)
      }
    },
  }
}

async function importDocument(
  deps: ImportDeps,
  { projectId, permissions, signal }: Caller,
  body: ToolkitImport,
): Promise<ToolkitImportReport> {
  const { customToolkits, clock, limits = {} } = deps
  const request = await readImportRequest(body)
  if (body.confirm_accounts) requireUnrestrictedKey(permissions, 'confirm that credentials go to other hosts')
  try {
    const outcome = await readDocument(deps, projectId, request, { ...limits, signal })
    const { address } = request.source
    const source = {
      kind: outcome.kind,
      ...(address !== undefined && { address: urlWithoutQuery(address) }),
    }
    const result = body.dry_run
      ? await customToolkits.preview(projectId, outcome.version, clock.now(), {
          version: body.version,
        })
      : await customToolkits.put(projectId, outcome.version, source, clock.now(), {
          version: body.version,
          confirmedAccounts: body.confirm_accounts,
        })
    return reportOf(outcome, result, body.dry_run ?? false)
  } catch (error) {
    if (!signal.aborted) throw toImportError(error, request.field)
    throw new ApiError(
      'HTTP_ServiceUnavailable',
      'The client disconnected before the import finished. Nothing was stored.',
      { cause: error },
    )
  }
}

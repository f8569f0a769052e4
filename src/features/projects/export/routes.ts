import * as contract from '../../../contract/projects/index.ts'
import type { Api } from '../../../platform/http/call.ts'
import { exportProject, type ProjectExportDeps } from './export-project.ts'

const LIMIT_DEFAULT = 200
const LIMIT_MAX = 1_000

/** Adds the export of a project. */
export function projectExportRoutes(api: Api, deps: ProjectExportDeps): void {
  api.on(contract.exportProject, async ({ projectId, body }) =>
    exportProject(
      deps,
      projectId,
      body.cursor ?? undefined,
      Math.min(body.limit ?? LIMIT_DEFAULT, LIMIT_MAX),
    ),
  )
}

import * as contract from '../../../contract/projects/index.ts'
import type { Api } from '../../../platform/http/call.ts'
import { projectIdOf } from '../api-keys/routes.ts'
import { assertProjectsExist } from '../service.ts'
import { exportProject, type ProjectExportDeps } from './export-project.ts'
import { exportSecrets, type SecretSources } from './export-secrets.ts'

const LIMIT_DEFAULT = 200
const LIMIT_MAX = 1_000

/** Adds the exports of a project: of its data, and of its secrets under a passphrase. */
export function projectExportRoutes(api: Api, deps: ProjectExportDeps & { secrets: SecretSources }): void {
  api.on(contract.exportProject, async ({ projectId, body }) =>
    exportProject(
      deps,
      projectId,
      body.cursor ?? undefined,
      Math.min(body.limit ?? LIMIT_DEFAULT, LIMIT_MAX),
    ),
  )
  api.on(contract.exportProjectSecrets, async ({ organizationId, params, body }) => {
    const projectId = projectIdOf(params)
    await assertProjectsExist(deps.db, organizationId, [projectId])
    return exportSecrets(deps.secrets, projectId, body.passphrase, body.cursor ?? undefined)
  })
}

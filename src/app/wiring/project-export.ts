import { listAuthConfigSecrets } from '../../features/auth-configs/index.ts'
import { listAccountSecrets } from '../../features/connected-accounts/index.ts'
import { filesExportedRows } from '../../features/files/index.ts'
import {
  projectExportRoutes,
  projectsExportedRows,
  type SecretSource,
} from '../../features/projects/index.ts'
import { sessionsExportedRows } from '../../features/sessions/index.ts'
import type { ExportedRows } from '../../platform/db/exported-rows.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'
import { ERASED_ROWS } from './project-erasure.ts'

/** What the export of a project contains: what its deletion erases, and the settings of the project. */
export const EXPORTED_ROWS: readonly ExportedRows[] = [
  ...projectsExportedRows,
  ...ERASED_ROWS.flatMap(({ exported }) => (typeof exported === 'string' ? [] : [exported])),
  ...sessionsExportedRows,
  ...filesExportedRows,
]

/** Tables that the deletion of a project erases and its export leaves out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = Object.fromEntries(
  ERASED_ROWS.flatMap(({ table, exported }) => (typeof exported === 'string' ? [[table, exported]] : [])),
)

/** The exports of a project: of its data, and of its secrets under a passphrase. */
export function wireProjectExport({ db, encryptor }: PlatformPart, { api }: HttpPart): void {
  const deps = { db, encryptor }
  projectExportRoutes(api, {
    ...deps,
    exported: EXPORTED_ROWS,
    leftOut: LEFT_OUT,
    secrets: new Map<string, SecretSource>([
      ['auth_configs', (projectId, position) => listAuthConfigSecrets(deps, projectId, position)],
      ['connected_accounts', (projectId, position) => listAccountSecrets(deps, projectId, position)],
    ]),
  })
}

import * as contract from '../../../contract/toolkits/index.ts'
import type { Api } from '../../../platform/http/call.ts'
import { type ImportDeps, importService } from './service.ts'

export type { ImportDeps } from './service.ts'

export function importRoutes(api: Api, deps: ImportDeps): void {
  const imports = importService(deps)
  api.on(
    contract.importToolkit,
    ({ projectId, permissions, signal, body }) =>
      imports.importToolkit({ projectId, permissions, signal }, body),
    { checkBeforeBody: ({ projectId }) => imports.requireFreePlace(projectId) },
  )
}

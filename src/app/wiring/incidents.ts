import { incidentRoutes } from '../../features/incidents/index.ts'
import { removeGrantsOfProjects } from '../../features/mcp-authorization/index.ts'
import { deleteKeysOfProjects } from '../../features/projects/index.ts'
import type { SessionService } from '../../features/sessions/index.ts'
import { disableSubscriptions } from '../../features/webhooks/index.ts'
import type { AccountsPart } from './accounts.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'
import type { ToolkitsPart } from './toolkits.ts'

interface Parts {
  platform: PlatformPart
  httpPart: HttpPart
  toolkits: ToolkitsPart
  accounts: AccountsPart
  sessions: SessionService
}

/** Incidents, which end the access that each of these features gives. */
export function wireIncidents({ platform: { db }, httpPart, toolkits, accounts, sessions }: Parts): void {
  incidentRoutes(httpPart.api, {
    db,
    catalogOf: toolkits.catalogOf,
    onAccountStatusChanged: accounts.onAccountStatusChanged,
    keysChanged: httpPart.authenticator.forget,
    revoke: {
      keys: (tx, { projectIds }) => deleteKeysOfProjects(tx, projectIds),
      mcp_grants: (tx, { projectIds, userId }) => removeGrantsOfProjects(tx, projectIds, userId),
      sessions: (tx, { projectIds, userId }) => sessions.removeOfProjects(tx, projectIds, userId),
      webhook_subscriptions: (tx, { projectIds }) => disableSubscriptions(tx, projectIds),
    },
  })
}

import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { removeOldClients } from './clients/store.ts'
import { removeOldProofs } from './proofs/used-proofs.ts'
import { removeOldPushedRequests } from './pushed-requests/store.ts'
import { removeOldSignIns } from './sign-in/store.ts'
import { removeOldTokens } from './tokens/store.ts'

/** The scheduled tasks of MCP authorization. */
export const mcpAuthorizationSchedules = ({ db }: { db: Db }): Schedule[] => [
  {
    task: 'mcp.removeOld',
    cron: '23 * * * *',
    run: async () => {
      await removeOldSignIns(db)
      await removeOldTokens(db)
      await removeOldClients(db)
    },
  },
  {
    // These rows are valid for minutes, and every call with a bound token stores one.
    task: 'mcp.removeOldProofs',
    cron: '*/2 * * * *',
    run: async () => {
      while (await removeOldProofs(db));
      while (await removeOldPushedRequests(db));
    },
  },
]

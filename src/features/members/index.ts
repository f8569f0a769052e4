import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { findOrganizationId } from '../projects/index.ts'
import { createLink } from './links.ts'
import { deleteExpiredLinks, hasMembers } from './store.ts'

export { authenticateMember, permissionsIn } from './principal.ts'
export { memberRoutes } from './routes.ts'
export * from './oidc/index.ts'
export { createPasskeys, type Passkeys } from './passkeys/passkeys.ts'
export { createMemberSignIn, ssoRequired } from './sign-in.ts'
export { listMemberNames, type MemberRow } from './store.ts'

/**
 * Creates a link with which a person becomes an owner. Only a person who can read this server's terminal receives it.
 */
export async function createSetupLink(db: Db, publicUrl: string, now: number): Promise<string | undefined> {
  const organizationId = await findOrganizationId(db)
  if (organizationId === undefined) return undefined
  return (await createLink(db, { organizationId, memberId: null, publicUrl, now })).url
}

export { hasMembers }

export const memberSchedules = ({ db, clock }: { db: Db; clock: Clock }): readonly Schedule[] => [
  {
    task: 'members.removeExpiredLinks',
    cron: '43 * * * *',
    run: async () => {
      await deleteExpiredLinks(db, new Date(clock.now()))
    },
  },
]
export { membersProjectRows } from './project-rows.ts'

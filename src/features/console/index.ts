import type { FastifyInstance } from 'fastify'
import type { Schedule } from '../../platform/jobs/index.ts'
import type { Logger } from '../../platform/log.ts'
import type { ConsoleAssets } from './assets.ts'
import { pageRoutes } from './page-routes.ts'
import { profileRoutes } from './profile-routes.ts'
import { type SignInDeps, signInRoutes } from './sign-in-routes.ts'
import type { Sessions } from './sessions.ts'

export type { ConsoleAssets, ConsoleBundle, ConsoleFile } from './assets.ts'
export { authenticateConsole, createSessions } from './sessions.ts'

/** The console: its page, its files, and the sign-in of people. */
export function consoleRoutes(
  app: FastifyInstance,
  deps: SignInDeps & {
    assets: ConsoleAssets
    version: string
    log: Pick<Logger, 'error'>
  },
): void {
  pageRoutes(app, deps)
  signInRoutes(app, deps)
  profileRoutes(app, deps)
}

export const consoleSchedules = ({ sessions }: { sessions: Sessions }): readonly Schedule[] => [
  {
    task: 'console.removeExpiredSessions',
    cron: '41 * * * *',
    run: async () => {
      await sessions.removeExpired()
    },
  },
]

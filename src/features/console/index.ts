import type { FastifyInstance } from 'fastify'
import type { Schedule } from '../../platform/jobs/index.ts'
import type { ConsoleAssets } from './assets.ts'
import { consoleRedirectUri, oidcRoutes } from './oidc-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { profileRoutes } from './profile-routes.ts'
import { sessionStarter, type SignInDeps, signInRoutes } from './sign-in-routes.ts'
import type { Sessions } from './sessions.ts'

export type { ConsoleAssets, ConsoleBundle, ConsoleFile } from './assets.ts'
export { consoleRedirectUri }
export { authenticateConsole, createSessions } from './sessions.ts'

/** The console: its page, its files, and the sign-in of people. */
export function consoleRoutes(
  app: FastifyInstance,
  deps: SignInDeps & {
    assets: ConsoleAssets
    version: string
  },
): void {
  pageRoutes(app, deps)
  const start = sessionStarter(deps)
  signInRoutes(app, deps, start)
  passkeyRoutes(app, deps, start)
  oidcRoutes(app, deps)
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

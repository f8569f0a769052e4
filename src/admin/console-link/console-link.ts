import { createSetupLink } from '../../features/members/index.ts'
import { loadConfig } from '../../platform/config.ts'
import { connect } from '../../platform/db/pool.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { ourMigrations } from '../../server/schema.ts'
import { reachDatabase } from '../../server/reach-database.ts'

interface LinkCommand {
  json: boolean
  out: Pick<NodeJS.WriteStream, 'write'>
}

/** Runs `patchbay console link`. Returns the exit code. @throws StartupError */
export async function printConsoleLink({ json, out }: LinkCommand): Promise<number> {
  const config = loadConfig()
  const reached = await reachDatabase(config, 'patchbay console link')
  const db = connect(reached.url, { max: 1, applicationName: 'patchbay-console-link' })
  try {
    if ((await pendingMigrations(reached.url, await ourMigrations())).length)
      throw new StartupError(
        'The database is not up to date with this release.',
        'Start the server of this release, or run `patchbay migrate`, first.',
      )
    const url = await createSetupLink(db, config.publicUrl, Date.now())
    if (url === undefined)
      throw new StartupError('There is no organization yet.', 'Start the server once with `patchbay start`.')
    out.write(
      json
        ? `${JSON.stringify({ url })}\n`
        : `\n  ${url}\n\n  Open it within 30 minutes, in one browser. It works once, and makes you an owner.\n\n`,
    )
    return 0
  } finally {
    await db.close()
    await reached.release()
  }
}

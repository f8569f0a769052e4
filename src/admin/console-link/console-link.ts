import { createSetupLink } from '../../features/members/index.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { withDatabase } from '../with-database.ts'

interface LinkCommand {
  json: boolean
  out: Pick<NodeJS.WriteStream, 'write'>
}

/** Runs `patchbay console link`. Returns the exit code. @throws StartupError */
export const printConsoleLink = ({ json, out }: LinkCommand): Promise<number> =>
  withDatabase('console link', {}, async ({ config, db }) => {
    const url = await createSetupLink(db, config.publicUrl, Date.now())
    if (url === undefined)
      throw new StartupError('There is no organization yet.', 'Start the server once with `patchbay start`.')
    out.write(
      json
        ? `${JSON.stringify({ url })}\n`
        : `\n  ${url}\n\n  Open it within 30 minutes, in one browser. It works once, and makes you an owner.\n\n`,
    )
    return 0
  })

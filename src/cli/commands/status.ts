import type { Command } from 'commander'
import { CallError, requestJson } from '../api-client/call.ts'
import { addGlobalOptions, type Finish, readGlobalOptions } from '../arguments/global-options.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io, painter } from '../io.ts'
import { details } from '../output/details.ts'
import { printJson } from '../output/reply.ts'

/**
 * Adds `patchbay status`: whether the server runs and is ready. Exit code 3: it does not run. Exit code 4: it
 * is not ready.
 */
export function addStatusCommand(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('status')
    .summary('Ask a running server whether it is ready')
    .description('Asks a running server whether it is alive and ready for calls.')
    .helpGroup(HEADINGS.server)
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  patchbay status')
  addGlobalOptions(command).action(async () => {
    const {
      connection: { url },
      asJson,
    } = readGlobalOptions(command, io)
    const alive = await ask(io, `${url}/healthz`)
    const ready = await ask(io, `${url}/readyz`)
    const isReady = alive.isGood && ready.isGood
    if (asJson)
      printJson(io, {
        url,
        alive: alive.isGood,
        ready: ready.isGood,
        health: alive.body,
        readiness: ready.body,
      })
    else {
      const paint = painter(io, io.stdout)
      const word = (isGood: boolean) => (isGood ? paint('green', 'yes') : paint('red', 'no'))
      io.stdout.write(
        `${paint('bold', 'server')}  ${url}\n${paint('bold', 'alive')}   ` +
          `${word(alive.isGood)}\n${paint('bold', 'ready')}   ${word(ready.isGood)}\n`,
      )
      if (!isReady) io.stdout.write(details(io, ready.isGood ? alive.body : ready.body))
    }
    finish(isReady ? EXIT.ok : EXIT.serverFault)
  })
}

async function ask(io: Io, url: string): Promise<{ isGood: boolean; body: unknown }> {
  try {
    const { status, body } = await requestJson(io, url, {
      method: 'GET',
      headers: { accept: 'application/json' },
    })
    return { isGood: status < 400, body }
  } catch (error) {
    // A response without JSON still has a status. An unreachable server is an error.
    if (error instanceof CallError && error.exitCode === EXIT.serverFault)
      return { isGood: false, body: { message: error.message } }
    throw error
  }
}

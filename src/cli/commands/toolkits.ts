import type { Command } from 'commander'
import { UsageError } from '../usage-error.ts'

/** Adds to the operations of `toolkits` what reads files of this machine and asks no server. */
export function addToolkitCommands(program: Command): void {
  const group = program.commands.find((command) => command.name() === 'toolkits')
  const lint = group?.command('lint <folder>').summary('Check the toolkits of a folder, and tell every mistake with file, place and fix')
    .description('Check the toolkits of a folder, and tell every mistake with file, place and fix').option('--json', 'print JSON')
    .helpOption('-h, --help', 'print this help').addHelpText('after', '\nExample:\n  patchbay toolkits lint ./toolkits')
  // The launcher gives it to the server program, which knows manifests.
  lint?.action(() => { throw new UsageError('This command takes its name first.', 'Write `patchbay toolkits lint <folder>`, then the flags.') })
}

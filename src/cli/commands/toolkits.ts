import type { Command } from 'commander'
import { UsageError } from '../arguments/usage-error.ts'

/** Adds to the operations of `toolkits` what reads files of this machine and asks no server. */
export function addToolkitCommands(program: Command): void {
  const group = program.commands.find((command) => command.name() === 'toolkits')
  const lint = group
    ?.command('lint <folder>')
    .summary('Check the toolkits of a folder, and tell every mistake with file, place and fix')
    .description('Check the toolkits of a folder, and tell every mistake with file, place and fix')
    .option('--json', 'print JSON')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  patchbay toolkits lint ./toolkits')
  const attempt = group
    ?.command('try <toolkit> <tool>')
    .summary('Run a tool against the simulation of its application, and print request, reply and result')
    .description(
      'Run a tool of a toolkit that ships, or of a folder with a manifest, against the simulation of its application. No server is asked and nothing leaves this machine.',
    )
    .option(
      '-a, --arguments <json>',
      'arguments as JSON, or @file; default: those that the tool needs, from the examples of its schema',
    )
    .option('--cassette <file>', 'answer from what `patchbay record` wrote, in place of the simulation')
    .option('--json', 'print JSON')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExample:\n  patchbay toolkits try github GITHUB_CREATE_AN_ISSUE --arguments \'{"owner": "octocat", "repo": "hello-world", "title": "It rains in"}\'',
    )
  attempt?.action(() => {
    throw new UsageError(
      'This command takes its name first.',
      'Write `patchbay toolkits try <toolkit> <tool>`, then the flags.',
    )
  })
  // The launcher gives it to the server program, which knows manifests.
  lint?.action(() => {
    throw new UsageError(
      'This command takes its name first.',
      'Write `patchbay toolkits lint <folder>`, then the flags.',
    )
  })
}

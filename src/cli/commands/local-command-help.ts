import type { Command } from 'commander'
import { LOCAL_COMMANDS, type LocalCommand } from '../../commands.ts'
import { HEADINGS } from '../help/groups.ts'
import { UsageError } from '../arguments/usage-error.ts'

const GROUP_DESCRIPTIONS: Readonly<Record<string, string>> = {
  console: 'The console for people',
  catalog: 'Catalogues with thousands of toolkits',
}

/** Adds the help of the commands that main.ts runs: those of `group`, or those without a group. */
export function addLocalCommands(program: Command, group?: string): void {
  for (const row of LOCAL_COMMANDS as readonly LocalCommand[]) {
    const [first, second] = row.name.split(' ') as [string, string | undefined]
    if (second === undefined ? group !== undefined : group !== first) continue
    const parent = second === undefined ? program : groupOf(program, first, row)
    addLocalCommand(parent, second ?? first, row)
  }
}

function groupOf(program: Command, name: string, { heading }: LocalCommand): Command {
  return (
    program.commands.find((command) => command.name() === name) ??
    program
      .command(name)
      .description(GROUP_DESCRIPTIONS[name] ?? '')
      .helpGroup(HEADINGS[heading])
      .helpOption('-h, --help', 'print this help')
      .helpCommand(false)
  )
}

function addLocalCommand(parent: Command, word: string, row: LocalCommand): void {
  const { name, usage, heading, summary, description = summary, options, example } = row
  const command = parent
    .command(`${word}${usage}`)
    .summary(summary)
    .description(description)
    .helpOption('-h, --help', 'print this help')
  if (word === name) command.helpGroup(HEADINGS[heading])
  if (example !== undefined) command.addHelpText('after', `\nExample:\n  ${example}`)
  for (const [flag, meaning] of options) command.option(flag, meaning)
  // main.ts runs the command when the line starts with its name.
  command.action(() => {
    throw new UsageError(
      'The name of this command must come first.',
      `Write \`patchbay ${name}${usage}\`, then the flags. Run it where the server runs, with the same settings.`,
    )
  })
}

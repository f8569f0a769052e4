import type { Command } from 'commander'
import { HEADINGS } from '../help/groups.ts'

const SERVER_COMMANDS = [
  [
    'start',
    'Start the server',
    'Starts the server. Settings come from the environment; without DATABASE_URL it brings and keeps its own database below DATA_DIR.',
  ],
  ['migrate', 'Bring the database to this release', 'Brings the database to this release and ends.'],
  [
    'doctor',
    'Check the settings and what the server needs',
    'Checks the settings, the database and what else the server needs, and says what to mend.',
  ],
  [
    'record <file>',
    'Start the server, and record executions for tests',
    'Starts the server as `start` does, and writes every execution to a cassette: request, answer and result, without secrets. --project <id> records one project only.',
  ],
  [
    'replay <file>',
    'Start the server, and answer executions from a recording',
    'Starts the server as `start` does, and answers executions from a cassette. No account is needed and no application is reached; a call that was not recorded is refused, by name.',
  ],
] as const

/** Names the commands that the server program itself carries out, for the help; they never get here. */
export function addServerCommands(program: Command): void {
  for (const [name, summary, description] of SERVER_COMMANDS) {
    const command = program
      .command(name)
      .summary(summary)
      .description(description)
      .helpGroup(HEADINGS.server)
      .helpOption('-h, --help', 'print this help')
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {})
    if (name.startsWith('record'))
      command.option('--project <id>', 'record the executions of this project only')
  }
}

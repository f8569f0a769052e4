import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { routes } from '../contract/index.ts'
import { readSessionInfo } from '../contract/projects/index.ts'
import { addConnectCommand } from './commands/connect.ts'
import { addDoctorConnection } from './commands/doctor-connection.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addListenCommand } from './commands/listen.ts'
import { addLoginCommands } from './commands/login.ts'
import { addLogCommands } from './commands/logs.ts'
import { addFreezeCommand } from './commands/freeze-accounts.ts'
import { addMcpServeCommand } from './commands/mcp-serve.ts'
import { addLocalCommands } from './commands/local-command-help.ts'
import { addProjectExport } from './commands/project-export.ts'
import { addSearchCommand } from './commands/search.ts'
import { addStatusCommand } from './commands/status.ts'
import { addImportCommand } from './commands/toolkits-import.ts'
import { addTransferCommands } from './commands/transfer.ts'
import { addGlobalOptions, type Finish } from './arguments/global-options.ts'
import { GROUPS, HEADINGS } from './help/groups.ts'
import { formatRootHelp } from './help/root-help.ts'
import { type Io, painter } from './io.ts'
import { addOperation } from './operations/operation-command.ts'
import { type Operation, toOperation } from './operations/operations.ts'

/** Builds all commands. Their order here is their order on the help screen. */
export function buildProgram(io: Io, finish: Finish): Command {
  const program = new Command('patchbay')
    .description('Patchbay: self-hosted integrations for AI agents.')
    .version(versionText(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help, or the help of a command')
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .summary('Show the help of a command')
        .helpGroup(HEADINGS.server),
    )
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        io.stdout.write(text)
      },
      writeErr: (text) => {
        io.stderr.write(text)
      },
      outputError: (text, write) => {
        write(text.replace(/^error:/, painter(io, io.stderr)('red', 'error:')))
      },
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => painter(io, io.stdout)('bold', 'x') !== 'x',
      getErrHasColors: () => painter(io, io.stderr)('bold', 'x') !== 'x',
    })
    .configureHelp({
      styleTitle: (text) => painter(io, io.stdout)('bold', text),
      optionDescription: ({ description }) => description,
    })
  addGlobalOptions(program)
  addLocalCommands(program)
  addDoctorConnection(program, io, finish)
  addStatusCommand(program, io, finish)
  addLocalCommands(program, 'catalog')
  addLocalCommands(program, 'console')
  addFreezeCommand(program, io, finish)
  addKeyCommands(program, io, finish)
  addLoginCommands(program, io, finish)
  addWhoAmI(program, io, finish)
  addTransferCommands(program, io, finish)
  for (const [group, operations] of grouped()) addGroup(program, group, operations, io, finish)
  addSearchCommand(program, io, finish)
  addConnectCommand(program, io, finish)
  addLocalCommands(program, 'toolkits')
  addLogCommands(program, io, finish)
  addMcpServeCommand(program, io, finish, versionText())
  addListenCommand(program, io, finish)
  program.addHelpText('after', HELP_AFTER)
  // Set last: groups copy the settings that exist, and only the first screen has this format.
  return program.configureHelp({ ...program.configureHelp(), formatHelp: formatRootHelp })
}

const HELP_AFTER = `
The server and the keys come from --url, --api-key and --org-api-key; then from PATCHBAY_URL, PATCHBAY_API_KEY
and PATCHBAY_ORG_API_KEY; then from .patchbay/keys.json (or DATA_DIR) in this directory or one above it.

Exit codes: 0 success, 1 rejected by the API, 2 incorrect usage, 3 server not reachable, 4 server error,
5 the tool failed, 6 accounts frozen, but not all access revoked (panic).`

function addWhoAmI(program: Command, io: Io, finish: Finish): void {
  const operation = { ...toOperation(readSessionInfo), group: '', name: 'whoami' }
  addOperation(program, operation, io, finish)
  program.commands.at(-1)!.helpGroup(HEADINGS.access)
}

function addGroup(
  program: Command,
  group: string,
  operations: readonly Operation[],
  io: Io,
  finish: Finish,
): void {
  const [heading, description] = GROUPS[group] ?? ['other', operations[0]?.route.summary ?? '']
  const command = program
    .command(group, { hidden: HIDDEN_GROUPS.has(group) })
    .description(description)
    .helpGroup(HEADINGS[heading])
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
  for (const operation of operations)
    (OWN[operation.route.id] ?? addOperation)(command, operation, io, finish)
}

/**
 * Groups that work but are not listed: `keys --project` does what `project-keys` does, `whoami` what `session` does,
 * and `migration` converts ids of servers that are older than this product.
 */
const HIDDEN_GROUPS: ReadonlySet<string> = new Set(['project-keys', 'session', 'migration'])

/** Operations with a command of their own. */
const OWN: Readonly<Record<string, typeof addOperation>> = {
  'projects.export': addProjectExport,
  'toolkits.import': addImportCommand,
}

/** Returns the operations by group, in the order of the help screen. */
export function grouped(): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>(Object.keys(GROUPS).map((group) => [group, []]))
  for (const operation of routes.map(toOperation))
    groups.set(operation.group, [...(groups.get(operation.group) ?? []), operation])
  return new Map([...groups].filter(([, operations]) => operations.length > 0))
}

function versionText(): string {
  return (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  ).version
}

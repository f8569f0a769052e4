import { once } from 'node:events'
import { type Command, Option } from 'commander'
import { nearestName } from '../../platform/nearest-name.ts'
import {
  addGlobalOptions,
  type Finish,
  type Options,
  readGlobalOptions,
} from '../arguments/global-options.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { EXIT, type Io } from '../io.ts'

const PORT_MAX = 65_535

/**
 * Adds `patchbay mcp serve`, which `patchbay mcp` alone runs too: an MCP server with which a coding agent manages a
 * project.
 */
export function addMcpServeCommand(program: Command, io: Io, finish: Finish, programVersion: string): void {
  const group = program.commands.find((command) => command.name() === 'mcp')
  if (!group) return
  const command = group
    .command('serve', { isDefault: true })
    .summary('Let a coding agent manage a project over MCP')
    .description(
      'Serves the API of a running server as MCP tools, on standard input and output: auth configs, imports, ' +
        'accounts, policies, triggers and logs. The permissions of the API key apply. With --port it serves HTTP on ' +
        'this machine, and every request needs a key of its own.',
    )
    .helpOption('-h, --help', 'print this help')
    .addOption(
      new Option('--port <port>', 'serve HTTP on this port of localhost instead; 0 uses any free port'),
    )
    .addOption(new Option('--read-only', 'leave out every operation that changes something'))
    .allowExcessArguments()
    .addHelpText('after', '\nExample:\n  claude mcp add manage-projects -- patchbay mcp serve --read-only')
  addGlobalOptions(command).action(async () => {
    rejectUnknownCommand(group, command)
    const options = command.opts<Options>()
    const { connection, version } = readGlobalOptions(command, io)
    const management = { io, connection, version, programVersion, isReadOnly: options['readOnly'] === true }
    const { serveOnHttp, serveOnStdio } = await import('../management-mcp/serve.ts')
    if (options['port'] === undefined) await serveOnStdio(management)
    else {
      const { url, server } = await serveOnHttp(management, portOf(String(options['port'])))
      io.stderr.write(`MCP on ${url}\n`)
      await once(server, 'close')
    }
    finish(EXIT.ok)
  })
}

/** A default command receives unknown commands as its arguments. */
function rejectUnknownCommand(group: Command, { args: [word] }: Command): void {
  if (word === undefined) return
  const near = nearestName(
    word,
    group.commands.map((command) => command.name()),
  )
  throw new UsageError(
    `\`patchbay mcp\` has no command "${word}".`,
    near === undefined ? 'See `patchbay mcp --help`.' : `Did you mean \`patchbay mcp ${near}\`?`,
  )
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > PORT_MAX)
    throw new UsageError(`--port takes a number from 0 to ${PORT_MAX}, not "${text}".`, 'Choose a free port.')
  return port
}

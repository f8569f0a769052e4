import { type Command, Option } from 'commander'
import { API_VERSIONS, type ApiVersion } from '../../contract/route.ts'
import type { Io } from '../io.ts'
import { type Connection, type ConnectionFlags, connectionOf } from '../api-client/connection.ts'
import { UsageError } from './usage-error.ts'

/** Values of a command's options, by commander's names. */
export type Options = Record<string, string | boolean | string[] | undefined>

/** Receives the exit code of the command that ran. */
export type Finish = (exitCode: number) => void

/** Adds the options of every command. They may come before or after its name. */
export function addGlobalOptions(command: Command): Command {
  const options = [
    new Option('--url <url>', 'URL of the server'),
    new Option('--api-key <key>', 'API key of a project'),
    new Option('--org-api-key <key>', 'API key of the organization'),
    new Option('--api-version <version>', 'API version: v3 or v3.1 (default)').argParser(readVersion),
    new Option('--json', 'print the response as JSON'),
  ]
  for (const option of options) command.addOption(option.helpGroup('Options of every command:'))
  return command
}

function readVersion(text: string): string {
  if (!(API_VERSIONS as readonly string[]).includes(text))
    throw new UsageError(
      `--api-version takes ${API_VERSIONS.join(' or ')}, not "${text}".`,
      'Omit it for v3.1.',
    )
  return text
}

export interface GlobalOptions {
  connection: Connection
  asJson: boolean
  version: ApiVersion
}

/** Returns the values of the options of every command. */
export function readGlobalOptions(command: Command, io: Io): GlobalOptions {
  const options = command.optsWithGlobals<Options>()
  return {
    connection: connectionOf(options as ConnectionFlags, io),
    asJson: Boolean(options['json']),
    version: (options['apiVersion'] ?? 'v3.1') as ApiVersion,
  }
}

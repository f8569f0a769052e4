import { type Command, Option } from 'commander'
import { API_VERSIONS, type ApiVersion } from '../../contract/route.ts'
import type { Io } from '../io.ts'
import { type Connection, type ConnectionFlags, connectionOf } from '../api-client/connection.ts'
import { UsageError } from './usage-error.ts'

/** Values of a command's options, by commander's names for them. */
export type Options = Record<string, string | boolean | string[] | undefined>

/** Told the exit code of the command that ran. */
export type Finish = (exitCode: number) => void

/** Options that every command takes, before its name as well as after it. */
export function addGlobalOptions(command: Command): Command {
  const options = [
    new Option('--url <address>', 'address of the server'),
    new Option('--api-key <key>', 'key of a project'),
    new Option('--org-api-key <key>', 'key of the organization'),
    new Option('--api-version <version>', 'version of the API, v3 or v3.1 (default)').argParser(readVersion),
    new Option('--json', 'print the reply as it came'),
  ]
  for (const option of options) command.addOption(option.helpGroup('Options of every command:'))
  return command
}

function readVersion(text: string): string {
  if (!(API_VERSIONS as readonly string[]).includes(text))
    throw new UsageError(
      `--api-version takes ${API_VERSIONS.join(' or ')}, not "${text}".`,
      'Leave it out for v3.1.',
    )
  return text
}

/** What the options of every command say. */
export function readGlobalOptions(
  command: Command,
  io: Io,
): { connection: Connection; asJson: boolean; version: ApiVersion } {
  const given = command.optsWithGlobals<Options>()
  return {
    connection: connectionOf(given as ConnectionFlags, io.env, io.cwd),
    asJson: Boolean(given['json']),
    version: (given['apiVersion'] ?? 'v3.1') as ApiVersion,
  }
}

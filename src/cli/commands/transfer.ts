import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import {
  addGlobalOptions,
  type Finish,
  type Options,
  readGlobalOptions,
} from '../arguments/global-options.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { isObject } from '../../platform/json-object.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io, writeNote } from '../io.ts'
import { printJson } from '../output/reply.ts'
import { type Column, table } from '../output/table.ts'
import { applyProject, type Step } from '../transfer/apply-project.ts'
import { LISTS, parseProjectFile, type ProjectFile } from '../transfer/project-file.ts'
import { readProject, readProjectId } from '../transfer/read-project.ts'
import {
  decryptSecrets,
  NO_SECRETS,
  type ProjectSecrets,
  readPassphrase,
  readSecrets,
} from '../transfer/secrets.ts'

/** Servers with the same API, by name. */
const KNOWN_SERVERS: Readonly<Record<string, string>> = { composio: 'https://backend.composio.dev' }

const COLUMNS: readonly Column[] = [
  { path: 'kind', title: 'what' },
  { path: 'name', title: 'name' },
  { path: 'action', title: 'result' },
  { path: 'id', title: 'id here' },
  { path: 'note', title: 'note' },
]

/** Adds `patchbay export` and `patchbay import`. */
export function addTransferCommands(program: Command, io: Io, finish: Finish): void {
  addExport(program, io, finish)
  addImport(program, io, finish)
}

function addExport(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('export <file>')
    .helpGroup(HEADINGS.access)
    .helpOption('-h, --help', 'print this help')
    .summary('Write the configuration of a project to a file')
    .description(
      'Writes custom toolkits, auth configs, MCP servers, policies, webhook subscriptions, triggers, sessions, saved ' +
        "session configurations, settings and the list of accounts of the key's project to a JSON file. It contains " +
        'no secrets, or with --passphrase-file the credentials of auth configs and accounts, encrypted.',
    )
    .option(
      '--passphrase-file <file>',
      'include secrets, encrypted with the first line of this file; needs a key of the organization',
    )
    .addHelpText('after', '\nExample:\n  patchbay export project.json')
  addGlobalOptions(command).action(async (file: string) => {
    const { connection, version, asJson } = readGlobalOptions(command, io)
    const path = resolve(io.cwd, file)
    if (existsSync(path)) throw new UsageError(`${file} exists already.`, 'Name a new file.')
    const server = { io, connection, version }
    const passphrase = passphraseOf(io, command)
    const project = await readProject(server)
    if (passphrase !== undefined)
      project.secrets = await readSecrets(server, await readProjectId(server), passphrase)
    writeFileSync(path, `${JSON.stringify(project, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    const counts = Object.fromEntries(LISTS.map((list) => [list, project[list].length]))
    if (asJson) printJson(io, { file, ...counts })
    else
      io.stdout.write(
        `${file}: ${LISTS.map((list) => `${counts[list]} ${list.replaceAll('_', ' ')}`).join(', ')}\n`,
      )
    finish(EXIT.ok)
  })
}

function addImport(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('import <source>')
    .helpGroup(HEADINGS.access)
    .helpOption('-h, --help', 'print this help')
    .summary('Create what another project has: from a file, from Composio, or from another server')
    .description(
      'Reads a file of `patchbay export`, `composio`, or the URL of a server with the same API, and creates what the ' +
        "key's project does not have. Run it again at any time: existing objects are found by name. Users whose " +
        'credentials are not in the file connect their accounts again; afterwards, run it again for their triggers.',
    )
    // Like the boolean flags of operations, which may have a value.
    .option('--dry-run [boolean]', 'print what would be created, and create nothing')
    .option('--from-api-key <key>', 'API key of the other server (default: SOURCE_API_KEY)')
    .option('--credentials <file>', 'JSON file: credentials by the name of their auth config')
    .option('--passphrase-file <file>', 'decrypt the secrets of the file with the first line of this file')
    .addHelpText('after', '\nExample:\n  patchbay import composio --from-api-key ak_… --dry-run')
  addGlobalOptions(command).action(async (source: string) => {
    const { connection, version, asJson } = readGlobalOptions(command, io)
    const options = command.opts<Options>()
    const project = await readSource(io, source, options)
    const dryRun = options['dryRun'] === true || options['dryRun'] === 'true'
    const steps = await applyProject({ io, connection, version }, project, {
      dryRun,
      credentials: readCredentials(io, options['credentials']),
      secrets: await secretsOf(project, source, passphraseOf(io, command)),
    })
    if (asJson) printJson(io, { dry_run: dryRun, steps })
    else printSteps(io, steps, dryRun)
    finish(steps.some(({ action }) => action === 'failed') ? EXIT.apiError : EXIT.ok)
  })
}

function passphraseOf(io: Io, command: Command): string | undefined {
  const file = command.opts<Options>()['passphraseFile']
  return typeof file === 'string' ? readPassphrase(io, file) : undefined
}

/** Decrypts the secrets of a file. @throws UsageError if the file has none */
async function secretsOf(
  { secrets }: ProjectFile,
  source: string,
  passphrase: string | undefined,
): Promise<ProjectSecrets> {
  if (passphrase === undefined) return NO_SECRETS
  if (secrets === undefined)
    throw new UsageError(
      `${source} has no secrets.`,
      'Omit --passphrase-file, or export the project again with --passphrase-file.',
    )
  return decryptSecrets(secrets, passphrase)
}

async function readSource(io: Io, source: string, options: Options): Promise<ProjectFile> {
  const url = KNOWN_SERVERS[source] ?? (/^https?:\/\//.test(source) ? source.replace(/\/+$/, '') : undefined)
  if (url === undefined) return parseProjectFile(readText(io, source), source)
  const apiKey = (options['fromApiKey'] as string | undefined) ?? io.env['SOURCE_API_KEY']
  if (!apiKey)
    throw new UsageError(
      `The API key of ${url} is missing.`,
      'Set SOURCE_API_KEY, or use --from-api-key with a key of the project there.',
    )
  return readProject({ io, connection: { url, apiKey }, version: 'v3' })
}

function readCredentials(io: Io, file: Options[string]): Record<string, Record<string, unknown>> {
  if (typeof file !== 'string') return {}
  const fix = 'Write {"<name of the auth config>": {"client_id": "…", "client_secret": "…"}}.'
  let values: unknown
  try {
    values = JSON.parse(readText(io, file))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} is not JSON.`, fix)
  }
  if (isObject(values) && Object.values(values).every(isObject))
    return values as Record<string, Record<string, unknown>>
  throw new UsageError(`${file} does not have an object of credentials for each name.`, fix)
}

function readText(io: Io, file: string): string {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, 'Check its name.')
  }
}

function printSteps(io: Io, steps: readonly Step[], dryRun: boolean): void {
  const rows = steps.map((step) => ({ ...step, kind: step.kind.replaceAll('_', ' ') }))
  io.stdout.write(table(io, COLUMNS, rows))
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length
  const done = dryRun ? `${count('create')} would be created` : `${count('created')} created`
  const texts = [
    done,
    `${count('exists')} exist`,
    `${count('connect')} accounts to connect`,
    `${count('skipped')} skipped`,
    `${count('failed')} failed`,
  ]
  writeNote(io, texts.join(', '))
}

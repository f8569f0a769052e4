import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { readSessionInfo } from '../../contract/projects/index.ts'
import type { ReplyOf } from '../../contract/route.ts'
import { callApi } from '../api-client/call.ts'
import { connectionOf, DEFAULT_URL } from '../api-client/connection.ts'
import { type KeysFile, loginFilePath } from '../api-client/keys-file.ts'
import {
  addGlobalOptions,
  type Finish,
  type GlobalOptions,
  type Options,
} from '../arguments/global-options.ts'
import { readSecretLine } from '../arguments/read-secret.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io, printable } from '../io.ts'
import { printApiError } from '../output/failure.ts'
import { printJson } from '../output/reply.ts'

/** Adds `patchbay login` and `patchbay logout`: the server and key of every directory without a keys file. */
export function addLoginCommands(program: Command, io: Io, finish: Finish): void {
  const login = program
    .command('login')
    .summary('Store the URL and the key of a server for all directories')
    .description(
      'Checks a project key and stores it with the URL of the server, readable by this user only. Without --api-key, ' +
        'the key is read from standard input. A keys file in the current directory or above it has priority.',
    )
    .helpGroup(HEADINGS.access)
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  patchbay login --url https://patchbay.example.com')
  addGlobalOptions(login).action(async () => {
    finish(await logIn(io, login.optsWithGlobals<Options>()))
  })
  const logout = program
    .command('logout')
    .summary('Delete the key that login stored')
    .description(
      'Deletes the file that `patchbay login` wrote. The key itself stays valid: see `patchbay keys revoke`.',
    )
    .helpGroup(HEADINGS.access)
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  patchbay logout')
  logout.action(() => {
    const path = requiredPath(io)
    rmSync(path, { force: true })
    io.stdout.write(`Deleted ${path}.\n`)
    finish(EXIT.ok)
  })
}

async function logIn(io: Io, options: Options): Promise<number> {
  const path = requiredPath(io)
  const text = (name: string) => options[name] as string | undefined
  const url = text('url') ?? (io.env['PATCHBAY_URL'] || DEFAULT_URL)
  const key = text('apiKey') ?? (await readSecretLine(io, `API key for ${url}: `))
  const orgKey = text('orgApiKey')
  const connection = connectionOf(
    { url, apiKey: key, ...(orgKey !== undefined && { orgApiKey: orgKey }) },
    io,
  )
  const version = (text('apiVersion') ?? 'v3.1') as GlobalOptions['version']
  const request = { params: {}, query: {}, body: undefined }
  const { status, body } = await callApi(io, connection, readSessionInfo, version, request)
  const asJson = Boolean(options['json'])
  if (status >= 400) return printApiError(io, status, body, asJson)
  const { project } = body as ReplyOf<typeof readSessionInfo>
  writeLoginFile(path, {
    url: connection.url,
    project_id: project.nano_id,
    project_api_key: key,
    ...(orgKey !== undefined && { organization_api_key: orgKey }),
  })
  if (asJson) printJson(io, { file: path, url: connection.url, project_id: project.nano_id })
  else
    io.stdout.write(
      `Logged in to ${connection.url}, project ${printable(project.name)}. The key is in ${path}.\n`,
    )
  return EXIT.ok
}

function requiredPath(io: Io): string {
  const path = loginFilePath(io)
  if (path === undefined)
    throw new UsageError(
      'There is no home directory to store the key in.',
      'Set HOME, or use PATCHBAY_API_KEY.',
    )
  return path
}

/** Writes the file completely or not at all, with mode 0600 from the beginning. */
function writeLoginFile(path: string, content: Omit<KeysFile, 'path'>): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

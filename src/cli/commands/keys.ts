import type { Command } from 'commander'
import {
  createProjectKey,
  deleteProjectKey,
  listProjectKeys,
  rotateProjectKey,
} from '../../contract/projects/index.ts'
import { AREAS, type Route } from '../../contract/route.ts'
import { callApi, type ApiRequest } from '../api-client/call.ts'
import {
  addGlobalOptions,
  type Finish,
  readGlobalOptions,
  type Options,
} from '../arguments/global-options.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io } from '../io.ts'
import { printResult } from '../output/report.ts'
import type { Connection } from '../api-client/connection.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { showKeys } from './keys-show.ts'
import { addLocalCommands } from './local-command-help.ts'

/** The group `patchbay keys`, and what its commands share. */
interface KeyCommands {
  readonly io: Io
  readonly finish: Finish
  /** Adds a command with a summary and an example. */
  add(usage: string, summary: string, example: string): Command
  /** Calls an operation of the project, and prints its result. */
  callProject(command: Command, route: Route, request: Partial<ApiRequest>): Promise<void>
}

const PROJECT = ['--project <id>', 'id of the project; default: the project of the keys file'] as const

/** Adds `patchbay keys`: keys of a project, with names and permissions instead of JSON. */
export function addKeyCommands(program: Command, io: Io, finish: Finish): void {
  const commands = createGroup(program, io, finish)
  addShowCommand(commands)
  addListCommand(commands)
  addCreateCommand(commands)
  addRotateCommand(commands)
  addRevokeCommand(commands)
  addLocalCommands(program, 'keys')
}

function createGroup(program: Command, io: Io, finish: Finish): KeyCommands {
  const group = program
    .command('keys')
    .description('API keys of the project, and the encryption key')
    .helpGroup(HEADINGS.access)
    .helpCommand(false)
    .helpOption('-h, --help', 'print this help')
  return {
    io,
    finish,
    add(usage, summary, example) {
      const command = group
        .command(usage)
        .summary(summary)
        .description(`${summary}.`)
        .helpOption('-h, --help', 'print this help')
      return addGlobalOptions(command.addHelpText('after', `\nExample:\n  ${example}`))
    },
    async callProject(command, route, request) {
      const { connection, asJson, version } = readGlobalOptions(command, io)
      const params = { nano_id: projectOf(command, connection), ...request.params }
      const whole = { query: {}, body: undefined, ...request, params }
      finish(printResult(io, route.id, await callApi(io, connection, route, version, whole), asJson))
    },
  }
}

function addShowCommand({ add, io, finish }: KeyCommands): void {
  const show = add(
    'show',
    'Show the path and the keys of the keys file',
    'patchbay keys show --reveal',
  ).option('--reveal', 'do not mask the keys')
  show.action(() => {
    const { connection, asJson } = readGlobalOptions(show, io)
    showKeys(io, connection, { isRevealed: Boolean(show.opts<Options>()['reveal']), asJson })
    finish(EXIT.ok)
  })
}

function addListCommand({ add, callProject }: KeyCommands): void {
  const list = add('list', 'List the keys of the project', 'patchbay keys list').option(...PROJECT)
  list.action(() => callProject(list, listProjectKeys, {}))
}

function addCreateCommand({ add, callProject }: KeyCommands): void {
  const create = add(
    'create',
    'Create a key; without permissions it may do everything in the project',
    'patchbay keys create --name reader --permission connected_accounts:read --permission tools:read',
  )
    .option('--name <text>', 'name of the key')
    .option(...PROJECT)
    .option(
      '--permission <area:level>',
      `permission, repeatable: ${Object.entries(AREAS)
        .map(([area, levels]) => `${area}:${levels.join('|')}`)
        .join(', ')}`,
      append,
    )
    .option(
      '--allow-ip <range>',
      'IP address or CIDR range that may use the key, repeatable; default: all',
      append,
    )
    .option('--expires-at <time>', 'when the key expires, such as 2027-02-03T09:00:00Z; default: never')
  create.action(() => callProject(create, createProjectKey, { body: draftOf(create.opts<Options>()) }))
}

function addRotateCommand({ add, callProject }: KeyCommands): void {
  const rotate = add(
    'rotate <key_id>',
    'Replace a key by a new one; both are valid for a while',
    'patchbay keys rotate key_7hQ2vLk9TmXa --overlap-seconds 3600',
  )
    .option(...PROJECT)
    .option(
      '--overlap-seconds <seconds>',
      'how long the earlier key stays valid; default: 86400, one day',
      wholeNumber,
    )
    .option('--expires-at <time>', 'when the new key expires; default: after the lifetime of the earlier key')
  rotate.action(() =>
    callProject(rotate, rotateProjectKey, {
      params: { key_id: rotate.args[0] ?? '' },
      body: rotationOf(rotate.opts<Options>()),
    }),
  )
}

function addRevokeCommand({ add, callProject }: KeyCommands): void {
  const revoke = add(
    'revoke <key_id>',
    'Revoke a key; it stops working immediately',
    'patchbay keys revoke key_7hQ2vLk9TmXa',
  ).option(...PROJECT)
  revoke.action(() => callProject(revoke, deleteProjectKey, { params: { key_id: revoke.args[0] ?? '' } }))
}

const append = (value: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...value.split(','),
]

function projectOf(command: Command, connection: Connection): string {
  const id = (command.opts<Options>()['project'] as string | undefined) ?? connection.projectId
  if (id === undefined)
    throw new UsageError(
      'The project is missing: there is no keys file for this server.',
      'Use --project with an id from `patchbay projects list`.',
    )
  return id
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value))
    throw new UsageError(`"${value}" is not a number of seconds.`, 'Write a whole number, such as 3600.')
  return Number(value)
}

const rotationOf = ({ overlapSeconds, expiresAt }: Options): object => ({
  ...(overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds }),
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
})

function draftOf({ name, permission, allowIp, expiresAt }: Options): object {
  return {
    ...(name === undefined ? {} : { name }),
    ...(permission === undefined ? {} : { permissions: permissionsOf(permission as string[]) }),
    ...(allowIp === undefined ? {} : { allowed_ips: allowIp }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  }
}

function permissionsOf(texts: readonly string[]): Record<string, string[]> {
  const permissions: Record<string, string[]> = {}
  for (const text of texts) {
    const [area = '', level = ''] = text.split(':')
    const levels: readonly string[] | undefined = Object.hasOwn(AREAS, area)
      ? AREAS[area as keyof typeof AREAS]
      : undefined
    if (!levels?.includes(level)) {
      throw new UsageError(
        `"${text}" is not a permission.`,
        levels
          ? `For ${area} write ${levels.map((one) => `${area}:${one}`).join(' or ')}.`
          : `Write area:level, with one of the areas ${Object.keys(AREAS).join(', ')}.`,
      )
    }
    permissions[area] = [...new Set([...(permissions[area] ?? []), level])]
  }
  return permissions
}

import type { Command } from 'commander'
import { createProjectKey, deleteProjectKey, listProjectKeys } from '../../contract/projects.ts'
import { AREAS, type Route } from '../../contract/route.ts'
import { call, type Request } from '../api-client/call.ts'
import { addGlobalOptions, type Finish, globalsOf, type Options } from '../arguments/global-options.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io } from '../io.ts'
import { report } from '../output/report.ts'
import type { Connection } from '../api-client/connection.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { showKeys } from './keys-show.ts'

/** `patchbay keys`: the keys of a project, by name and permission instead of JSON. */
export function addKeyCommands(program: Command, io: Io, finish: Finish): void {
  const group = program
    .command('keys')
    .description('Keys of the project: show, list, create, revoke; and the encryption key')
    .helpGroup(HEADINGS.access)
    .helpCommand(false)
    .helpOption('-h, --help', 'print this help')
  const add = (usage: string, summary: string, example: string) => {
    const command = group
      .command(usage)
      .summary(summary)
      .description(`${summary}.`)
      .helpOption('-h, --help', 'print this help')
    return addGlobalOptions(command.addHelpText('after', `\nExample:\n  ${example}`))
  }
  const project = '--project <id>'
  const whichProject = 'id of the project; else the one of the keys file'
  const ask = async (command: Command, route: Route, request: Partial<Request>) => {
    const { connection, asJson, version } = globalsOf(command, io)
    const params = { nano_id: projectOf(command, connection), ...request.params }
    finish(
      report(
        io,
        route.id,
        await call(io, connection, route, version, { query: {}, body: undefined, ...request, params }),
        asJson,
      ),
    )
  }

  const show = add(
    'show',
    'Show where the keys file is and which keys it holds',
    'patchbay keys show --reveal',
  ).option('--reveal', 'print the keys whole')
  show.action(() => {
    const { connection, asJson } = globalsOf(show, io)
    showKeys(io, connection, { isRevealed: Boolean(show.opts<Options>()['reveal']), asJson })
    finish(EXIT.ok)
  })

  const list = add('list', 'List the keys of the project, masked', 'patchbay keys list').option(
    project,
    whichProject,
  )
  list.action(() => ask(list, listProjectKeys, {}))

  const create = add(
    'create',
    'Make a key; without permissions it may do everything in the project',
    'patchbay keys create --name reader --permission connected_accounts:read --permission tools:read',
  )
    .option('--name <text>', 'what to call it')
    .option(project, whichProject)
    .option(
      '--permission <area:level>',
      `what it may do, repeatable: ${Object.entries(AREAS)
        .map(([area, levels]) => `${area}:${levels.join('|')}`)
        .join(', ')}`,
      append,
    )
    .option(
      '--allow-ip <address>',
      'address or CIDR range that may use it, repeatable; without any, all may',
      append,
    )
  create.action(() => ask(create, createProjectKey, { body: draftOf(create.opts<Options>()) }))

  const revoke = add(
    'revoke <key_id>',
    'Revoke a key; it stops working at once',
    'patchbay keys revoke key_7hQ2vLk9TmXa',
  ).option(project, whichProject)
  revoke.action(() => ask(revoke, deleteProjectKey, { params: { key_id: revoke.args[0] ?? '' } }))

  const rotate = add(
    'rotate-encryption',
    'Seal everything that is stored with a new encryption key, while the server runs',
    'patchbay keys rotate-encryption',
  )
    .option('--retire', 'then remove the old keys from the key file, once nothing is sealed with them')
    .option('--portion=<rows>', 'rows that are read and written at once (default: 200)')
  // The launcher gives it to the server program: it needs the database, not the API.
  rotate.action(() => {
    throw new UsageError(
      'This command takes its name first.',
      'Write `patchbay keys rotate-encryption`, then the flags; run it where the server runs, with its settings.',
    )
  })
}

const append = (value: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...value.split(','),
]

function projectOf(command: Command, connection: Connection): string {
  const id = (command.opts<Options>()['project'] as string | undefined) ?? connection.projectId
  if (id === undefined)
    throw new UsageError(
      'Which project is not known: there is no keys file for this server.',
      'Give --project with an id from `patchbay projects list`.',
    )
  return id
}

function draftOf({ name, permission, allowIp }: Options): object {
  return {
    ...(name === undefined ? {} : { name }),
    ...(permission === undefined ? {} : { permissions: permissionsOf(permission as string[]) }),
    ...(allowIp === undefined ? {} : { allowed_ips: allowIp }),
  }
}

function permissionsOf(given: readonly string[]): Record<string, string[]> {
  const permissions: Record<string, string[]> = {}
  for (const text of given) {
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

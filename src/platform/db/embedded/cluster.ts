import { chown, lchown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import type { Binaries } from './binaries.ts'
import { firstError } from './log-file.ts'
import { killAll } from './processes.ts'
import { syncDirectory } from '../../durable-file.ts'
import { run, type Runner } from './run-program.ts'
import type { ServerUser } from './user.ts'

const initTimeoutMs = 120_000
/** STATUS_DLL_NOT_FOUND, with which Windows ends a program whose libraries are missing. */
const DLL_NOT_FOUND = 0xc0000135

// Only the role patchbay may connect, and only with its password. It is not a superuser, so an injected
// statement reaches neither files nor programs of this machine. It may create databases, because tests clone
// theirs.
const accessRules = '# TYPE  DATABASE  USER      METHOD\nlocal   all       patchbay  scram-sha-256\n'

/**
 * Whether the directory has a cluster that this PostgreSQL can open.
 * @throws StartupError if it contains something else
 */
export async function hasCluster(directory: string, major: number): Promise<boolean> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length === 0) return false
  const version = await readFile(join(directory, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
  if (version === String(major)) return true
  if (version === undefined)
    throw new StartupError(
      `${directory} is not a PostgreSQL data directory, and it is not empty.`,
      'Move it away, restore it from a backup, or use another DATA_DIR.',
    )
  throw new StartupError(
    `${directory} was written by PostgreSQL ${version}; the built-in one has version ${major}.`,
    `Dump it with PostgreSQL ${version} and restore it into a new DATA_DIR, or run PostgreSQL ${version} ` +
      'yourself and set DATABASE_URL.',
  )
}

/**
 * Creates the cluster with the role and database `patchbay`. It is created in a directory next to its final
 * place and renamed at the end, so a start that is killed leaves either no cluster or a complete one. `onWaiting` is
 * called when the first program runs.
 */
export async function createCluster(
  directory: string,
  binaries: Binaries,
  runner: Runner,
  password: string,
  onWaiting: () => void = () => {},
): Promise<void> {
  const draft = `${directory}.creating`
  await killAll(draft) // An initdb whose parent was killed keeps writing.
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  if (runner.user) await chown(draft, runner.user.uid, runner.user.gid)
  try {
    // Without sync: these files are not used before the rename, and everything is synced together below.
    const initialization = initdb(binaries, runner, draft, ['--no-sync', '--auth=reject'])
    onWaiting()
    await initialization
    await writeFile(join(draft, 'pg_hba.conf'), accessRules)
    await runSql(
      draft,
      binaries,
      runner,
      ['-c', 'fsync=off'],
      [...roleSql(password), 'create database patchbay owner patchbay'],
    )
    await runInitdb(binaries, runner, draft, ['--sync-only'])
    await rename(draft, directory)
  } catch (error) {
    await killAll(draft)
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  await syncDirectory(dirname(directory))
}

/** Creates missing roles, and sets the password, in a cluster whose server is stopped. */
export async function prepareRoles(
  directory: string,
  binaries: Binaries,
  runner: Runner,
  password: string,
): Promise<void> {
  await runSql(directory, binaries, runner, [], roleSql(password))
}

/** Returns the statements that create missing roles and set the password of the role `patchbay`. */
export function roleSql(password: string): string[] {
  return [
    "do $$ begin if not exists (select from pg_roles where rolname = 'patchbay') then create role " +
      'patchbay; end if; end $$',
    // A password of 256 random bits cannot be guessed, with few rounds of hashing or many. With the default, 4,096, a
    // connection costs 10 ms of processor time.
    'set scram_iterations = 1',
    `alter role patchbay login createdb password '${password}'`,
    // The role of statements of a project, to which row-level security applies (tenant-role.ts).
    "do $$ begin if not exists (select from pg_roles where rolname = 'patchbay_tenant') then create role " +
      'patchbay_tenant nologin; end if; end $$',
    'grant patchbay_tenant to patchbay',
  ]
}

/**
 * Changes the owner of a cluster that root owns (restored or copied) to the user that runs it. The directory
 * itself comes last, as it marks the end.
 */
export async function changeOwner(user: ServerUser, path: string): Promise<void> {
  const entry = await stat(path)
  if (entry.uid === user.uid) return
  for (const inner of await readdir(path, { recursive: true }))
    await lchown(join(path, inner), user.uid, user.gid)
  await chown(path, user.uid, user.gid)
}

/** Creates the files of a cluster in an empty directory. @throws StartupError */
export async function initdb(
  binaries: Binaries,
  runner: Runner,
  directory: string,
  args: string[],
): Promise<void> {
  await runInitdb(binaries, runner, directory, [
    '--no-instructions',
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...args,
  ])
}

async function runInitdb(
  binaries: Binaries,
  runner: Runner,
  directory: string,
  args: string[],
): Promise<void> {
  const { code, output } = await run(runner, binaries.initdb, ['-D', directory, ...args], {
    cwd: directory,
    timeoutMs: initTimeoutMs,
  })
  if (code === 0) return
  if (output.includes('could not look up effective user')) {
    throw new StartupError(
      `PostgreSQL does not run as user ${process.getuid!()}, because that user has no line in /etc/passwd.`,
      'Add one, start as a user who has one, or set DATABASE_URL.',
    )
  }
  if (code === DLL_NOT_FOUND) {
    throw new StartupError(
      'PostgreSQL cannot be run: a library of Windows is missing.',
      'Install the Microsoft Visual C++ Redistributable (x64) and start again, or set DATABASE_URL.',
    )
  }
  throw new StartupError(
    `The database could not be created in ${directory}: ${firstError(output) || `exit code ${code}`}`,
    'Check the free space and the permissions of DATA_DIR and start again.',
  )
}

/**
 * Runs statements in single-user mode, without socket and login. They are sent through standard input, where
 * other users cannot read them.
 */
async function runSql(
  directory: string,
  binaries: Binaries,
  runner: Runner,
  args: string[],
  statements: string[],
): Promise<void> {
  const quiet = ['-c', 'log_min_error_statement=panic', '-c', 'log_checkpoints=off', '-c', 'exit_on_error=on']
  const { code, output } = await run(
    runner,
    binaries.postgres,
    ['--single', '-D', directory, ...quiet, ...args, 'postgres'],
    {
      cwd: directory,
      input: statements.map((statement) => `${statement}\n`).join(''),
      timeoutMs: initTimeoutMs,
    },
  )
  if (code !== 0)
    throw new StartupError(
      `The database in ${directory} could not be set up: ${firstError(output)}`,
      'Check the free space and the permissions of DATA_DIR and start again.',
    )
}

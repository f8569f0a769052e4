import { fileURLToPath } from 'node:url'
import { loadCatalog } from '../../catalog/index.ts'
import { createManagedAuth } from '../../features/auth-configs/index.ts'
import { environmentWarnings, loadConfig } from '../../platform/config.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { ROOT } from '../../server/version.ts'
import { type Check, type CheckResult, fail, ok, skip, warn } from './check.ts'
import { toolkitsFolderCheck } from './toolkits-folder.ts'

const NODE_MAJOR_MIN = 24
/** Older than every release of this program. */
const OLDEST_NOW = Date.parse('2026-01-01')

/** Returns one failure for each problem that a start reports. Rethrows other errors. */
function failuresOf(error: unknown): CheckResult[] {
  if (!(error instanceof StartupError)) throw error
  return error.message
    .split('\n')
    .slice(1)
    .map((line) => fail(line.trim(), error.fix))
}

export const programChecks: Check[] = [
  {
    name: 'Node.js',
    run: async () =>
      Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN
        ? ok(process.versions.node)
        : fail(
            `${process.versions.node}; ${NODE_MAJOR_MIN} or later is needed`,
            `Install Node.js ${NODE_MAJOR_MIN}, or run \`npm ci\`, which installs it on Linux.`,
          ),
  },
  {
    name: 'clock',
    run: async () =>
      Date.now() >= OLDEST_NOW
        ? ok(new Date().toISOString())
        : fail(
            `it says ${new Date().toISOString()}, which is in the past`,
            'Set the clock of this machine, or start its time synchronisation: tokens and signatures depend on it.',
          ),
  },
  {
    name: 'settings',
    async run(context) {
      try {
        context.config = loadConfig()
        const warnings = environmentWarnings()
        if (warnings.length === 0) return ok('every variable is valid')
        return warnings.map((text) => warn(text, 'Correct the name, or remove the variable.'))
      } catch (error) {
        return failuresOf(error)
      }
    },
  },
  {
    // The checks of a start. `toolkits lint` makes the more expensive ones.
    name: 'catalogue',
    async run(context) {
      try {
        const { toolkits, tools } = (context.catalog = await loadCatalog({
          folder: fileURLToPath(new URL('toolkits', ROOT)),
        }))
        return toolkits.length
          ? ok(`${toolkits.length} toolkits, ${tools.length} tools`)
          : warn('it is empty', 'Restore the folder `toolkits` of this release.')
      } catch (error) {
        return failuresOf(error)
      }
    },
  },
  toolkitsFolderCheck,
  {
    // The rules of the settings check whether the file is readable and private.
    name: 'managed',
    needsConfig: true,
    async run({ config, catalog }) {
      if (!catalog) return skip('needs the catalogue')
      const credentials = [config!.managedAuthFile, config!.managedAuth].filter((one) => one !== undefined)
      if (!credentials.length) return ok('none; projects bring their own OAuth apps')
      try {
        const { schemes } = createManagedAuth(catalog, credentials)
        const names = catalog.toolkits.map(({ slug }) => slug).filter((slug) => schemes(slug).length)
        return names.length
          ? ok(names.join(', '))
          : warn(
              `${credentials.map(({ source }) => source).join(' and ')} has no credentials`,
              'Add some, or omit the setting.',
            )
      } catch (error) {
        return failuresOf(error)
      }
    },
  },
]

import { fileURLToPath } from 'node:url'
import { loadCatalog } from '../../catalog/index.ts'
import { createManagedAuth } from '../../features/auth-configs/index.ts'
import { loadConfig } from '../../platform/config.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { ROOT } from '../../server/version.ts'
import { type Check, fail, ok, skip, warn } from './check.ts'

const NODE_MAJOR_MIN = 24
/** No release of this program is older. */
const OLDEST_NOW = Date.parse('2026-01-01')

export const programChecks: Check[] = [
  {
    name: 'Node.js',
    run: async () =>
      Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN
        ? ok(process.versions.node)
        : fail(
            `${process.versions.node}; ${NODE_MAJOR_MIN} or later is needed`,
            `Install Node.js ${NODE_MAJOR_MIN}, or run \`npm ci\`, which brings it on Linux.`,
          ),
  },
  {
    name: 'clock',
    run: async () =>
      Date.now() >= OLDEST_NOW
        ? ok(new Date().toISOString())
        : fail(
            `it says ${new Date().toISOString()}, which is past`,
            'Set the clock of this machine, or start its time synchronisation: tokens and signatures depend on it.',
          ),
  },
  {
    name: 'settings',
    async run(found) {
      try {
        found.config = loadConfig()
        return ok('every variable fits its rule')
      } catch (error) {
        if (!(error instanceof StartupError)) throw error
        return error.message
          .split('\n')
          .slice(1)
          .map((line) => fail(line.trim(), error.fix))
      }
    },
  },
  {
    // By the rules of a start; what costs more is for those who change toolkits, and `toolkits lint` does it.
    name: 'catalogue',
    async run(found) {
      try {
        const { toolkits, tools } = (found.catalog = await loadCatalog({
          folder: fileURLToPath(new URL('toolkits', ROOT)),
        }))
        return toolkits.length
          ? ok(`${toolkits.length} toolkits, ${tools.length} tools`)
          : warn('it is empty', 'Restore the folder `toolkits` of this release.')
      } catch (error) {
        if (!(error instanceof StartupError)) throw error
        return error.message
          .split('\n')
          .slice(1)
          .map((line) => fail(line.trim(), error.fix))
      }
    },
  },
  {
    // Whether it can be read, by whom and as what, is a rule of the settings.
    name: 'managed',
    needsConfig: true,
    async run({ config, catalog }) {
      if (!catalog) return skip('needs the catalogue')
      const given = [config!.managedAuthFile, config!.managedAuth].filter((one) => one !== undefined)
      if (!given.length) return ok('none; projects bring their own OAuth apps')
      try {
        const { schemes } = createManagedAuth(catalog, given)
        const names = catalog.toolkits.map(({ slug }) => slug).filter((slug) => schemes(slug).length)
        return names.length
          ? ok(names.join(', '))
          : warn(
              `${given.map(({ source }) => source).join(' and ')} holds no credentials`,
              'Give some, or leave the setting out.',
            )
      } catch (error) {
        if (!(error instanceof StartupError)) throw error
        return error.message
          .split('\n')
          .slice(1)
          .map((line) => fail(line.trim(), error.fix))
      }
    },
  },
]

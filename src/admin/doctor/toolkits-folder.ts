import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Catalog } from '../../catalog/index.ts'
import { ToolkitsFolder } from '../../features/toolkits/folder/index.ts'
import type { Config } from '../../platform/config.ts'
import type { Logger } from '../../platform/log.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { type Check, type CheckResult, fail, ok, skip } from './check.ts'

/** The code of all toolkits is imported. */
const CHECK_MS = 60_000

export const toolkitsFolderCheck: Check = {
  name: 'toolkits folder',
  needsConfig: true,
  timeoutMs: CHECK_MS,
  run: ({ config, catalog }) => checkToolkitsFolder(config!, catalog),
}

/** Checks the toolkits of TOOLKITS_DIR in copies of their files, as the server does. */
async function checkToolkitsFolder(
  { toolkitsDir: folder, toolkitsReplace: replaceable }: Config,
  builtIn: Catalog | undefined,
): Promise<CheckResult | CheckResult[]> {
  if (folder === undefined) return ok('none; TOOLKITS_DIR is not set')
  if (!builtIn) return skip('needs the catalogue')
  const cache = await mkdtemp(join(tmpdir(), 'patchbay-doctor-'))
  const quiet = { info: () => {}, error: () => {} } as unknown as Logger
  try {
    const toolkits = await ToolkitsFolder.open({ folder, cache, builtIn, replaceable, log: quiet })
    const problems = toolkits.problems().flatMap(({ reasons }) => reasons)
    return problems.length === 0
      ? ok(`${toolkits.count} of ${folder}`)
      : problems.map((reason) => fail(reason, 'Correct the file. The server uses it within seconds.'))
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return fail(error.message, error.fix)
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
}

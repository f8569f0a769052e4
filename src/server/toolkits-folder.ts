import { join } from 'node:path'
import type { Catalog } from '../catalog/index.ts'
import { ToolkitsFolder, watchToolkitsFolder } from '../features/toolkits/folder/index.ts'
import type { Config } from '../platform/config.ts'
import type { Logger } from '../platform/log.ts'
import type { Progress } from './progress.ts'
import type { ServerParts } from './stop.ts'

/** Loads the toolkits of TOOLKITS_DIR, and uses changes of its files from then on. */
export async function openToolkitsFolder(
  { toolkitsDir: folder, toolkitsReplace: replaceable, dataDir }: Config,
  parts: ServerParts,
  builtIn: Catalog,
  log: Logger,
  progress: Progress,
): Promise<ToolkitsFolder | undefined> {
  if (folder === undefined) return undefined
  const cache = join(dataDir, 'cache', 'toolkits-folder')
  const toolkits = await ToolkitsFolder.open({ folder, cache, builtIn, replaceable, log })
  parts.toolkitsWatch = watchToolkitsFolder({ folder, toolkits, log })
  const invalid = toolkits.problems().length
  progress.line(
    `toolkits of ${folder} in use: ${toolkits.count}${invalid > 0 ? `, invalid: ${invalid} (see the log)` : ''}`,
  )
  return toolkits
}

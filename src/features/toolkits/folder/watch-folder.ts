import { type FSWatcher, watch } from 'node:fs'
import type { Logger } from '../../../platform/log.ts'
import type { ToolkitsFolder } from './toolkits-folder.ts'

/** Some file systems, such as network volumes, send no notifications. */
const POLL_MS = 5_000
/** After a notification, and while files are being written. */
const SOON_MS = 300

export interface FolderWatchOptions {
  readonly folder: string
  readonly toolkits: Pick<ToolkitsFolder, 'look'>
  readonly log: Pick<Logger, 'error' | 'debug'>
  readonly pollMs?: number
  readonly soonMs?: number
}

/** Looks at a toolkits folder every few seconds, and soon after the file system reports a change. */
export function watchToolkitsFolder(options: FolderWatchOptions): { close(): Promise<void> } {
  const { folder, toolkits, log, pollMs = POLL_MS, soonMs = SOON_MS } = options
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isClosed = false
  let isDue = false
  const notifications = openWatcher(folder, log, () => schedule(soonMs))

  function schedule(milliseconds: number): void {
    if (isClosed) return
    // A look that is in progress schedules the next one, because it may have missed this change.
    if (looking) return void (isDue = true)
    clearTimeout(timer)
    timer = setTimeout(() => (looking = look()), milliseconds).unref()
  }

  async function look(): Promise<void> {
    const isIncomplete = await toolkits.look().catch((error: unknown) => {
      log.error({ err: error }, 'toolkits folder: it could not be checked')
      return false
    })
    looking = undefined
    const waitMs = isIncomplete || isDue ? soonMs : pollMs
    isDue = false
    schedule(waitMs)
  }

  schedule(pollMs)
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      notifications?.close()
      await looking
    },
  }
}

/** Without notifications, as where the system has no more watches, the folder is polled. */
function openWatcher(
  folder: string,
  log: Pick<Logger, 'debug'>,
  onChange: () => void,
): FSWatcher | undefined {
  const onFailure = (error: unknown) => log.debug({ err: error }, 'toolkits folder: it is polled')
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, onChange)
    watcher.on('error', onFailure)
    return watcher
  } catch (error) {
    onFailure(error)
    return undefined
  }
}

import { loadConfig } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { StartupError } from './platform/startup-error.ts'
import { migrateAll, openDatabase } from './boot/database.ts'
import { doctor } from './boot/doctor.ts'
import { type Progress, progressOn } from './boot/progress.ts'
import { start } from './boot/start.ts'

/** Longest that a stop may take; past it the process ends all the same. */
const STOP_MAX_MS = 9_500

/** Runs `start`, `migrate` or `doctor`; the only place that ends the process. */
export async function main(args: string[]): Promise<void> {
  const [command = 'start'] = args
  const progress = progressOn(process.stdout)
  try {
    if (command === 'start') await serve(progress)
    else if (command === 'migrate') await migrate(progress)
    else if (command === 'doctor') process.exit(await doctor({ json: args.includes('--json'), out: process.stdout }))
    else throw new StartupError(`There is no command ${command} here.`, 'Use start, migrate or doctor; `patchbay --help` lists the others.', { exitCode: 2 })
  } catch (error) {
    report(error)
    process.exit(error instanceof StartupError ? error.exitCode : 1)
  }
}

async function serve(progress: Progress): Promise<void> {
  const stopping = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.resolve(signal))
  const running = await start(loadConfig(), progress)
  await stopping.promise
  progress.line('stopping; calls under way may finish')
  setTimeout(() => process.exit(1), STOP_MAX_MS).unref()
  await running.stop()
  process.exit(0)
}

async function migrate(progress: Progress): Promise<void> {
  const config = loadConfig()
  const log = createLog(config.logLevel)
  const database = await openDatabase(config, log, progress.working)
  try {
    const applied = await migrateAll(database.url, log)
    progress.done('schema', applied.length ? `applied ${applied.join(', ')}` : 'up to date')
  } finally {
    await database.stop()
  }
  process.exit(0)
}

function report(error: unknown): void {
  if (error instanceof StartupError) process.stderr.write(`\n  ${error.message}\n  → ${error.fix}\n\n`)
  else process.stderr.write(`\n  Patchbay met a fault of its own; please report it.\n\n${error instanceof Error ? error.stack : String(error)}\n\n`)
}

import { type Config, loadConfig } from './platform/config.ts'
import { DatabaseUnavailable } from './platform/db/errors.ts'
import { openDataDir } from './platform/instance-lock.ts'
import { createLog } from './platform/log.ts'
import { StartupError } from './platform/startup-error.ts'
import { holdDataDir, migrateAll, openDatabase } from './server/database.ts'
import { type Progress, progressOn } from './server/progress.ts'
import { type Parts, STOP_MAX_MS, stopAll } from './server/stop.ts'

/** Runs `start`, `migrate` or `doctor`; the only place that ends the process. */
export async function main(args: string[]): Promise<void> {
  const [command = 'start'] = args
  const progress = progressOn(process.stdout)
  // A server outlives whoever read what it prints.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    if (command === 'start') await serve(progress)
    else if (command === 'record' || command === 'replay')
      await serve(progress, (await import('./server/recording-settings.ts')).tapeSettings(command, args.slice(1)))
    else if (command === 'migrate') await migrate(progress)
    else if (command === 'doctor') await examine(args)
    else if (command === 'keys') await rotate(args.slice(2))
    else if (command === 'toolkits') await toolkits(args.slice(1))
    else if (command === 'catalog') await packs(args.slice(1))
    else
      throw new StartupError(
        `There is no command ${command} here.`,
        'Use start, migrate or doctor; `patchbay --help` lists the others.',
        { exitCode: 2 },
      )
  } catch (error) {
    report(
      error instanceof DatabaseUnavailable
        ? new StartupError(
            'The database was lost on the way.',
            'Run the command again when the database answers.',
            { cause: error },
          )
        : error,
    )
    process.exit(error instanceof StartupError ? error.exitCode : 1)
  }
}

async function serve(progress: Progress, changes: Partial<Config> = {}): Promise<void> {
  const { start } = await import('./server/start.ts')
  const stopping = new AbortController()
  const told = Promise.withResolvers<number>()
  const stopWith = (code: number) => {
    if (stopping.signal.aborted) return
    setTimeout(() => process.exit(1), STOP_MAX_MS + 300).unref() // The stop is bounded in each step; this is for a fault in it.
    stopping.abort()
    told.resolve(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopWith(0))
  process.on('uncaughtException', (error) => {
    report(error)
    stopWith(1)
  })
  try {
    const running = await start({ ...loadConfig(), ...changes }, progress, stopping.signal)
    const code = await told.promise
    progress.line('stopping; calls under way may finish')
    await running.stop()
    process.exit(code)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    progress.line('stopped before it was ready')
    process.exit(await told.promise)
  }
}

async function migrate(progress: Progress): Promise<void> {
  const config = loadConfig()
  const log = createLog(config.logLevel)
  const dataDir = await openDataDir(config.dataDir)
  const parts: Parts = { lock: await holdDataDir(config, dataDir) }
  try {
    const database = (parts.database = await openDatabase({ ...config, dataDir }, log, progress.working))
    progress.done('database', database.about)
    const applied = await migrateAll(database.url, log, (name) => progress.working(name))
    progress.done(
      'schema',
      applied.length ? `${applied.length} migration${applied.length > 1 ? 's' : ''} applied` : 'up to date',
    )
  } finally {
    await stopAll(parts)
  }
  process.exit(0)
}

async function examine(args: string[]): Promise<void> {
  const { doctor } = await import('./admin/doctor/index.ts')
  process.exit(await doctor({ json: args.includes('--json'), out: process.stdout }))
}

async function rotate(args: string[]): Promise<void> {
  const { rotateEncryption } = await import('./admin/rotate-keys/rotate-command.ts')
  process.exit(await rotateEncryption({ args, out: process.stdout, err: process.stderr }))
}

async function toolkits([what, ...args]: string[]): Promise<void> {
  if (what === 'try') {
    const { tryToolkit } = await import('./admin/try/try-toolkit.ts')
    process.exit(await tryToolkit({ args, out: process.stdout, cwd: process.cwd() }))
  }
  await lint(args)
}

async function lint(args: string[]): Promise<void> {
  const { lintToolkits } = await import('./admin/lint/lint-toolkits.ts')
  process.exit(await lintToolkits({ args, out: process.stdout }))
}

async function packs(args: string[]): Promise<void> {
  const { catalogCommand } = await import('./admin/packs/catalog-command.ts')
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  process.exit(
    await catalogCommand({ args, out: process.stdout, err: process.stderr, signal: stopping.signal }),
  )
}

function report(error: unknown): void {
  if (error instanceof StartupError) process.stderr.write(`\n  ${error.message}\n  → ${error.fix}\n\n`)
  else
    process.stderr.write(
      `\n  Patchbay met a fault of its own; please report it.\n\n${error instanceof Error ? error.stack : String(error)}\n\n`,
    )
}

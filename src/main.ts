import type { Io } from './cli/index.ts'
import { argumentsOf, findLocalCommand, type LocalCommandName } from './commands.ts'
import { DatabaseUnavailable } from './platform/db/errors.ts'
import { StartupError } from './platform/startup-error.ts'
import { type Progress, progressOn } from './server/progress.ts'
import { collectRestartRequests } from './server/restart-requests.ts'

/** Runs one local command, and returns its exit code. */
type Run = (args: readonly string[], progress: Progress) => Promise<number>

const { stdout: out, stderr: err } = process

/** The code of each command is loaded when it runs: a call of the API starts in a tenth of a second. */
const RUN: Readonly<Record<LocalCommandName, Run>> = {
  start: (_args, progress) => serve(progress),
  record: async (args, progress) => serve(progress, (await recordingArguments()).record(args)),
  replay: async (args, progress) => serve(progress, (await recordingArguments()).replay(args)),
  migrate: async (_args, progress) => (await import('./server/migrate-command.ts')).migrateCommand(progress),
  backup: async (args) =>
    (await import('./admin/backup/backup-command.ts')).backupCommand({ args, out, err }),
  restore: async (args) =>
    (await import('./admin/backup/restore-command.ts')).restoreCommand({ args, out, err }),
  doctor: async (args) =>
    (await import('./admin/doctor/index.ts')).doctor({ json: args.includes('--json'), out }),
  'console link': async (args) =>
    (await import('./admin/console-link/console-link.ts')).printConsoleLink({
      json: args.includes('--json'),
      out,
    }),
  'keys rotate-encryption': async (args) =>
    (await import('./admin/rotate-keys/rotate-command.ts')).rotateEncryption({ args, out, err }),
  'toolkits lint': async (args) =>
    (await import('./admin/lint/lint-toolkits.ts')).lintToolkits({ args, out }),
  'toolkits try': async (args) =>
    (await import('./admin/try/try-toolkit.ts')).tryToolkit({ args, out, cwd: process.cwd() }),
  'catalog list': (args) => catalog('list', args),
  'catalog add': (args) => catalog('add', args),
  'catalog status': (args) => catalog('status', args),
  'catalog remove': (args) => catalog('remove', args),
}

/** Runs one command line. The only place that dispatches commands, handles signals, and ends the process. */
export async function main(args: string[], io: Io): Promise<void> {
  const command = findLocalCommand(args)
  if (!command) return callApi(args, io)
  // A server continues when the reader of its output is gone.
  for (const stream of [out, err]) stream.on('error', () => {})
  try {
    process.exit(await RUN[command.name](argumentsOf(command, args), progressOn(out)))
  } catch (error) {
    report(error)
    process.exit(error instanceof StartupError ? error.exitCode : 1)
  }
}

async function callApi(args: string[], io: Io): Promise<void> {
  // `patchbay tools list | head` ends when head does, without a stack trace.
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const { runCli } = await import('./cli/index.ts')
  process.exitCode = await runCli(args, io)
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

async function serve(progress: Progress, settings: object = {}): Promise<number> {
  const { onStopRequest, serveCommand, STOP_MAX_MS } = await import('./server/serve-command.ts')
  const stopping = new AbortController()
  const exitCode = Promise.withResolvers<number>()
  const stopWith = (code: number) => {
    if (stopping.signal.aborted) return
    // Each step of a stop has a time limit; this one is for a defect in a step.
    setTimeout(() => process.exit(1), STOP_MAX_MS + 300).unref()
    stopping.abort()
    exitCode.resolve(code)
  }
  for (const signal of SIGNALS) process.on(signal, () => stopWith(0))
  onStopRequest(() => stopWith(0))
  process.on('uncaughtException', (error) => {
    report(error)
    stopWith(1)
  })
  const restarts = collectRestartRequests((listener) => process.on('SIGUSR2', listener))
  await serveCommand(settings, progress, stopping.signal, restarts)
  // A worker that its supervisor has replaced ends without a signal.
  stopWith(0)
  return exitCode.promise
}

async function recordingArguments() {
  const { recordingSettings } = await import('./server/recording-settings.ts')
  return {
    record: (args: readonly string[]) => recordingSettings('record', args),
    replay: (args: readonly string[]) => recordingSettings('replay', args),
  }
}

async function catalog(action: string, args: readonly string[]): Promise<number> {
  const { catalogCommand } = await import('./admin/packs/catalog-command.ts')
  const stopping = new AbortController()
  for (const signal of SIGNALS) process.on(signal, () => stopping.abort())
  return catalogCommand({ args: [action, ...args], out, err, signal: stopping.signal })
}

function report(error: unknown): void {
  const known =
    error instanceof DatabaseUnavailable
      ? new StartupError(
          'The connection to the database was lost.',
          'Run the command again when the database is available.',
          { cause: error },
        )
      : error
  if (known instanceof StartupError) err.write(`\n  ${known.message}\n  → ${known.fix}\n\n`)
  else {
    const stack = known instanceof Error ? known.stack : String(known)
    err.write(`\n  This is a bug in Patchbay. Please report it.\n\n${stack}\n\n`)
  }
}

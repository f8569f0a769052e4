import { CommanderError } from 'commander'
import { normalizeBooleans } from './arguments/booleans.ts'
import { CallError } from './api-client/call.ts'
import { EXIT, type Io } from './io.ts'
import { printLocalError } from './output/failure.ts'
import { buildProgram } from './program.ts'
import { UsageError } from './arguments/usage-error.ts'

export type { Io } from './io.ts'

/** Runs one command line and returns its exit code (see EXIT). Never ends the process. */
export async function runCli(args: string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.ok
  const program = buildProgram(io, (code) => {
    exitCode = code
  })
  try {
    if (args.length === 0) program.help()
    // `help tools list` means `tools list --help`. The help command of the parser takes one name only.
    const [first, ...names] = args
    await program.parseAsync(
      first === 'help' && names.length > 1 ? [...names, '--help'] : normalizeBooleans(args),
      { from: 'user' },
    )
    return exitCode
  } catch (error) {
    if (error instanceof UsageError || error instanceof CallError)
      return printLocalError(io, error, args.includes('--json'))
    if (!(error instanceof CommanderError)) throw error
    // A group without a command prints its help, but does not do what a script expected.
    return error.exitCode === 0 || args.length === 0 ? EXIT.ok : EXIT.usage
  }
}

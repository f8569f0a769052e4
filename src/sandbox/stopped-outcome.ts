import type { SandboxOutcome } from './types.ts'

/** The outcome of a run during which the sandbox ended. */
export const stoppedOutcome = (reason: string): SandboxOutcome => ({
  results: '',
  stdout: '',
  stderr: '',
  error:
    `The sandbox was stopped: ${reason}. Its variables and files outside /mnt/files are lost; ` +
    'the next call starts a new one.',
  exitCode: null,
  stdoutLines: 0,
  stderrLines: 0,
  resultsPath: null,
  stdoutPath: null,
  stderrPath: null,
})

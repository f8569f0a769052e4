import { parseBoundedJson } from '../platform/bounded-json.ts'
import type { SandboxOutcome } from './types.ts'

const TEXT_CHARACTERS_MAX = 12_000_000
const PATH_CHARACTERS_MAX = 1_024

/** An outcome is one object of texts and numbers; the code in the sandbox can report anything. */
const OUTCOME_BOUNDS = { depth: 2, values: 100 }

/** Parses the outcome that a sandbox reports. @throws SyntaxError */
export const parseOutcome = (body: Uint8Array): SandboxOutcome =>
  readOutcome(parseBoundedJson(Buffer.from(body).toString(), OUTCOME_BOUNDS))

/** Reads the outcome that a sandbox reports. A wrong type becomes an empty value. */
export function readOutcome(reported: unknown): SandboxOutcome {
  const json = reported as Partial<Record<keyof SandboxOutcome, unknown>> | null
  const text = (field: keyof SandboxOutcome): string => {
    const value = json?.[field]
    return typeof value === 'string' ? value.slice(0, TEXT_CHARACTERS_MAX).toWellFormed() : ''
  }
  const path = (field: keyof SandboxOutcome): string | null =>
    text(field).slice(0, PATH_CHARACTERS_MAX) || null
  const count = (field: keyof SandboxOutcome): number => {
    const value = json?.[field]
    return Number.isSafeInteger(value) ? (value as number) : 0
  }
  return {
    results: text('results'),
    stdout: text('stdout'),
    stderr: text('stderr'),
    error: text('error'),
    exitCode: Number.isSafeInteger(json?.exitCode) ? (json?.exitCode as number) : null,
    stdoutLines: count('stdoutLines'),
    stderrLines: count('stderrLines'),
    resultsPath: path('resultsPath'),
    stdoutPath: path('stdoutPath'),
    stderrPath: path('stderrPath'),
  }
}

/** The outcome of a run during which the sandbox ended. */
export const stoppedOutcome = (reason: string): SandboxOutcome =>
  readOutcome({
    error:
      `The sandbox was stopped: ${reason}. Its variables and files outside /mnt/files are lost; ` +
      'the next call starts a new one.',
  })

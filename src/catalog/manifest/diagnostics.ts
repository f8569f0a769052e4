import { StartupError } from '../../platform/startup-error.ts'

/** One problem in a manifest. */
export interface Diagnostic {
  /** Path below the toolkits folder, e.g. `github/tools.json`. */
  readonly file: string
  /** JSON Pointer (RFC 6901), empty for the whole file. */
  readonly path: string
  readonly reason: string
}

/**
 * Collects the problems of one file. A check continues after a problem, so that one run reports all of them.
 */
export interface DiagnosticReporter {
  add(path: string, reason: string): void
}

export const IGNORE_DIAGNOSTICS: DiagnosticReporter = { add() {} }

/** A hostile folder must not print megabytes. */
const DIAGNOSTICS_SHOWN_MAX = 100

/**
 * All problems of all manifests. The server does not start: a toolkit that is only partly valid would fail
 * later.
 */
export class ManifestError extends StartupError {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    const lines = diagnostics
      .slice(0, DIAGNOSTICS_SHOWN_MAX)
      .map(({ file, path, reason }) => `  ${file}${path && ` ${path}`}: ${reason}`)
    if (diagnostics.length > DIAGNOSTICS_SHOWN_MAX)
      lines.push(`  … and ${diagnostics.length - DIAGNOSTICS_SHOWN_MAX} more`)
    super(
      `${diagnostics.length === 1 ? 'A toolkit manifest is' : 'Toolkit manifests are'} invalid:\n${lines.join('\n')}`,
      'Fix the files listed above, or move the folder of that toolkit to another place.',
    )
    this.name = 'ManifestError'
    this.diagnostics = diagnostics
  }
}

/** Returns a key as one segment of a JSON Pointer (RFC 6901), with its slash. */
export const pointerSegment = (key: string | number) =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

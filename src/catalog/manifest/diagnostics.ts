import { StartupError } from '../../platform/startup-error.ts'

/** One thing that is wrong in a manifest. */
export interface Diagnostic {
  /** Below the toolkits folder, e.g. `github/tools.json`. */
  readonly file: string
  /** JSON Pointer, empty for the whole file. */
  readonly path: string
  readonly reason: string
}

/** Where checks write what they find; a check goes on after a mistake so that all are told at once. */
export interface DiagnosticReporter {
  add(path: string, reason: string): void
}

/** Long enough for any honest folder; a hostile one must not print megabytes. */
const DIAGNOSTICS_SHOWN_MAX = 100

/** Every mistake of every manifest. Start stops here: a toolkit that is half understood is worse than none. */
export class ManifestError extends StartupError {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    const lines = diagnostics
      .slice(0, DIAGNOSTICS_SHOWN_MAX)
      .map(({ file, path, reason }) => `  ${file}${path && ` ${path}`}: ${reason}`)
    if (diagnostics.length > DIAGNOSTICS_SHOWN_MAX)
      lines.push(`  … and ${diagnostics.length - DIAGNOSTICS_SHOWN_MAX} more`)
    super(
      `${diagnostics.length === 1 ? 'A toolkit manifest is' : 'Toolkit manifests are'} not usable:\n${lines.join('\n')}`,
      'Mend the files named above, or move the folder of that toolkit away.',
    )
    this.name = 'ManifestError'
    this.diagnostics = diagnostics
  }
}

/** A key as a step of a JSON Pointer (RFC 6901). */
export const pointerSegment = (key: string | number) =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

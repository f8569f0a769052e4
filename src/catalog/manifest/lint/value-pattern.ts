import {
  compileSafePattern,
  findPatternFault,
  type PatternOptions,
} from '../../../platform/safe-pattern/index.ts'
import type { DiagnosticReporter } from '../diagnostics.ts'

/** Checks a pattern that takes a value out of a longer text: its only group is the value. */
export function checkValuePattern(
  pattern: string,
  options: PatternOptions,
  path: string,
  report: DiagnosticReporter,
): void {
  const fault = findPatternFault(pattern, options)
  if (fault) report.add(path, `${fault}.`)
  else if (compileSafePattern(pattern, options).groups !== 1)
    report.add(path, 'must have exactly one group: the value.')
}

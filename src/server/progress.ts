import { styleText } from 'node:util'

/** Prints the steps of a start for the administrator, one line each. It is not the log. */
export interface Progress {
  title(text: string): void
  /** Reports the beginning of a step that takes long. */
  working(text: string): void
  done(what: string, detail: string): void
  line(text?: string): void
}

const NAME_WIDTH = 11

/** Prints nothing, for all but one of several processes. */
export const SILENT_PROGRESS: Progress = { title() {}, working() {}, done() {}, line() {} }

/** Prints colours on a terminal only. */
export function progressOn(out: NodeJS.WriteStream): Progress {
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    out.isTTY ? styleText(format, text) : text
  const write = (text: string) => {
    out.write(`${text}\n`)
  }
  return {
    title: (text) => write(`\n  ${style('bold', text)}\n`),
    working: (text) => write(`  ${style('dim', `… ${text}`)}`),
    done: (what, detail) =>
      write(`  ${style('green', '✓')} ${what.padEnd(NAME_WIDTH)} ${style('dim', detail)}`),
    line: (text = '') => write(text && `  ${text}`),
  }
}

/** Returns a function that returns the time since now: `(1.5 s)`. */
export function stopwatch(): () => string {
  const startedAt = performance.now()
  return () => `(${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`
}

import { styleText } from 'node:util'

/** What a start tells its operator, a line a step; nothing of it is a log. */
export interface Progress {
  title(text: string): void
  /** Something that takes long has begun. */
  working(text: string): void
  done(what: string, detail: string): void
  line(text?: string): void
}

const NAME_WIDTH = 11

/** Plain text where nobody watches: no colour without a terminal. */
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

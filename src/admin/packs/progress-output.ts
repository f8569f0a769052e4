import type { Progress } from './add-pack.ts'

type Out = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number }

const BAR_WIDTH = 28
const EVERY_MS = { terminal: 100, plain: 5_000, json: 1_000 }

/** Shows progress: a bar on a terminal, otherwise a line every few seconds, or JSON. */
export interface ProgressOutput {
  step(text: string): void
  progress(progress: Progress): void
  /** Ends the line of the bar. */
  end(): void
}

export function createProgressOutput({
  out,
  err,
  isJson,
  now = () => performance.now(),
}: {
  out: Out
  err: Out
  isJson: boolean
  now?: () => number
}): ProgressOutput {
  const kind = isJson ? 'json' : err.isTTY ? 'terminal' : 'plain'
  let startedAt: number | undefined
  let printedAt = -Infinity
  let hasBar = false
  return {
    step(text) {
      if (isJson) out.write(`${JSON.stringify({ event: 'step', text })}\n`)
      else err.write(`  … ${text}\n`)
    },
    progress(progress) {
      startedAt ??= now()
      const isLast = progress.done === progress.all
      if (progress.all === 0 || (now() - printedAt < EVERY_MS[kind] && !isLast)) return
      printedAt = now()
      const secondsLeft = remaining(progress, (now() - startedAt) / 1_000)
      if (kind === 'json') out.write(`${JSON.stringify({ event: 'progress', ...progress, secondsLeft })}\n`)
      else if (kind === 'terminal') {
        err.write(`\r\u001b[2K  ${bar(progress)} ${text(progress, secondsLeft)}`)
        hasBar = true
      } else err.write(`  … ${text(progress, secondsLeft)}\n`)
    },
    end() {
      if (hasBar) err.write('\n')
      hasBar = false
    },
  }
}

/** Returns the remaining seconds, or undefined at the beginning. */
function remaining({ bytesDone, bytesAll }: Progress, seconds: number): number | undefined {
  const share = bytesDone / bytesAll
  return share > 0.02 && seconds > 1 ? Math.round((seconds / share) * (1 - share)) : undefined
}

function bar({ bytesDone, bytesAll }: Progress): string {
  const filled = Math.round((bytesDone / bytesAll) * BAR_WIDTH)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
}

const number = (value: number) => value.toLocaleString('en-US')

function text({ done, all, tools }: Progress, secondsLeft: number | undefined): string {
  const left =
    secondsLeft === undefined
      ? ''
      : `, ${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')} left`
  return `${number(done)} of ${number(all)} APIs, ${number(tools)} tools${done === all ? '' : left}`
}

import { setTimeout as wait } from 'node:timers/promises'
import { painter } from '../src/cli/io.ts'
import { jsonLines } from './json-lines.ts'
import { wrapped } from './wrapped.ts'

type Paint = ReturnType<typeof painter>

/**
 * The output of the tour. With a pace it waits until its reader may have read; without one it never waits.
 * Throws once the tour is interrupted.
 */
export interface Stage {
  isPaced: boolean
  title(text: string, aside: string): void
  /** Something is under way; `done` says how it went. */
  ready(what: string, detail: string, ms: number): void
  chapter(title: string): Promise<void>
  /** A chapter that is none: the end. */
  ending(title: string): void
  say(text: string): Promise<void>
  /** Prints what a person does that is no request to Patchbay. */
  act(who: string, text: string): Promise<void>
  request(method: string, origin: string, path: string, body: unknown): Promise<void>
  reply(status: number, ms: number, body: unknown, aside?: string): Promise<void>
  /** Waits, which on a terminal runs down in one line; `after` is what stays. */
  countdown(seconds: number, text: string, after: string): Promise<void>
  line(text?: string): void
  paint: Paint
}

const WIDTH_MAX = 96
const READING_MS_A_CHARACTER = 16
const LOOKING_MS = 650
const METHOD_COLOURS: Record<string, 'blue' | 'green' | 'yellow' | 'red'> = {
  GET: 'blue',
  POST: 'green',
  PATCH: 'yellow',
  PUT: 'yellow',
  DELETE: 'red',
}

export function stageOn(
  out: NodeJS.WriteStream,
  {
    env,
    isPaced,
    chapters,
    signal,
  }: { env: NodeJS.ProcessEnv; isPaced: boolean; chapters: number; signal: AbortSignal },
): Stage {
  let chapter = 0
  // Steps that follow one another stand together, without an empty line between them.
  let acting = false
  const paint = painter({ env, stdout: out, stderr: out, cwd: '' }, out)
  const width = Math.min(out.columns ?? WIDTH_MAX, WIDTH_MAX) - 4
  const line = (text = '') => {
    acting = false
    out.write(text ? `  ${text}\n` : '\n')
  }
  const pause = async (ms: number) => {
    signal.throwIfAborted()
    if (isPaced) await wait(ms, undefined, { signal })
  }
  const gutter = (body: unknown) => {
    for (const text of jsonLines(body, width - 4, paint)) line(`${paint('dim', '│')} ${text}`)
  }
  const heading = (head: string, title: string) => {
    line()
    line(
      `${paint(['bold', 'cyan'], head)} ${paint('bold', title)} ` +
        `${paint('dim', '─'.repeat(Math.max(2, width - title.length - head.length - 2)))}`,
    )
  }

  return {
    isPaced,
    line,
    paint,
    title(text, aside) {
      line()
      line(`${paint(['bold', 'cyan'], text)}  ${paint('dim', aside)}`)
      line()
    },
    ready: (what, detail, ms) =>
      line(
        `${paint('green', '✓')} ${what.padEnd(15)} ` +
          `${paint('dim', detail.padEnd(Math.max(0, width - 26)))} ${paint('dim', took(ms).padStart(6))}`,
      ),
    async chapter(title) {
      heading(`${++chapter}/${chapters}`, title)
      await pause(LOOKING_MS)
    },
    ending: (title) => heading('●', title),
    async say(text) {
      line()
      for (const one of wrapped(text, width)) line(one)
      await pause(500 + text.length * READING_MS_A_CHARACTER)
    },
    async act(who, text) {
      if (!acting) line()
      const indent = who.length + 3
      const [first = '', ...rest] = wrapped(text, width - indent)
      line(`${paint('magenta', `⇢ ${who}`)} ${first}`)
      for (const one of rest) line(' '.repeat(indent) + one)
      acting = true
      await pause(LOOKING_MS)
    },
    async request(method, origin, path, body) {
      line()
      const [, start = '', last = path] = /^(.*\/)([^/]+)$/.exec(path) ?? []
      line(
        `${paint(['bold', METHOD_COLOURS[method] ?? 'white'], `→ ${method}`)} ` +
          `${paint('dim', origin + start)}${paint('bold', last)}`,
      )
      if (body !== undefined) gutter(body)
      await pause(LOOKING_MS / 2)
    },
    async reply(status, ms, body, aside) {
      line(
        `${paint(['bold', colourOf(status)], `← ${status}`)} ` +
          `${paint('dim', `in ${took(ms)}`)}${aside ? `  ${aside}` : ''}`,
      )
      if (body !== undefined) gutter(body)
      await pause(LOOKING_MS + JSON.stringify(body ?? '').length)
    },
    async countdown(seconds, text, after) {
      line()
      for (let left = seconds; left > 0; left--) {
        if (out.isTTY)
          out.write(
            `\r  ${paint('yellow', '◷')} ${text} ${paint('bold', `${left} s`)} ${paint('dim', '·'.repeat(left))}\x1b[K`,
          )
        await wait(1_000, undefined, { signal })
      }
      if (out.isTTY) out.write('\r\x1b[K')
      line(`${paint('yellow', '◷')} ${after}`)
    },
  }
}

const took = (ms: number) =>
  ms < 1_000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`

function colourOf(status: number): 'green' | 'cyan' | 'yellow' | 'red' {
  if (status < 300) return 'green'
  if (status < 400) return 'cyan'
  return status < 500 ? 'yellow' : 'red'
}

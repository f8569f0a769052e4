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

interface StageOptions {
  readonly env: NodeJS.ProcessEnv
  readonly isPaced: boolean
  readonly chapters: number
  readonly signal: AbortSignal
}

/** Creates the output of the tour on a stream. */
export const stageOn = (out: NodeJS.WriteStream, options: StageOptions): Stage =>
  new PrintedStage(out, options)

class PrintedStage implements Stage {
  readonly isPaced: boolean
  readonly paint: Paint
  private readonly out: NodeJS.WriteStream
  private readonly chapters: number
  private readonly signal: AbortSignal
  private readonly width: number
  private chapterCount = 0
  /** Whether the last lines were steps of a person: steps in a row have no empty line between them. */
  private hasSteps = false

  constructor(out: NodeJS.WriteStream, { env, isPaced, chapters, signal }: StageOptions) {
    this.out = out
    this.isPaced = isPaced
    this.chapters = chapters
    this.signal = signal
    this.paint = painter({ env, stdout: out, stderr: out, cwd: '' }, out)
    this.width = Math.min(out.columns ?? WIDTH_MAX, WIDTH_MAX) - 4
  }

  line(text = ''): void {
    this.hasSteps = false
    this.out.write(text ? `  ${text}\n` : '\n')
  }

  title(text: string, aside: string): void {
    this.line()
    this.line(`${this.paint(['bold', 'cyan'], text)}  ${this.paint('dim', aside)}`)
    this.line()
  }

  ready(what: string, detail: string, ms: number): void {
    this.line(
      `${this.paint('green', '✓')} ${what.padEnd(15)} ` +
        `${this.paint('dim', detail.padEnd(Math.max(0, this.width - 26)))} ` +
        this.paint('dim', took(ms).padStart(6)),
    )
  }

  async chapter(title: string): Promise<void> {
    this.heading(`${++this.chapterCount}/${this.chapters}`, title)
    await this.pause(LOOKING_MS)
  }

  ending(title: string): void {
    this.heading('●', title)
  }

  async say(text: string): Promise<void> {
    this.line()
    for (const one of wrapped(text, this.width)) this.line(one)
    await this.pause(500 + text.length * READING_MS_A_CHARACTER)
  }

  async act(who: string, text: string): Promise<void> {
    if (!this.hasSteps) this.line()
    const indent = who.length + 3
    const [first = '', ...rest] = wrapped(text, this.width - indent)
    this.line(`${this.paint('magenta', `⇢ ${who}`)} ${first}`)
    for (const one of rest) this.line(' '.repeat(indent) + one)
    this.hasSteps = true
    await this.pause(LOOKING_MS)
  }

  async request(method: string, origin: string, path: string, body: unknown): Promise<void> {
    this.line()
    const [, start = '', last = path] = /^(.*\/)([^/]+)$/.exec(path) ?? []
    this.line(
      `${this.paint(['bold', METHOD_COLOURS[method] ?? 'white'], `→ ${method}`)} ` +
        `${this.paint('dim', origin + start)}${this.paint('bold', last)}`,
    )
    this.printBody(body)
    await this.pause(LOOKING_MS / 2)
  }

  async reply(status: number, ms: number, body: unknown, aside?: string): Promise<void> {
    this.line(
      `${this.paint(['bold', colourOf(status)], `← ${status}`)} ` +
        `${this.paint('dim', `in ${took(ms)}`)}${aside ? `  ${aside}` : ''}`,
    )
    this.printBody(body)
    await this.pause(LOOKING_MS + JSON.stringify(body ?? '').length)
  }

  async countdown(seconds: number, text: string, after: string): Promise<void> {
    const { out, paint } = this
    this.line()
    for (let left = seconds; left > 0; left--) {
      if (out.isTTY)
        out.write(
          `\r  ${paint('yellow', '◷')} ${text} ${paint('bold', `${left} s`)} ${paint('dim', '·'.repeat(left))}\x1b[K`,
        )
      await wait(1_000, undefined, { signal: this.signal })
    }
    if (out.isTTY) out.write('\r\x1b[K')
    this.line(`${paint('yellow', '◷')} ${after}`)
  }

  private heading(head: string, title: string): void {
    this.line()
    this.line(
      `${this.paint(['bold', 'cyan'], head)} ${this.paint('bold', title)} ` +
        this.paint('dim', '─'.repeat(Math.max(2, this.width - title.length - head.length - 2))),
    )
  }

  private printBody(body: unknown): void {
    if (body === undefined) return
    for (const text of jsonLines(body, this.width - 4, this.paint))
      this.line(`${this.paint('dim', '│')} ${text}`)
  }

  private async pause(ms: number): Promise<void> {
    this.signal.throwIfAborted()
    if (this.isPaced) await wait(ms, undefined, { signal: this.signal })
  }
}

const took = (ms: number) =>
  ms < 1_000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`

function colourOf(status: number): 'green' | 'cyan' | 'yellow' | 'red' {
  if (status < 300) return 'green'
  if (status < 400) return 'cyan'
  return status < 500 ? 'yellow' : 'red'
}

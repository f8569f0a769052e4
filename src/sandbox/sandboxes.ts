import { createHash } from 'node:crypto'
import { stoppedOutcome } from './outcome.ts'
import {
  type Sandbox,
  type SandboxDriver,
  type Sandboxes,
  type SandboxLimits,
  type SandboxRequest,
  type SandboxResult,
  type SandboxSize,
  SandboxStopped,
} from './types.ts'

/** No sandbox can be started at the moment. */
export class SandboxBusy extends Error {}

interface Entry {
  readonly session: string
  readonly size: SandboxSize
  readonly sandbox: Promise<Sandbox>
  readonly startedAt: number
  lastUsedAt: number
  active: number
  runs: number
  tail: Promise<unknown>
}

const SWEEP_MS = 15_000
const REFILL_MS = 1_000
/** Clients give up after a minute and repeat the request, so the result of a long run is available a little longer. */
const LONG_RUN_MS = 50_000
const RESULT_KEPT_MS = 10_000

export function createSandboxes(
  driver: SandboxDriver,
  limits: SandboxLimits,
  now: () => number = Date.now,
): Sandboxes {
  return new SandboxRegistry(driver, limits, now)
}

class SandboxRegistry implements Sandboxes {
  readonly driver: string
  private readonly entries = new Map<string, Entry>()
  private readonly inProgress = new Map<string, Promise<SandboxResult>>()
  private readonly warm: Promise<Sandbox>[] = []
  private readonly timer: NodeJS.Timeout
  private closed = false
  private readonly source: SandboxDriver
  private readonly limits: SandboxLimits
  private readonly now: () => number

  constructor(source: SandboxDriver, limits: SandboxLimits, now: () => number) {
    this.source = source
    this.limits = limits
    this.now = now
    this.driver = source.name
    this.timer = setInterval(() => this.sweep(), SWEEP_MS)
    this.timer.unref()
  }

  run(request: SandboxRequest): Promise<SandboxResult> {
    const { kind, code } = request.run
    const digest = createHash('sha256').update(`${kind}\0${code}`).digest('base64')
    const key = `${request.session} ${digest}`
    const same = this.inProgress.get(key)
    if (same) return same
    const startedAt = performance.now()
    const running = this.enqueue(request)
    this.inProgress.set(key, running)
    const forget = () => {
      if (this.inProgress.get(key) === running) this.inProgress.delete(key)
    }
    void running
      .catch(() => {})
      .then(() => {
        if (performance.now() - startedAt < LONG_RUN_MS) return forget()
        return setTimeout(forget, RESULT_KEPT_MS).unref()
      })
    return running
  }

  async prepare(): Promise<void> {
    if (!this.closed) await this.source.prepare?.()
  }

  has(session: string): boolean {
    return this.entries.has(session)
  }

  stop(session: string, reason: string): void {
    const entry = this.entries.get(session)
    if (entry) this.drop(entry, reason)
  }

  async close(): Promise<void> {
    this.closed = true
    clearInterval(this.timer)
    this.entries.clear()
    await this.source.close()
    await Promise.allSettled(this.warm)
    await this.source.close()
  }

  private enqueue(request: SandboxRequest): Promise<SandboxResult> {
    const entry = this.entryFor(request)
    entry.active++
    const running = entry.tail.then(() => this.perform(entry, request))
    entry.tail = running.catch(() => {})
    return running.finally(() => {
      entry.active--
      entry.lastUsedAt = this.now()
    })
  }

  private async perform(entry: Entry, { run, host, listMount }: SandboxRequest): Promise<SandboxResult> {
    const isNew = entry.runs++ === 0
    let sandboxId = ''
    try {
      const sandbox = await entry.sandbox
      sandboxId = sandbox.id
      const mount = await listMount()
      return { outcome: await sandbox.run({ ...run, mount }, host), sandboxId, isNew }
    } catch (error) {
      if (!(error instanceof SandboxStopped)) throw error
      this.forget(entry)
      return { outcome: stoppedOutcome(error.message), sandboxId, isNew }
    }
  }

  /** The sandbox of the session, or a new one: the first, another size, or after the maximum age. */
  private entryFor({ session, size }: SandboxRequest): Entry {
    const entry = this.entries.get(session)
    if (entry && entry.size === size && !(entry.active === 0 && this.isOld(entry))) return entry
    if (entry) this.drop(entry, 'it was replaced')
    if (this.closed) throw new SandboxBusy('The server stops.')
    const warm = this.takeWarm(size)
    if (!warm) this.makeRoom()
    const created: Entry = {
      session,
      size,
      sandbox: warm ?? this.source.start(size),
      startedAt: this.now(),
      lastUsedAt: this.now(),
      active: 0,
      runs: 0,
      tail: Promise.resolve(),
    }
    this.entries.set(session, created)
    created.sandbox.then(
      ({ ended }) => ended.then(() => this.forget(created)),
      () => this.forget(created),
    )
    // Later, so that starting the next sandbox does not slow down the first call of this one.
    setTimeout(() => this.fillWarm(), REFILL_MS).unref()
    return created
  }

  private isOld({ startedAt }: Entry): boolean {
    return this.now() - startedAt > this.limits.maxAgeMs
  }

  /** Stops a warm sandbox or the one that was idle for the longest time. @throws SandboxBusy if all are in use */
  private makeRoom(): void {
    if (this.entries.size + this.warm.length < this.limits.sandboxesMax) return
    const spare = this.warm.shift()
    if (spare) return stopSandbox(spare, 'a session needed its place')
    const [oldest] = [...this.entries.values()]
      .filter(({ active }) => active === 0)
      .sort((a, b) => a.lastUsedAt - b.lastUsedAt)
    if (!oldest)
      throw new SandboxBusy(
        `All ${this.limits.sandboxesMax} sandboxes of this server are in use. Try again later.`,
      )
    this.drop(oldest, 'another session needed its place')
  }

  private takeWarm(size: SandboxSize): Promise<Sandbox> | undefined {
    return size === 'standard' ? this.warm.shift() : undefined
  }

  private fillWarm(): void {
    const room = this.limits.sandboxesMax - this.entries.size
    while (!this.closed && this.warm.length < Math.min(this.limits.warm, room)) {
      const sandbox = this.source.start('standard')
      this.warm.push(sandbox)
      const remove = () => {
        const at = this.warm.indexOf(sandbox)
        if (at >= 0) void this.warm.splice(at, 1)
      }
      sandbox.then(({ ended }) => ended.then(remove), remove)
    }
  }

  private sweep(): void {
    const idleSince = this.now() - this.limits.idleMs
    for (const entry of this.entries.values())
      if (entry.active === 0 && (entry.lastUsedAt < idleSince || this.isOld(entry)))
        this.drop(entry, 'it was idle')
  }

  private drop(entry: Entry, reason: string): void {
    this.forget(entry)
    stopSandbox(entry.sandbox, reason)
  }

  private forget(entry: Entry): void {
    if (this.entries.get(entry.session) === entry) this.entries.delete(entry.session)
  }
}

function stopSandbox(starting: Promise<Sandbox>, reason: string): void {
  starting.then(
    (sandbox) => sandbox.stop(reason),
    () => {},
  )
}

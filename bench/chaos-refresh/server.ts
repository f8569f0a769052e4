import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Copy } from './program.ts'

const READY_MS = 60_000
const STOP_MS = 15_000
const RESTART_MS = 500

/** One process of the program that is killed and started again. */
export interface Server {
  /** Where it listens, empty if it does not; undefined while it starts. */
  url: string | undefined
  /** How often it was killed. */
  kills: number
  /** When each of its processes was killed. */
  killedAt: Map<string, number>
  ready(): Promise<string>
  /** `kill -9`, and at once a new process. */
  kill(): void
  stop(): Promise<void>
}

/** @param ready what a process prints once it works; its first group, if it has one, is the address */
export async function startServer(
  { root, name }: Copy,
  number: number,
  env: Record<string, string>,
  ready = /listening on (http:\S+)/,
): Promise<Server> {
  let child: ChildProcess
  let up: Promise<string>
  const server: Server = {
    url: undefined,
    kills: 0,
    killedAt: new Map(),
    ready: () => up,
    kill() {
      server.url = undefined
      child.kill('SIGKILL')
      server.killedAt.set(`${number}.${server.kills++}`, performance.now())
      launch()
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })])
      child.kill('SIGKILL')
    },
  }
  function launch(): void {
    const { PATH = '', HOME = '' } = process.env
    name(`${number}.${server.kills}`)
    child = spawn(process.execPath, ['bin/patchbay.js', 'start'], {
      cwd: root,
      env: { PATH, HOME, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const own = child
    up = readyUrl(child, ready).then(
      (url) => (server.url = url),
      async (error: unknown) => {
        // A process that was killed has a successor already; one that could not start, because the database
        // was away, is started again as a supervisor would.
        if (server.kills === 0 || own.signalCode !== null) throw error
        await wait(RESTART_MS)
        launch()
        return up
      },
    )
    up.catch(() => {}) // reported to the caller that waits
  }
  launch()
  await server.ready()
  return server
}

function readyUrl(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(
      () => reject(new Error(`A server was not ready within ${READY_MS / 1_000} s:\n${output}`)),
      READY_MS,
    )
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = ready.exec(output)
      if (found) {
        clearTimeout(timer)
        resolve(found[1] ?? '')
      }
    })
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`A server ended with ${code ?? signal}:\n${output}`))
    })
  })
}

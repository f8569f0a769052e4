import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FromPeer, ToPeer } from './peer-messages.ts'

const OUTPUT_TAIL_CHARS_MAX = 4_000
const READY_TIMEOUT_MS = 60_000
const CALL_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 5_000

/** What every peer offers besides its own facts. */
export interface PeerControl {
  /** Process id, also the id of its process group; for tests that freeze it with SIGSTOP. */
  pid: number
  /** Its state, its working directory and its home; gone once it has ended. */
  directory: string
  /** Ends the peer, politely at first and by SIGKILL after 5 s, and removes its directory. Safe to call twice. */
  stop(): Promise<void>
  /** Ends the peer by SIGKILL at once, as a crash would, and removes its directory. */
  kill(): Promise<void>
}

export interface PeerProcess<Facts> {
  facts: Facts
  control: PeerControl
  /** Calls a control of the peer by its name. Throws when the peer refuses, is gone or does not answer within 10 s. */
  call<Answer>(method: string): Promise<Answer>
}

export interface PeerProcessOptions<Facts> {
  name: string
  /** The module that runs in the child; it calls `servePeer`. */
  entry: URL
  /** Given to the child over its channel and not by the command line, which `ps` shows to everybody. */
  config: unknown
  /** Asks the peer something over its real interface; throws when the answer is not the one of a ready peer. */
  probe(facts: Facts, signal: AbortSignal): Promise<void>
  readyTimeoutMs?: number
}

/**
 * Starts a peer in a process of its own and waits until it really answers.
 * Throws when that does not happen within `readyTimeoutMs` (60 s); the message ends with the child's last output.
 */
export async function startPeerProcess<Facts>(
  options: PeerProcessOptions<Facts>,
): Promise<PeerProcess<Facts>> {
  const directory = await mkdtemp(join(tmpdir(), `patchbay-${options.name}-`))
  const child = fork(fileURLToPath(options.entry), [], {
    cwd: directory,
    // Only this: nothing of the caller's environment (proxies, npm_*, NODE_OPTIONS, PG*) may change what a peer does.
    env: { PATH: process.env.PATH, HOME: directory, TMPDIR: directory, NODE_ENV: 'production' },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own, so that what the peer itself starts can be ended with it.
    detached: true,
  })
  const outputTail = collectOutputTail(child)
  const end = endOnce(child, directory)
  const signal = AbortSignal.timeout(options.readyTimeoutMs ?? READY_TIMEOUT_MS)
  try {
    const facts = await readyFacts<Facts>(child, { kind: 'start', directory, config: options.config }, signal)
    await options.probe(facts, signal)
    return {
      facts,
      call: (method) => callPeer(child, method),
      control: { pid: child.pid!, directory, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') },
    }
  } catch (cause) {
    await end('SIGKILL')
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${options.name} did not start: ${reason}\n--- last output ---\n${outputTail()}`, {
      cause,
    })
  }
}

function collectOutputTail(child: ChildProcess): () => string {
  let tail = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-OUTPUT_TAIL_CHARS_MAX)
    })
  }
  return () => tail
}

function readyFacts<Facts>(child: ChildProcess, start: ToPeer, signal: AbortSignal): Promise<Facts> {
  return answerOf<Facts>(child, start, signal, (message) => {
    if (message.kind === 'ready') return { value: message.facts }
    return message.kind === 'failed' ? { error: message.error } : undefined
  })
}

let lastCallId = 0

function callPeer<Answer>(child: ChildProcess, method: string): Promise<Answer> {
  const id = ++lastCallId
  return answerOf<Answer>(
    child,
    { kind: 'call', id, method },
    AbortSignal.timeout(CALL_TIMEOUT_MS),
    (message) => (message.kind === 'answer' && message.id === id ? message : undefined),
  )
}

/** Sends `question` and settles with the first message that `pick` recognises, or with the end of the child. */
function answerOf<Answer>(
  child: ChildProcess,
  question: ToPeer,
  signal: AbortSignal,
  pick: (message: FromPeer) => { value?: unknown; error?: string } | undefined,
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const settle = (act: () => void): void => {
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      signal.removeEventListener('abort', onAbort)
      act()
    }
    const onMessage = (message: unknown): void => {
      const picked = pick(message as FromPeer)
      if (!picked) return
      settle(() =>
        picked.error === undefined ? resolve(picked.value as Answer) : reject(new Error(picked.error)),
      )
    }
    const onExit = (code: number | null, by: string | null): void =>
      settle(() => reject(new Error(`the process ended (${by ?? `exit code ${code}`})`)))
    const onError = (error: Error): void => settle(() => reject(error))
    const onAbort = (): void => settle(() => reject(new Error('no answer in time')))
    if (hasEnded(child)) return reject(new Error('the process has ended'))
    child.on('message', onMessage).on('exit', onExit).on('error', onError)
    signal.addEventListener('abort', onAbort)
    child.send(question, (error) => {
      if (error) onError(error)
    })
  })
}

/** The ending of one child: whoever calls first decides how, and everybody waits for the same end. */
function endOnce(child: ChildProcess, directory: string): (by: NodeJS.Signals) => Promise<void> {
  let ended: Promise<void> | undefined
  return (by) => (ended ??= end(child, by).finally(() => rm(directory, { recursive: true, force: true })))
}

async function end(child: ChildProcess, by: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined) return
  await new Promise<void>((resolve) => {
    if (hasEnded(child)) return resolve()
    const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    child.once('exit', () => {
      clearTimeout(impatience)
      resolve()
    })
    child.kill(by)
  })
  killGroup(child.pid)
  child.stdout!.destroy()
  child.stderr!.destroy()
}

/** Ends what the peer had started itself and left behind. */
function killGroup(groupId: number): void {
  try {
    process.kill(-groupId, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

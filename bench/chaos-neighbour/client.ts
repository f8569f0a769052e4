import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type { Figures } from '../execute/callers.ts'
import type { Attack } from './attacks.ts'
import type { SteadyFigures, SteadyLoad } from './steady-caller.ts'

type HostileLoad = Attack & { seconds: number }
/** What a client process does. */
export type ClientTask = { kind: 'steady'; load: SteadyLoad } | { kind: 'hostile'; load: HostileLoad }

/**
 * Lets a process use only processor time that nobody else wants. Real callers and applications run on other machines;
 * on this one they would take it from the server.
 */
export function useSpareTime(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_LOW)
}

/**
 * Runs the calls of one tenant in a process of its own. In one process, the hostile calls would delay the measurement
 * of the others.
 */
async function run<T>(task: ClientTask): Promise<T> {
  const child = fork(new URL('./client-process.ts', import.meta.url), [], { serialization: 'advanced' })
  if (task.kind === 'hostile' && child.pid) useSpareTime(child.pid)
  try {
    const exit = once(child, 'exit').then(([code]) => {
      throw new Error(`A client process ended with ${code}.`)
    })
    child.send(task)
    const [figures] = await Promise.race([once(child, 'message') as Promise<[T]>, exit])
    return figures
  } finally {
    child.kill()
  }
}

export const runSteady = (load: SteadyLoad): Promise<SteadyFigures> => run({ kind: 'steady', load })
export const runHostile = (load: HostileLoad): Promise<Figures> => run({ kind: 'hostile', load })

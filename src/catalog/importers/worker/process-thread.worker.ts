import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { siblingModule } from '../../../platform/module-url.ts'
import { endFirstWithoutMemory } from '../../../platform/machine-memory.ts'
import { lowerThreadPriority } from '../../../platform/thread-priority.ts'
import type { ProcessEvent, ProcessOrder, StartOptions } from './process-thread.ts'

// A thread that starts import processes, and passes their messages on. Starting one stops the thread that does it for
// 10 to 20 ms: the system copies the tables of its memory, and the thread waits until the new program runs.

/** After the disconnect a process exits, and saves its compile cache for the next import. */
const END_MS_MAX = 5_000

// The processes inherit the priority of this thread.
lowerThreadPriority()

const processes = new Map<number, ChildProcess>()
const report = (event: ProcessEvent): void => parentPort?.postMessage(event)

parentPort?.on('message', (order: ProcessOrder) => {
  const { id } = order
  if ('start' in order) return start(id, order.start)
  const child = processes.get(id)
  if (!child) return
  // Messages to a process that ended are dropped: its exit is reported.
  if ('message' in order) return void (child.connected && child.send(order.message, () => {}))
  if (order.end === 'disconnect' && child.connected) disconnect(child)
  else child.kill('SIGKILL')
})

function start(id: number, { memoryMb, env }: StartOptions): void {
  const child = fork(fileURLToPath(siblingModule(import.meta.url, 'child')), [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  endFirstWithoutMemory(child.pid)
  processes.set(id, child)
  child.on('message', (message) => report({ id, message }))
  child.once('error', (error) => {
    processes.delete(id)
    report({ id, failure: error.message })
  })
  child.once('exit', (code, killedBy) => {
    processes.delete(id)
    report({ id, exit: { code, killedBy } })
  })
}

function disconnect(child: ChildProcess): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX)
  child.once('exit', () => clearTimeout(timer))
  child.disconnect()
}

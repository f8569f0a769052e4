import type { Frame } from './frames.ts'
import { SANDBOX_OPERATIONS, type SandboxHost, type SandboxOperation } from './types.ts'

const REQUESTS_AT_ONCE_MAX = 64
const REQUESTS_PER_RUN_MAX = 50_000
const ERROR_CHARACTERS_MAX = 2_000
const MOUNT_PATH_BYTES_MAX = 1_024

/** Performs the requests of one run. Every driver uses it: what it accepts is all that code can ask for. */
export interface RunRequests {
  /** Adds a request. Throws after too many requests: the sandbox must be stopped then. */
  add(request: Frame): void
}

/** The run made more requests than allowed. `message` is a reason for people. */
export class TooManyRequests extends Error {}

/** @param reply receives a frame of type `reply` or `failed` with the id of the request */
export function createRunRequests(
  host: SandboxHost,
  signal: AbortSignal,
  reply: (frame: Frame) => void,
): RunRequests {
  const queue: Frame[] = []
  let [count, active] = [0, 0]
  const startQueued = (): void => {
    while (active < REQUESTS_AT_ONCE_MAX && queue.length) {
      active++
      void perform(queue.shift() as Frame, host, signal).then((frame) => {
        active--
        reply(frame)
        startQueued()
      })
    }
  }
  return {
    add(request) {
      if (++count > REQUESTS_PER_RUN_MAX)
        throw new TooManyRequests(`a run made more than ${REQUESTS_PER_RUN_MAX} requests`)
      queue.push(request)
      startQueued()
    },
  }
}

async function perform({ header, body }: Frame, host: SandboxHost, signal: AbortSignal): Promise<Frame> {
  const { id, op, text = '' } = header
  try {
    if (!isOperation(op)) throw new Error(`There is no operation ${String(op).slice(0, 50)}.`)
    if (op.startsWith('mount.') && !isMountPath(text))
      throw new Error('A path must be below /mnt/files, without dots as parts, and have at most 1024 bytes.')
    const { text: replyText = '', body: replyBody = new Uint8Array(0) } = await host(op, text, body, signal)
    return { header: { type: 'reply', id, text: replyText }, body: replyBody }
  } catch (error) {
    const message = (error as Error).message.slice(0, ERROR_CHARACTERS_MAX) || 'failed'
    return { header: { type: 'failed', id, text: message }, body: new Uint8Array(0) }
  }
}

const isOperation = (name: string | undefined): name is SandboxOperation =>
  (SANDBOX_OPERATIONS as readonly (string | undefined)[]).includes(name)

/** Whether a path stays below the mount. The sandbox could send any text. */
const isMountPath = (path: string): boolean =>
  Buffer.byteLength(path) <= MOUNT_PATH_BYTES_MAX &&
  path.isWellFormed() &&
  !/[\0-\x1f\x7f\\]/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

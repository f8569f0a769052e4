import { createStore } from './store.ts'

/** When the requests that were rejected as too many are sent again, in ms since the epoch; undefined if none waits. */
export const repeatsAt = createStore<number | undefined>(undefined)

const pending = new Map<() => void, number>()

function update(): void {
  repeatsAt.set(pending.size === 0 ? undefined : Math.max(...pending.values()))
}

/** Waits until the server accepts requests again, or the person does not want to wait. Rejects if `signal` aborts. */
export function waitForRateLimit(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      pending.delete(end)
      update()
      resolve()
    }
    const onAbort = () => {
      reject(signal?.reason as Error)
      end()
    }
    const timer = setTimeout(end, seconds * 1_000)
    signal?.addEventListener('abort', onAbort)
    pending.set(end, Date.now() + seconds * 1_000)
    update()
  })
}

/** Sends the requests that wait at once. */
export function repeatNow(): void {
  for (const end of pending.keys()) end()
}

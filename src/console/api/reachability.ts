import { PREFIX } from './base.ts'
import { createStore } from './store.ts'

const CHECK_MS_MAX = 5_000
const FIRST_DELAY_MS = 1_000
const DELAY_MS_MAX = 15_000
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504])

/** Whether the server responds. While it does not, it is asked again and again. */
export const isReachable = createStore(true)

let timer: ReturnType<typeof setTimeout> | undefined
let running: Promise<void> | undefined
let delay = FIRST_DELAY_MS

/** Asks whether the server responds, after a request failed or when the person wants to know. */
export function checkReachability(): Promise<void> {
  clearTimeout(timer)
  running ??= check().finally(() => {
    running = undefined
  })
  return running
}

/** Asks whether the server responds, if a response has a status of proxies, or of a server that starts or stops. */
export function checkUnavailable(status: number): void {
  if (UNAVAILABLE.has(status)) void checkReachability()
}

async function check(): Promise<void> {
  const response = await fetch(`${PREFIX}/healthz`, { signal: AbortSignal.timeout(CHECK_MS_MAX) }).catch(
    () => undefined,
  )
  const isUp = response?.ok ?? false
  isReachable.set(isUp)
  if (isUp) {
    delay = FIRST_DELAY_MS
    return
  }
  timer = setTimeout(() => void checkReachability(), delay)
  delay = Math.min(delay * 2, DELAY_MS_MAX)
}

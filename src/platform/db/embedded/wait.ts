import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls `check` every `everyMs` until it returns a value other than false, null or undefined. Returns
 * undefined after `timeoutMs`.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  timeoutMs: number,
  everyMs = 10,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await check()
    if (value !== undefined && value !== null && value !== false) return value
    if (performance.now() >= deadline) return undefined
    await sleep(everyMs)
  }
}

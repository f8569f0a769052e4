import { setTimeout as wait } from 'node:timers/promises'

/** Asks until the answer is neither false nor undefined, and gives it; fails with `what` after the bound. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  withinMs = 60_000,
): Promise<Exclude<T, false | undefined | null>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== undefined && answer !== null)
      return answer as Exclude<T, false | undefined | null>
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs / 1_000} s: ${what}`)
    await wait(20)
  }
}

/** Everything that has to be gone at the end, whatever the end is; the last that came is the first to go. */
export interface Cleanup {
  add(work: () => Promise<unknown>): void
  /** Takes charge of something that is being started: it is stopped even if it is ready only after the end began. */
  own<T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T>
  /** Never throws: what cannot be stopped must not keep the rest. Answers what went wrong. */
  run(): Promise<unknown[]>
}

export function cleanupStack(): Cleanup {
  const works: (() => Promise<unknown>)[] = []
  let running: Promise<unknown[]> | undefined

  async function runAll(): Promise<unknown[]> {
    const failures: unknown[] = []
    for (let work = works.pop(); work; work = works.pop())
      await work().catch((error: unknown) => failures.push(error))
    return failures
  }

  return {
    add(work) {
      works.push(work)
    },
    own(starting) {
      works.push(() =>
        starting.then(
          (one) => one.stop(),
          () => {},
        ),
      )
      return starting
    },
    run: () => (running ??= runAll()),
  }
}

/**
 * Waits for `work` for at most `ms` milliseconds, then returns what `onTimeout` returns, or throws what it
 * throws. The work itself continues; its later result or error is ignored. The timer does not keep the
 * process alive.
 */
export async function withTimeout<Result, Late = undefined>(
  work: Promise<Result>,
  ms: number,
  onTimeout?: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<void>((resolve) => {
    timer = setTimeout(() => resolve(), ms).unref()
  }).then(() => onTimeout?.() as Late)
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

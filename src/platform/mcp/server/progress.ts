/** Interval of progress notifications, in ms. */
const PROGRESS_MS = 5_000

/** What progress notifications need of a request of the SDK. */
interface ProgressRequest {
  readonly _meta?: { progressToken?: string | number | undefined } | undefined
  notify(notification: never): Promise<void>
}

/** Sends progress notifications until the returned function is called. */
export async function startProgress(request: ProgressRequest): Promise<() => void> {
  const token = request._meta?.progressToken
  if (token === undefined) return () => {}
  let ticks = 0
  const notify = () =>
    request
      .notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress: ticks, message: 'The tool is running.' },
      } as never)
      .catch(() => {})
  await notify()
  const timer = setInterval(() => {
    ticks++
    void notify()
  }, PROGRESS_MS)
  return () => clearInterval(timer)
}

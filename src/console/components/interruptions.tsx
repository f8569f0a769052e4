import { useEffect, useState } from 'react'
import { queryClient } from '../api/hooks.ts'
import { sessionNotice } from '../api/notice.ts'
import { repeatNow, repeatsAt } from '../api/rate-limit.ts'
import { checkReachability, isReachable } from '../api/reachability.ts'
import { slowRequests } from '../api/slow-requests.ts'
import { useStore } from '../api/store.ts'
import { Button } from './button.tsx'

/**
 * Says what keeps the page waiting, and what has changed for the person. Every frame and every dialog has it on top,
 * because a dialog covers the frame.
 */
export const Interruptions = () => (
  <div className="interruptions" role="status" aria-label="State of the connection">
    <Waiting />
    <Notice />
  </div>
)

/** One reason at a time: the others follow from it. */
function Waiting() {
  const isUp = useStore(isReachable)
  const limitedUntil = useStore(repeatsAt)
  const slow = useStore(slowRequests)
  if (!isUp) return <Unreachable />
  if (limitedUntil !== undefined) return <Limited until={limitedUntil} />
  return slow > 0 ? <Slow /> : null
}

function Unreachable() {
  const [isBusy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    await checkReachability()
    setBusy(false)
  }
  return (
    <div className="interruption bad">
      <p>The server cannot be reached. The page continues when it responds again, with what you entered.</p>
      <Button isSmall isBusy={isBusy} onClick={() => void check()}>
        Try now
      </Button>
    </div>
  )
}

function Limited({ until }: { until: number }) {
  const seconds = useSecondsUntil(until)
  return (
    <div className="interruption">
      <p>
        Too many requests. The page continues automatically
        {/* Not announced: it changes every second. */}
        <span aria-hidden="true"> in {seconds} s</span>.
      </p>
      <Button isSmall onClick={repeatNow}>
        Try now
      </Button>
    </div>
  )
}

function Slow() {
  return (
    <div className="interruption">
      <p>The server takes longer than usual. The page waits for the response.</p>
      {queryClient.isFetching() > 0 && (
        <Button isSmall onClick={readAgain}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Sends what is being read once more. Changes are not repeated: the server may be carrying them out. */
const readAgain = () =>
  void queryClient.refetchQueries({ predicate: ({ state }) => state.fetchStatus === 'fetching' })

function Notice() {
  const notice = useStore(sessionNotice)
  if (!notice) return null
  return (
    <div className="interruption">
      <p>{notice.text}</p>
      {notice.needsReload && (
        <Button isSmall onClick={() => location.reload()}>
          Reload
        </Button>
      )}
      <Button isSmall onClick={() => sessionNotice.set(undefined)}>
        Dismiss
      </Button>
    </div>
  )
}

const SECOND_MS = 1_000

function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [time])
  return Math.max(0, Math.ceil((time - now) / SECOND_MS))
}

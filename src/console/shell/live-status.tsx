import { useEffect, useState } from 'react'
import { PREFIX } from '../api/base.ts'

const CHECK_EVERY_MS = 15_000
const CHECK_MS_MAX = 5_000

/** Says whether the server can be reached, so that old data on a page is not taken for new data. */
export function LiveStatus() {
  const [isReachable, setReachable] = useState(true)
  useEffect(() => {
    const check = async () => {
      if (document.hidden) return
      const response = await fetch(`${PREFIX}/healthz`, { signal: AbortSignal.timeout(CHECK_MS_MAX) }).catch(
        () => undefined,
      )
      setReachable(response?.ok ?? false)
    }
    const timer = setInterval(() => void check(), CHECK_EVERY_MS)
    const onOffline = () => setReachable(false)
    const onOnline = () => void check()
    addEventListener('offline', onOffline)
    addEventListener('online', onOnline)
    return () => {
      clearInterval(timer)
      removeEventListener('offline', onOffline)
      removeEventListener('online', onOnline)
    }
  }, [])
  return (
    <span className={isReachable ? 'live' : 'live paused'} role="status">
      {isReachable ? 'Connected' : 'Server not reachable'}
    </span>
  )
}

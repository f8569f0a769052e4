import { useEffect } from 'react'
import { checkReachability, isReachable } from '../api/reachability.ts'
import { useStore } from '../api/store.ts'

const CHECK_EVERY_MS = 15_000

/** Says whether the server can be reached, so that old data on a page is not taken for new data. */
export function LiveStatus() {
  const isUp = useStore(isReachable)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void checkReachability()
    }, CHECK_EVERY_MS)
    const onOffline = () => isReachable.set(false)
    const onOnline = () => void checkReachability()
    addEventListener('offline', onOffline)
    addEventListener('online', onOnline)
    return () => {
      clearInterval(timer)
      removeEventListener('offline', onOffline)
      removeEventListener('online', onOnline)
    }
  }, [])
  return (
    <span className={isUp ? 'live' : 'live paused'} role="status">
      {isUp ? 'Connected' : 'Server not reachable'}
    </span>
  )
}

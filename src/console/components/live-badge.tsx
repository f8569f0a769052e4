import type { LiveState } from '../api/live.ts'

const TEXTS: Readonly<Record<LiveState, [tone: string, text: string]>> = {
  connecting: ['soft', 'Connecting…'],
  live: ['good', 'Live'],
  paused: ['warn', 'Updates every 10 s'],
}

/** Says whether the page receives changes at once. */
export const LiveBadge = ({ state }: { state: LiveState }) => {
  const [tone, text] = TEXTS[state]
  return (
    <span className={`badge ${tone}`} role="status">
      {text}
    </span>
  )
}

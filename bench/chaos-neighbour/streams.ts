import { Agent, get } from 'node:http'
import type { Load } from '../execute/callers.ts'

/** Opens streams of logs, and reads what they send. Returns a function that closes them. */
export function openStreams({ url, headers }: Pick<Load, 'url' | 'headers'>, count: number): () => void {
  const agent = new Agent({ maxSockets: count })
  for (let n = 0; n < count; n++) {
    const request = get(
      `${url}/api/v3.1/logs/stream`,
      { agent, headers: { accept: 'text/event-stream', ...headers } },
      (response) => response.on('error', () => {}).resume(),
    )
    request.on('error', () => {})
  }
  return () => agent.destroy()
}

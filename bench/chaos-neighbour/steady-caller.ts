import { Agent, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface SteadyFigures {
  /** How long each call took, in ms. */
  times: number[]
  failures: number
  /** The delay of the event loop of the caller: the part of the times that is not the server's. */
  clientDelayP99Ms: number
}

export interface SteadyLoad {
  url: string
  headers: Record<string, string>
  body: string
  perSecond: number
  seconds: number
}

/**
 * Calls at a steady rate, whatever the response time of earlier calls is: a caller that waits would send less to a slow
 * server and so hide how slow it is. The time of a call starts when it was due.
 */
export async function callSteadily({
  url,
  headers,
  body,
  perSecond,
  seconds,
}: SteadyLoad): Promise<SteadyFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delay.enable()
  const [startedAt, total] = [performance.now(), Math.floor(perSecond * seconds)]
  const calls = await Promise.all(
    Array.from({ length: total }, async (_, index) => {
      const dueAt = startedAt + (index * 1_000) / perSecond
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())))
      const isSuccess = await send(url, agent, headers, body)
      return { ms: performance.now() - dueAt, isSuccess }
    }),
  )
  agent.destroy()
  delay.disable()
  return {
    times: calls.map(({ ms }) => ms),
    failures: calls.filter(({ isSuccess }) => !isSuccess).length,
    clientDelayP99Ms: Math.max(0, delay.percentile(99) / 1_000_000 - DELAY_RESOLUTION_MS),
  }
}

const DELAY_RESOLUTION_MS = 1
const CALL_MS_MAX = 30_000

function send(url: string, agent: Agent, headers: Record<string, string>, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', ...headers },
        timeout: CALL_MS_MAX,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve(text.includes('"successful":true')))
        response.on('error', () => resolve(false))
      },
    )
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(false))
    sent.end(body)
  })
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A simulated issue tracker with 10,000 issues, which are the same in every run.

export const ISSUES = 10_000
const PER_PAGE_MAX = 100
const LABELS = ['bug', 'feature', 'question', 'security', 'documentation'] as const
const TEAMS = ['checkout', 'search', 'billing', 'mobile'] as const
const HOURS_PER_DAY = 24

/** An issue from its number. Security issues are closed fast, and every fourth issue is open. */
function issueOf(number: number) {
  const label = LABELS[(number * 7) % LABELS.length] as (typeof LABELS)[number]
  const hours = label === 'security' ? (number % 20) + 1 : ((number * 31) % (30 * HOURS_PER_DAY)) + 2
  return {
    number,
    title: `Issue ${number}`,
    label,
    team: TEAMS[(number * 3) % TEAMS.length],
    state: number % 4 === 0 ? 'open' : 'closed',
    hours_to_close: number % 4 === 0 ? null : hours,
  }
}

const description = (url: string) => ({
  openapi: '3.0.3',
  info: { title: 'Tracker', version: '1', description: 'Lists the issues of a simulated tracker.' },
  servers: [{ url }],
  paths: {
    '/issues': {
      get: {
        operationId: 'listIssues',
        summary: 'List issues',
        description: 'Returns a page of issues.',
        parameters: ['page', 'per_page'].map((name) => ({
          name,
          in: 'query',
          schema: { type: 'integer', minimum: 1 },
          description: name === 'page' ? 'Number of the page, from 1 on.' : 'Issues on a page, at most 100.',
        })),
        responses: { '200': { description: 'A page of issues.' } },
      },
    },
  },
})

/** Starts the tracker. `/openapi.json` describes it. */
export async function startTracker(port = 0): Promise<{ url: string; requests: () => number; stop(): void }> {
  let requests = 0
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    response.setHeader('content-type', 'application/json')
    if (pathname === '/openapi.json') return response.end(JSON.stringify(description(url)))
    requests++
    const perPage = Math.min(Number(searchParams.get('per_page') ?? PER_PAGE_MAX), PER_PAGE_MAX)
    const first = (Number(searchParams.get('page') ?? 1) - 1) * perPage + 1
    const count = Math.max(0, Math.min(perPage, ISSUES - first + 1))
    return response.end(
      JSON.stringify({ issues: Array.from({ length: count }, (_, at) => issueOf(first + at)) }),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests: () => requests,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

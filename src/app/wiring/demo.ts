import type { ProjectScoped } from '../../catalog/index.ts'
import { createEngine, createThrottling, type EngineDeps } from '../../engine/index.ts'
import { type DemoLoader, demoRoutes } from '../../features/demo/index.ts'
import { demoProjects } from '../../features/projects/index.ts'
import type { AppOptions } from '../options.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

/** The operation that creates and fills a demo project. */
export function wireDemo(
  options: AppOptions,
  { db, encryptor, clock }: PlatformPart,
  { api, http, authenticator }: HttpPart,
  engineDeps: ProjectScoped<EngineDeps>,
): void {
  demoRoutes(api, {
    projects: demoProjects({ db, encryptor, keysChanged: authenticator.forget }),
    loaderFor:
      options.simulateApplications &&
      (({ projectId, key }) => ({
        now: () => clock.now(),
        post: (request) => postToApi(http, key, request),
        runInPast: createPastRunner(engineDeps, projectId),
      })),
  })
}

/** Runs tools with the clock of the past, and logs the latency that a network would have had. */
function createPastRunner(deps: ProjectScoped<EngineDeps>, projectId: string): DemoLoader['runInPast'] {
  let current = { at: 0, latencyMs: 0 }
  const clock = { now: () => current.at }
  const { executeTool } = createEngine({
    ...deps,
    clock,
    // A week of calls in a moment: the limits of the real applications must neither delay them nor count them.
    throttling: createThrottling({ clock, wait: async () => {}, share() {} }),
    writeLogRow: (row) =>
      deps.writeLogRow({
        ...row,
        durationMs: row.durationMs === null ? null : row.durationMs + current.latencyMs,
        timings: { ...row.timings, application: (row.timings?.application ?? 0) + current.latencyMs },
      }),
  })
  return async (call) => {
    current = call
    await executeTool({
      projectId,
      settings: {
        checkOwner: false,
        maskSecrets: true,
        storePayloads: true,
        fileUrlSeconds: 3_600,
        ranksByUse: false,
      },
      toolSlug: call.tool,
      version: 'latest',
      userId: call.userId,
      arguments: call.arguments,
      requestId: `demo-${call.at}`,
      source: null,
      signal: AbortSignal.timeout(10_000),
    })
  }
}

/** Sends a request to the API of this process, with its checks and its audit log. */
async function postToApi(
  http: HttpPart['http'],
  key: string,
  { path, body }: Parameters<DemoLoader['post']>[0],
): Promise<Record<string, unknown>> {
  const reply = await http.inject({
    method: 'POST',
    url: `/api/v3.1${path}`,
    headers: { 'x-api-key': key },
    payload: body as Record<string, unknown>,
  })
  if (reply.statusCode >= 300)
    throw new Error(`POST ${path} of the demo data returned ${reply.statusCode}: ${reply.body.slice(0, 500)}`)
  return reply.json<Record<string, unknown>>()
}

import { readFile } from 'node:fs/promises'

export interface Server {
  readonly url: string
  readonly key: string
}

/** What the code in the workbench returned, and the chart that it left in the mount of the session. */
export interface Analysis {
  readonly stdout: string
  readonly results: string
  readonly chart: Buffer
}

const TOOLKIT = 'tracker'

/** Imports the tracker as a toolkit, runs the analysis in a new session, and downloads the chart. */
export async function analyseIssues(
  { url, key }: Server,
  trackerUrl: string,
  userId: string,
): Promise<Analysis> {
  const post = async (path: string, body: object): Promise<any> => {
    const reply = await fetch(`${url}/api/v3.1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path} returned ${reply.status}: ${await reply.text()}`)
    return reply.json()
  }
  await post('/toolkits/import', { type: 'openapi', url: `${trackerUrl}/openapi.json`, slug: TOOLKIT })
  const { session_id: session } = await post('/tool_router/session', {
    user_id: userId,
    toolkits: { enable: [TOOLKIT] },
  })
  const code = await readFile(new URL('analyse_issues.py', import.meta.url), 'utf8')
  const { data, error } = await post(`/tool_router/session/${session}/execute`, {
    tool_slug: 'SERVICE_REMOTE_WORKBENCH',
    arguments: { code_to_execute: `TOOL = "TRACKER_LIST_ISSUES"\n${code}` },
  })
  if (error) throw new Error(error)
  const { download_url: chartUrl } = await post(`/tool_router/session/${session}/mounts/files/download_url`, {
    mount_relative_path: 'hours_to_close.png',
  })
  const chart = await fetch(chartUrl)
  if (!chart.ok) throw new Error(`The chart cannot be downloaded: status ${chart.status}`)
  return { stdout: data.stdout, results: data.results, chart: Buffer.from(await chart.arrayBuffer()) }
}

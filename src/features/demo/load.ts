import { DEMO_APPLICATIONS, DEMO_REQUESTS, type DemoApplication, type DemoRequest } from './content.ts'
import { type PastCall, pastCalls } from './history.ts'

/** How the content of a demo project is created. */
export interface DemoLoader {
  /** Sends a request to the API of this server as the demo project. @throws if it fails */
  post(request: DemoRequest): Promise<Record<string, unknown>>
  /** Runs a tool as if at a time in the past. */
  runInPast(call: PastCall): Promise<void>
  now(): number
}

/** Fills a demo project: accounts, a week of calls, and what needs the attention of a person. */
export async function loadDemoContent(loader: DemoLoader): Promise<void> {
  for (const application of DEMO_APPLICATIONS) await connectUsers(loader, application)
  // One after another: the log orders calls by their start, and a call may use what an earlier one created.
  for (const call of pastCalls(loader.now())) await loader.runInPast(call)
  for (const request of DEMO_REQUESTS) await loader.post(request)
}

async function connectUsers(
  { post }: DemoLoader,
  { toolkit, scheme, credentials, users }: DemoApplication,
): Promise<void> {
  const { auth_config: config } = (await post({
    path: '/auth_configs',
    body: {
      toolkit: { slug: toolkit },
      auth_config: { type: 'use_custom_auth', authScheme: scheme, credentials: {} },
    },
  })) as { auth_config: { id: string } }
  for (const userId of users)
    await post({
      path: '/connected_accounts',
      body: {
        auth_config: { id: config.id },
        connection: { user_id: userId, state: { authScheme: scheme, val: credentials } },
      },
    })
}

/** One toolkit of the demo project: how its accounts sign in to the simulated application, and whose they are. */
export interface DemoApplication {
  toolkit: string
  scheme: 'BEARER_TOKEN' | 'API_KEY'
  /** Credentials that the simulation accepts. They are no secrets. */
  credentials: Readonly<Record<string, string>>
  users: readonly string[]
}

export const DEMO_APPLICATIONS: readonly DemoApplication[] = [
  {
    toolkit: 'github',
    scheme: 'BEARER_TOKEN',
    credentials: { token: 'simulated-token' },
    users: ['ada', 'grace'],
  },
  {
    toolkit: 'slack',
    scheme: 'BEARER_TOKEN',
    credentials: { token: 'xoxb-simulated' },
    users: ['ada', 'linus'],
  },
  {
    toolkit: 'stripe',
    scheme: 'API_KEY',
    credentials: { generic_api_key: 'sk_test_simulated' },
    users: ['grace'],
  },
  { toolkit: 'gmail', scheme: 'BEARER_TOKEN', credentials: { token: 'simulated-token' }, users: ['linus'] },
]

export const DEMO_TOOLKITS: readonly string[] = DEMO_APPLICATIONS.map(({ toolkit }) => toolkit)

const REPOSITORY = { owner: 'octocat', repo: 'hello-world' }

/** A call that agents of the demo project make again and again. */
export interface DemoCall {
  tool: string
  userId: string
  arguments: Readonly<Record<string, unknown>>
  perDay: number
}

export const DEMO_CALLS: readonly DemoCall[] = [
  { tool: 'GITHUB_LIST_REPOSITORY_ISSUES', userId: 'ada', arguments: REPOSITORY, perDay: 4 },
  {
    tool: 'GITHUB_CREATE_AN_ISSUE',
    userId: 'ada',
    arguments: { ...REPOSITORY, title: 'Checkout fails in Safari', body: 'Reported by three customers.' },
    perDay: 2,
  },
  // No such issue exists: a failure that the logs can show.
  {
    tool: 'GITHUB_GET_AN_ISSUE',
    userId: 'grace',
    arguments: { ...REPOSITORY, issue_number: 9_999 },
    perDay: 1,
  },
  { tool: 'SLACK_LIST_CHANNELS', userId: 'linus', arguments: {}, perDay: 1 },
  {
    tool: 'SLACK_SEND_MESSAGE',
    userId: 'ada',
    arguments: { channel: 'C0123456789', text: 'The nightly report is ready.' },
    perDay: 3,
  },
  { tool: 'STRIPE_LIST_INVOICES', userId: 'grace', arguments: {}, perDay: 2 },
  {
    tool: 'STRIPE_CREATE_CUSTOMER',
    userId: 'grace',
    arguments: { email: 'customer@example.com', name: 'Example Ltd' },
    perDay: 1,
  },
  { tool: 'GMAIL_LIST_LABELS', userId: 'linus', arguments: {}, perDay: 1 },
  {
    tool: 'GMAIL_SEND_EMAIL',
    userId: 'linus',
    arguments: { to: ['team@example.com'], subject: 'Weekly summary', body: 'All systems work.' },
    perDay: 1,
  },
]

/** Days of the execution log that are filled. */
export const DEMO_DAYS = 7

/** A request of the public API. */
export interface DemoRequest {
  path: string
  body: unknown
}

/** What is created after the calls, so that the policy withholds the last one only. */
export const DEMO_REQUESTS: readonly DemoRequest[] = [
  {
    path: '/policies',
    body: {
      name: 'Refunds need an approval',
      outcome: 'ask',
      message: 'Refunds are checked by a person.',
      approval_seconds: 86_400,
      when: { tools: ['STRIPE_CREATE_REFUND'] },
    },
  },
  {
    path: '/tools/execute/STRIPE_CREATE_REFUND',
    body: { user_id: 'grace', arguments: { charge: 'ch_3SimulatedCharge', amount: 4_200 } },
  },
  {
    path: '/trigger_instances/GITHUB_ISSUE_ADDED_EVENT/upsert',
    body: { user_id: 'ada', trigger_config: REPOSITORY },
  },
  {
    path: '/tool_router/session',
    body: { user_id: 'ada', toolkits: { enable: ['github', 'slack'] } },
  },
]

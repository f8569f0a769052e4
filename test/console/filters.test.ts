import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page, Request } from 'playwright-core'
import { sql, values } from '../../src/platform/db/sql.ts'
import type { TestConsole } from './console.ts'
import { startDemoConsole } from './demo-console.ts'

interface Setting {
  control: keyof typeof CONTROLS
  label: string
  value: string
  /** What the URL has afterwards. */
  parameter: string
  /** What the request for the list has afterwards, in its URL or its body. */
  sent: string
}

/** How a person sets a filter, and where the page shows it. */
const CONTROLS = {
  text: {
    find: (page: Page, label: string) => page.getByLabel(label, { exact: true }),
    async set(field: Locator, value: string) {
      await field.fill(value)
      await field.press('Enter')
    },
    read: (field: Locator) => field.inputValue(),
  },
  choice: {
    find: (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true }),
    async set(field: Locator, value: string) {
      await field.click()
      await field.page().getByRole('option', { name: value, exact: true }).click()
    },
    read: async (field: Locator) => (await field.textContent())?.trim() ?? '',
  },
  day: {
    find: (page: Page, label: string) => page.getByLabel(label, { exact: true }),
    set: (field: Locator, value: string) => field.fill(value),
    read: (field: Locator) => field.inputValue(),
  },
} as const

const setting = (
  control: Setting['control'],
  label: string,
  value: string,
  [parameter, sent]: [string, string],
): Setting => ({ control, label, value, parameter, sent })

/** Every list with filters: the path of its page, and where the page reads it. */
const LISTS: readonly { route: string; api: RegExp; settings: readonly Setting[] }[] = [
  {
    route: '/logs',
    api: /\/logs\/tool_execution$/,
    settings: [
      setting('choice', 'Outcome', 'Failed', ['status=failed', '"value":"failed"']),
      setting('choice', 'Time', 'Last 7 days', ['range=7d', '"time_range"']),
      setting('text', 'User', 'grace', ['user_id=grace', '"value":"grace"']),
    ],
  },
  {
    route: '/settings/audit-log',
    api: /\/audit_log$/,
    settings: [
      setting('choice', 'Outcome', 'Succeeded', ['outcome=success', 'outcome=success']),
      setting('choice', 'Operation', 'Change a session', [
        'action=sessions.update',
        'action=sessions.update',
      ]),
      setting('day', 'From', '2026-01-31', ['from=2026-01-31', 'from=2026-01-']),
    ],
  },
  {
    route: '/events',
    api: /\/events$/,
    settings: [
      setting('choice', 'Deliveries', 'Dead letters', ['status=dead', 'delivery_status=dead']),
      setting('text', 'Id of the webhook endpoint', 'ws_none', [
        'subscription=ws_none',
        'subscription_id=ws_none',
      ]),
    ],
  },
  {
    route: '/accounts',
    api: /\/connected_accounts$/,
    settings: [
      setting('choice', 'Status', 'Active', ['status=ACTIVE', 'statuses=ACTIVE']),
      setting('text', 'Application', 'github', ['toolkit=github', 'toolkit_slugs=github']),
      setting('text', 'User', 'ada', ['user=ada', 'user_ids=ada']),
    ],
  },
  {
    route: '/approvals',
    api: /\/approvals$/,
    settings: [setting('choice', 'Status', 'Denied', ['status=denied', 'status=denied'])],
  },
  {
    route: '/sessions',
    api: /\/tool_router\/session$/,
    settings: [setting('text', 'User', 'ada', ['user=ada', 'user_id=ada'])],
  },
  {
    route: '/users',
    api: /\/users$/,
    settings: [setting('text', 'Search by id', 'ada', ['search=ada', 'search=ada'])],
  },
  {
    route: '/applications',
    api: /\/toolkits$/,
    settings: [
      setting('text', 'Search', 'invoices', ['search=invoices', 'search=invoices']),
      setting('choice', 'Category', 'Payments', ['category=payments', 'category=payments']),
    ],
  },
  {
    route: '/webhooks/:id',
    api: /\/webhook_subscriptions\/[^/]+\/deliveries$/,
    settings: [setting('choice', 'Status', 'Dead letters', ['status=dead', 'status=dead'])],
  },
  {
    route: '/mcp/:id',
    api: /\/mcp\/client_grants$/,
    settings: [setting('text', 'User of the client', 'ada', ['client_user=ada', 'user_id=ada'])],
  },
]

test('console: filters of lists', async (t) => {
  const console = await startDemoConsole(t)
  const { url, page, demoProject, pages } = console
  const pathOf = (route: string) => pages.find((one) => one.route === route)?.path ?? ''
  await addGrant(console, demoProject, pathOf('/mcp/:id'))
  for (const list of LISTS)
    await t.test(
      `list ${list.route}: filters are in the URL, and a reload and the back button keep them`,
      async () => {
        await page.goto(`${url}/console${pathOf(list.route)}`)
        const filtered = requested(page, list)
        for (const one of list.settings) {
          await CONTROLS[one.control].set(fieldOf(page, one), one.value)
          await page.waitForURL((now) => now.search.includes(one.parameter))
        }
        await filtered
        await assertKept(page, list, () => page.reload())
        await page.getByRole('link', { name: 'Home', exact: true }).click()
        await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
        await assertShown(page, list, () => page.goBack())
        await page.getByRole('button', { name: 'Clear filters' }).click()
        await page.waitForURL((now) => now.search === '')
      },
    )
})

type List = (typeof LISTS)[number]

const fieldOf = (page: Page, { control, label }: Setting) => CONTROLS[control].find(page, label)

/** Waits for a request for the list with every filter. */
const requested = (page: Page, { api, settings }: List): Promise<Request> =>
  page.waitForRequest((request) => {
    const { pathname, search } = new URL(request.url())
    const text = `${search} ${request.postData() ?? ''}`
    return api.test(pathname) && settings.every(({ sent }) => text.includes(sent))
  })

async function assertShown(page: Page, { settings }: List, move: () => Promise<unknown>): Promise<void> {
  await move()
  for (const one of settings) {
    const field = fieldOf(page, one)
    await field.waitFor()
    assert.equal(await CONTROLS[one.control].read(field), one.value, one.label)
    assert.ok(page.url().includes(one.parameter), page.url())
  }
}

/** Asserts that the page shows and sends the same filters after it was loaded again, as a shared link would. */
async function assertKept(page: Page, list: List, load: () => Promise<unknown>): Promise<void> {
  const again = requested(page, list)
  await assertShown(page, list, load)
  await again
}

/** A connected client of the MCP server whose page is at `path`. Without any, the page has no filter. */
async function addGrant({ app }: TestConsole, project: string, path: string): Promise<void> {
  await app.db.run(
    sql`insert into mcp_grants ${values({
      id: 'mcg_1',
      project_id: project,
      resource_kind: 'mcp_server',
      resource_id: path.slice(path.lastIndexOf('/') + 1),
      user_id: 'ada',
      client_id: 'mcc_1',
      client_name: 'Claude Code',
    })}`,
  )
}

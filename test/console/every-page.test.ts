import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { overflowAfterResize } from '../fixtures/axe.ts'
import {
  type ConsolePage,
  focusFaults,
  openConsolePage,
  primaryActionFaults,
} from '../fixtures/console-pages.ts'
import { assertAccessible, VIEWPORTS } from './console.ts'
import { startDemoConsole } from './demo-console.ts'

const FAILURE = { error: { message: 'The database is not available.', suggested_fix: 'Try again later.' } }

interface List {
  path: string
  /** Where the page reads its rows, below `/api/v3.1`. */
  api: string
  /** Title of the page without rows. */
  empty: string
  /** A row of the demo data; undefined if there is none. */
  row: string | undefined
}

const LISTS: readonly List[] = [
  { path: '/logs', api: '/logs/tool_execution', empty: 'No executions match', row: 'STRIPE_CREATE_REFUND' },
  { path: '/users', api: '/users', empty: 'No users yet', row: 'linus' },
  { path: '/accounts', api: '/connected_accounts', empty: 'No accounts yet', row: 'gmail' },
  { path: '/approvals', api: '/approvals', empty: 'Nothing to decide', row: 'STRIPE_CREATE_REFUND' },
  { path: '/policies', api: '/policies', empty: 'No policies yet', row: 'Refunds need an approval' },
  { path: '/sessions', api: '/tool_router/session', empty: 'No sessions yet', row: 'trs_' },
  { path: '/mcp', api: '/mcp/servers', empty: 'No MCP servers yet', row: 'Issues and messages' },
  {
    path: '/triggers',
    api: '/trigger_instances/active',
    empty: 'No triggers yet',
    row: 'GITHUB_ISSUE_ADDED_EVENT',
  },
  { path: '/webhooks', api: '/webhook_subscriptions', empty: 'No endpoints yet', row: 'https://app.example' },
  { path: '/events', api: '/events', empty: 'No events yet', row: 'approval.requested' },
  { path: '/alerts', api: '/alert_rules', empty: 'No rules yet', row: 'Errors of executions' },
  { path: '/incidents', api: '/org/incidents', empty: 'No incidents', row: undefined },
  { path: '/settings/members', api: '/org/members', empty: 'No members yet', row: undefined },
  { path: '/settings/audit-log', api: '/audit_log', empty: 'No entries yet', row: 'Create a session' },
  {
    path: '/settings/organization-audit-log',
    api: '/org/audit_log',
    empty: 'No entries yet',
    row: 'Create a demo project',
  },
  { path: '/applications', api: '/toolkits', empty: 'No application matches', row: 'Slack' },
]

// The pages come from the route table of the console, so that a new page is checked too.
test('console: every page with demo data, and every list in each state', async (t) => {
  const { url, page, pages } = await startDemoConsole(t)
  assert.ok(pages.length > 30)
  for (const one of pages)
    await t.test(
      `page ${one.route}: accessible in both themes, fits a phone, and shows its action and the focus`,
      () => checkPage(page, url, one),
    )
  for (const list of LISTS)
    await t.test(`list ${list.path}: loads, is empty, fails with a next step, recovers and is full`, () =>
      checkList(page, url, list),
    )
})

/** Texts in which code is between backticks, instead of in an element for code. */
const TEXTS_WITH_BACKTICKS = `(() => {
  const found = []
  const walker = document.createTreeWalker(document.querySelector('#content'), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode
    if (data.includes('\`') && !parentElement.closest('pre, code, textarea')) found.push(data)
  }
  return found
})()`

async function checkPage(page: Page, url: string, { route, path }: ConsolePage): Promise<void> {
  await openConsolePage(page, url, path)
  await assertAccessible(page, route)
  assert.deepEqual(await focusFaults(page), [])
  assert.deepEqual(await page.evaluate(TEXTS_WITH_BACKTICKS), [], `${route} shows code as text`)
  assert.deepEqual(await primaryActionFaults(page), [])
  await page.setViewportSize(VIEWPORTS.phone)
  assert.equal(await overflowAfterResize(page), 0, `${route} is wider than a phone`)
  assert.deepEqual(await primaryActionFaults(page), [], `${route} on a phone`)
  assert.deepEqual(await focusFaults(page), [], `${route} on a phone`)
  await page.setViewportSize(VIEWPORTS.desktop)
}

async function checkList(page: Page, url: string, { path, api, empty, row }: List): Promise<void> {
  const isList = ({ pathname }: URL) => pathname === `/api/v3.1${api}`
  const content = page.locator('#content')
  let answer: (route: Route) => unknown
  const waiting = new Promise<void>((isRequested) => {
    answer = () => isRequested()
  })
  let pending: Route | undefined
  await page.route(isList, (route) => {
    pending = route
    return answer(route)
  })
  await page.goto(`${url}/console${path}`)
  await waiting
  await content.getByRole('status', { name: 'Loading' }).first().waitFor()
  answer = (route) => route.fulfill({ json: { items: [], logs: [], next_cursor: null, total_items: 0 } })
  await answer(pending as unknown as Route)
  await content.getByRole('heading', { name: empty }).waitFor()
  answer = (route) => route.fulfill({ status: 500, json: FAILURE })
  await page.reload()
  await content.getByRole('alert').getByText('The database is not available.').waitFor()
  await content.getByText('Try again later.').waitFor()
  await page.unroute(isList)
  await content.getByRole('button', { name: 'Try again' }).click()
  await content
    .getByText(row ?? empty)
    .first()
    .waitFor()
}

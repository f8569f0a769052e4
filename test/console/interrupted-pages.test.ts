import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page, Route } from 'playwright-core'
import type { ConsolePage } from '../fixtures/console-pages.ts'
import { startDemoConsole } from './demo-console.ts'

/** Pages that read nothing from the server before the person does something. */
const WITHOUT_REQUESTS: ReadonlySet<string> = new Set(['/applications/import'])

const WAIT_SECONDS = 20
const SLOW_SECONDS = 6
const CHECK_SECONDS = 16

type Responder = (route: Route) => unknown

const isOf = (route: Route, path: RegExp) => path.test(new URL(route.request().url()).pathname)
const OF_SESSION = /^\/(api\/v3\.1\/|console\/auth\/(sessions|passkeys|me)$)/
const DATA = /^\/(api\/v3\.1\/|docs\/|openapi[/.]|console\/auth\/(sessions|passkeys)$)/
const isData = (route: Route) => isOf(route, DATA)
const failing =
  (status: number, error: object, headers = {}): Responder =>
  (route) =>
    isData(route) ? route.fulfill({ status, headers, json: { error } }) : route.fallback()

/** How the server responds. */
const SERVER = {
  good: (route) => route.fallback(),
  limited: failing(429, { message: 'Too many requests.' }, { 'retry-after': String(WAIT_SECONDS) }),
  unreachable: (route) => route.abort('connectionrefused'),
  forbidden: failing(403, { message: 'The key lacks a permission.', suggested_fix: 'Ask an administrator.' }),
  // Public files need no session.
  expired: (route) =>
    isOf(route, OF_SESSION)
      ? route.fulfill({
          status: 401,
          json: { error: { message: 'Expired.', slug: 'Console_SessionExpired' } },
        })
      : route.fallback(),
} as const satisfies Record<string, Responder>

/** A page whose requests the test responds to, with a clock that the test moves. */
class InterruptedPage {
  respond: Responder = SERVER.good
  /** Requests for data since the last change. */
  requests = 0
  readonly pendingRoutes: Route[] = []
  readonly errors: string[] = []
  readonly page: Page
  readonly #other: Page

  constructor(page: Page, other: Page) {
    this.page = page
    this.#other = other
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        this.errors.push(message.text())
    })
  }

  /** Keeps requests for data without a response. */
  readonly hold: Responder = (route) => {
    if (isData(route)) this.pendingRoutes.push(route)
    else return route.fallback()
  }

  async start(): Promise<void> {
    await this.page.clock.install()
    await this.page.route(/:\d+\/(api\/v3\.1|docs|openapi|healthz|console\/(auth|boot))/, (route) => {
      // Streams have tests of their own. Without one, pages read again every ten seconds.
      if (isOf(route, /\/stream$/)) return this.respond === SERVER.good ? route.fallback() : route.abort()
      if (isData(route)) this.requests++
      return this.respond(route)
    })
  }

  /** Sets what happens to requests from now on, also to those without a response. */
  async change(respond: Responder): Promise<void> {
    this.respond = respond
    this.requests = 0
    for (const route of this.pendingRoutes.splice(0)) await respond(route)
  }

  pass = (seconds: number): Promise<void> => this.page.clock.fastForward(seconds * 1_000)

  /** Reports as another tab of the same browser does. */
  notify = (message: object): Promise<unknown> =>
    this.#other.evaluate(`new BroadcastChannel('patchbay.console').postMessage(${JSON.stringify(message)})`)

  async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await this.page.evaluate('new Promise((resolve) => setTimeout(resolve))')
  }
}

test('console: every page while the server is slow, absent or rejects requests', async (t) => {
  const { url, page, pages } = await startDemoConsole(t)
  const other = await page.context().newPage()
  await other.goto(`${url}/console/docs`)
  const subject = new InterruptedPage(page, other)
  await subject.start()
  for (const one of pages) {
    await t.test(`page ${one.route}: says what is wrong while it loads, and continues`, () =>
      checkLoading(subject, `${url}/console${one.path}`, one),
    )
    await t.test(`page ${one.route}: keeps its input`, () => checkInput(subject))
    await t.test(`page ${one.route}: a missing permission is reported, and given later`, () =>
      checkPermission(subject, `${url}/console${one.path}`, one),
    )
    assert.deepEqual(subject.errors.splice(0), [], one.route)
  }
})

const notice = (page: Page, text: string) =>
  page.locator('.interruption:visible').filter({ hasText: text }).first()
const button = (page: Page, text: string, name: string) => notice(page, text).getByRole('button', { name })

/** Presses a button if it is still there: the page also continues automatically, perhaps just now. */
const press = (target: Locator) =>
  target.evaluateAll((all) => (all[0] as { click(): void } | undefined)?.click())

/** A page is never blank: it has a title, or what stands for it while it loads. */
async function assertShown(page: Page, what: string): Promise<void> {
  const visible = page.locator('#content').locator('h1, .skeleton, [role=alert]').first()
  await visible.waitFor()
  assert.ok(await visible.isVisible(), what)
}

/** All interruptions one after the other, while the page loads. In the end it has its data. */
async function checkLoading(subject: InterruptedPage, url: string, { route }: ConsolePage): Promise<void> {
  const { page } = subject
  await subject.change(SERVER.limited)
  await page.goto(url)
  await page.locator('.shell').waitFor()
  if (WITHOUT_REQUESTS.has(route)) {
    await page.locator('h1').first().waitFor()
    assert.equal(subject.requests, 0, `${route} sends requests: remove it from WITHOUT_REQUESTS`)
    return subject.change(SERVER.good)
  }
  await button(page, 'Too many requests', 'Try now').waitFor()
  await assertShown(page, 'limited')
  await subject.change(subject.hold)
  await subject.pass(WAIT_SECONDS + 1)
  await subject.until(() => subject.pendingRoutes.length > 0)
  await subject.pass(SLOW_SECONDS)
  await button(page, 'takes longer than usual', 'Try again').waitFor()
  await assertShown(page, 'slow')
  await subject.change(SERVER.unreachable)
  await button(page, 'cannot be reached', 'Try now').waitFor()
  await assertShown(page, 'unreachable')
  await subject.change(SERVER.expired)
  await press(button(page, 'cannot be reached', 'Try now'))
  await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor()
  await subject.change(SERVER.good)
  await subject.notify({ type: 'signed_in' })
  await assertLoaded(page)
}

async function assertLoaded(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('main :is(.skeleton, .spinner)').first().waitFor({ state: 'detached' })
  await page.locator('#content h1').first().waitFor()
  await page
    .locator('#content [role=alert]:not(.field-error), .interruption')
    .first()
    .waitFor({ state: 'detached' })
}

/** Text fields that keep what is entered. Filters and searches are in the URL, and tested with it. */
const FIELDS =
  '#content :is(input:not([type]), input[type=text], input[type=url], input[type=password], input[type=email], ' +
  'textarea):not([role=combobox]):not([readonly]):not(.filters *)'

async function checkInput(subject: InterruptedPage): Promise<void> {
  const { page } = subject
  const fields = page.locator(FIELDS).filter({ visible: true })
  const count = await fields.count()
  for (let at = 0; at < count; at++) await fields.nth(at).fill(`kept ${at}`)
  // Lists of suggestions close.
  await page.locator('#content h1').first().focus()
  const values = () => Promise.all(Array.from({ length: count }, (_, at) => fields.nth(at).inputValue()))
  const entered = await values()

  await subject.change(SERVER.unreachable)
  // A check that runs just now may still succeed.
  while ((await notice(page, 'cannot be reached').count()) === 0) await subject.pass(CHECK_SECONDS)
  await button(page, 'cannot be reached', 'Try now').waitFor()
  await assertShown(page, 'unreachable later')
  assert.deepEqual(await values(), entered, 'while the server restarts')
  await subject.change(SERVER.good)
  await press(button(page, 'cannot be reached', 'Try now'))
  await notice(page, 'cannot be reached').waitFor({ state: 'detached' })
  assert.deepEqual(await values(), entered, 'after the restart')

  await subject.notify({ type: 'signed_out' })
  await page.getByRole('dialog', { name: 'You signed out in another tab' }).waitFor()
  await subject.notify({ type: 'changed', paths: ['/'] })
  await subject.notify({ type: 'signed_in' })
  await assertLoaded(page)
  assert.deepEqual(await values(), entered, 'after a sign-in in another tab')
}

async function checkPermission(subject: InterruptedPage, url: string, { route }: ConsolePage): Promise<void> {
  const { page } = subject
  await subject.change(SERVER.forbidden)
  await page.goto(url)
  await page.locator('.shell').waitFor()
  if (WITHOUT_REQUESTS.has(route)) return subject.change(SERVER.good)
  const alert = page.locator('#content [role=alert]').filter({ hasText: 'Ask an administrator.' }).first()
  await alert.waitFor()
  await assertShown(page, 'forbidden')
  await subject.change(SERVER.good)
  for (let retries = 0; (await alert.count()) > 0; retries++) {
    assert.ok(retries < 10, 'every part of the page can be tried again')
    await press(alert.getByRole('button', { name: 'Try again' }))
    await page.locator('main :is(.skeleton, .spinner)').first().waitFor({ state: 'detached' })
  }
  await assertLoaded(page)
}

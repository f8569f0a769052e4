import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page, Request, Route } from 'playwright-core'
import { startDemoConsole } from './demo-console.ts'
import type { FormCase } from './form-case.ts'
import { formCases } from './form-cases.ts'

const SOURCES = join(import.meta.dirname, '../../src/console')
/** Definitions of forms, not forms. */
const DEFINITIONS: ReadonlySet<string> = new Set(['components/field.tsx', 'components/schema-form.tsx'])

test('console: every form keeps its input while requests fail, and can be sent afterwards', async (t) => {
  const { url, page, demoProject, pages } = await startDemoConsole(t)
  const other = await page.context().newPage()
  await other.goto(`${url}/console/docs`)
  await other.locator('.shell h1').first().waitFor()
  const cases = await formCases(page, url, demoProject, pages)
  await t.test('every form of the sources is tested', () => assertComplete(cases))
  const subject = new InterruptedForm(page, other, url)
  await subject.start()
  for (const one of cases) await t.test(`form ${one.name}`, () => subject.check(one))
})

/** A new form needs a case in form-cases.ts. */
async function assertComplete(cases: readonly FormCase[]): Promise<void> {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith('.tsx'))
  for (const file of files) {
    const text = await readFile(join(SOURCES, file), 'utf8')
    if (DEFINITIONS.has(file)) continue
    assert.doesNotMatch(text, /<form\b/, `${file}: use <Form>, which keeps its input`)
    const forms = text.match(/<(?:Form|SchemaForm)\b/g)?.length ?? 0
    const tested = cases.filter((one) => one.file === file).length
    assert.ok(tested >= forms, `${file} has ${forms} forms, and form-cases.ts has ${tested} of them`)
    assert.ok(forms > 0 || tested === 0, `${file} has no form any more`)
  }
}

type Mode = 'unreachable' | 'forbidden' | 'expired' | 'rejected'
const ERRORS = {
  forbidden: {
    status: 403,
    error: { message: 'The role lacks a permission.', suggested_fix: 'Ask an owner.' },
  },
  expired: { status: 401, error: { message: 'Expired.', slug: 'Console_SessionExpired' } },
  rejected: { status: 400, error: { slug: 'Test_Arrived' } },
} as const
const READ_ONLY = 'You do not have the permission to use this form any more.'

/** A page whose requests of a form fail in all ways, one after the other. */
class InterruptedForm {
  #mode: Mode = 'rejected'
  #hasPermission = true
  #isDeleted = false
  #case: FormCase | undefined
  #bodies: string[] = []
  readonly #page: Page
  readonly #other: Page
  readonly #url: string

  constructor(page: Page, other: Page, url: string) {
    this.#page = page
    this.#other = other
    this.#url = url
  }

  async start(): Promise<void> {
    await this.#page.route(/:\d+\/(?:api|v3|mcp|console\/auth)\//, (route) => this.#respond(route))
  }

  async check(one: FormCase): Promise<void> {
    const page = this.#page
    const before = this.#case
    this.#case = one
    this.#bodies = []
    this.#hasPermission = true
    this.#isDeleted = false
    await this.#open(one, before)
    await one.open?.(page)
    const form =
      one.form?.(page) ??
      page
        .locator('form')
        .filter({ has: submitOf(page, one) })
        .last()
    await form.waitFor()
    // Choices that are read from the API are part of the input.
    await form.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    const empty = await inputOf(form)
    await one.fill(form)
    const entered = await inputOf(form)
    assert.notDeepEqual(entered, empty, 'the form is filled in')
    const assertKept = async (when: string) => assert.deepEqual(await inputOf(form), entered, when)

    await this.#change(form, one)
    await assertKept('another person changes the object')
    await this.#submit(form, one, 'unreachable', 'The server cannot be reached.')
    await assertKept('the server cannot be reached')
    if (!one.isSignedOut) {
      await this.#loseRole(form, one, assertKept)
      await this.#expire(form, one)
      await assertKept('after a sign-in')
    }
    await this.#submit(form, one, 'rejected', this.#nextMessage())
    await assertKept('after all')
    assert.equal(this.#bodies.at(-1), this.#bodies[0], 'the same input is sent')
  }

  /** Opens a page. Cases with the data and the person of the server follow each other without a reload. */
  async #open(one: FormCase, before: FormCase | undefined): Promise<void> {
    const isOwn = ({ replies, person, isSignedOut }: FormCase) => replies ?? person ?? isSignedOut
    if (!before || before.path === one.path || isOwn(before) || isOwn(one))
      await this.#page.goto(`${this.#url}/console${one.path}`)
    else await this.#page.evaluate(`history.pushState(null, '', '/console${one.path}')`)
  }

  /** Another person changes the object of a form, and deletes it. */
  async #change(form: Locator, one: FormCase): Promise<void> {
    const changed = { type: 'changed', paths: ['/'] }
    if (!one.change) return
    await one.change()
    await this.#notify(changed)
    await form.getByText('This was changed in another tab or by another person.').waitFor()
    if (!one.list) return
    this.#isDeleted = true
    const read = this.#page.waitForResponse((reply) => nameOf(reply.request()) === one.list)
    await this.#notify(changed)
    await read
  }

  /** The form cannot be sent without the permission. With it, it can. */
  async #loseRole(form: Locator, one: FormCase, assertKept: (when: string) => Promise<void>): Promise<void> {
    this.#hasPermission = false
    await this.#submit(
      form,
      one,
      'forbidden',
      one.isForEveryRole ? ERRORS.forbidden.error.message : READ_ONLY,
    )
    await assertKept('without the permission')
    this.#hasPermission = true
    await this.#notify({ type: 'signed_out' })
    await this.#page.getByRole('dialog', { name: 'You signed out in another tab' }).waitFor()
    await this.#notify({ type: 'signed_in' })
    await this.#page
      .getByRole('dialog', { name: 'You signed out in another tab' })
      .waitFor({ state: 'detached' })
    await form.getByText(READ_ONLY).waitFor({ state: 'detached' })
    await assertKept('with the permission')
  }

  /** The request waits for the sign-in, and is sent after it. */
  async #expire(form: Locator, one: FormCase): Promise<void> {
    const dialog = this.#page.getByRole('dialog', { name: 'Your session has expired' })
    this.#mode = 'expired'
    const sent = this.#page.waitForRequest((request) => isRequestOf(one, request))
    await this.#click(form, one)
    await sent
    await dialog.waitFor()
    this.#mode = 'rejected'
    const message = this.#nextMessage()
    await this.#notify({ type: 'signed_in' })
    await dialog.waitFor({ state: 'detached' })
    await this.#page.getByText(message).first().waitFor()
  }

  async #submit(form: Locator, one: FormCase, mode: Mode, text: string): Promise<void> {
    this.#mode = mode
    const sent = this.#bodies.length
    await this.#click(form, one)
    await this.#page.getByText(text).first().waitFor()
    assert.equal(this.#bodies.length, sent + 1, `${mode}: one request is sent`)
  }

  /** A button whose request has not ended ignores a click. */
  async #click(form: Locator, one: FormCase): Promise<void> {
    const ready = submitOf(form, one).and(this.#page.locator(':enabled:not([aria-busy=true])'))
    await ready.dispatchEvent('click')
  }

  /** The error of the next request that is rejected: no earlier one has the same text. */
  #nextMessage = (): string => messageOf(this.#bodies.length + 1)

  #notify = (message: object): Promise<unknown> =>
    this.#other.evaluate(`new BroadcastChannel('patchbay.console').postMessage(${JSON.stringify(message)})`)

  async #respond(route: Route): Promise<unknown> {
    const request = route.request()
    const name = nameOf(request)
    const one = this.#case
    if (!one) return route.fallback()
    if (name === 'GET /console/auth/me') return this.#respondWithPerson(route, one)
    if (this.#isDeleted && name === one.list) return route.fulfill({ json: { items: [], total_items: 0 } })
    if (isRequestOf(one, request)) {
      this.#bodies.push(withoutId(request.postData()))
      if (this.#mode === 'unreachable') return route.abort('connectionrefused')
      const { status, error } = ERRORS[this.#mode]
      return route.fulfill({ status, json: { error: { message: messageOf(this.#bodies.length), ...error } } })
    }
    const reply = one.replies?.[name]
    return reply === undefined ? route.fallback() : route.fulfill({ json: reply })
  }

  async #respondWithPerson(route: Route, one: FormCase): Promise<unknown> {
    if (one.isSignedOut)
      return route.fulfill({
        status: 401,
        json: { error: { message: 'Sign in.', slug: 'Console_SignInRequired' } },
      })
    const me = (await (await route.fetch()).json()) as { projects: object[] }
    const projects = me.projects.map((project) => ({ ...project, permissions: {} }))
    return route.fulfill({
      json: { ...me, ...one.person, ...(!this.#hasPermission && { is_administrator: false, projects }) },
    })
  }
}

/** Returns `METHOD /path` of a request, without the prefix of the API. */
const nameOf = (request: Request): string =>
  `${request.method()} ${new URL(request.url()).pathname.replace(/^\/api\/v3\.1/, '')}`

const isRequestOf = (one: FormCase, request: Request): boolean =>
  one.request.test(`${nameOf(request)} ${request.postData() ?? ''}`)

const submitOf = (scope: Page | Locator, { submit }: FormCase) =>
  scope.getByRole('button', { name: submit, exact: true })

/** Values of all controls of a form that people see. */
const inputOf = (form: Locator): Promise<unknown[]> =>
  form
    .locator('input:not([aria-hidden=true]), textarea, button[role=combobox]')
    .evaluateAll((controls) =>
      (controls as unknown as { type: string; checked: boolean; value: string; textContent: string }[]).map(
        (one) =>
          one.type === 'checkbox' || one.type === 'radio' ? one.checked : one.value || one.textContent,
      ),
    )

const messageOf = (requests: number): string => `Request ${requests} has arrived.`

/** A message of JSON-RPC has another id each time. */
const withoutId = (body: string | null): string => (body ?? '').replace(/"id":\d+,/, '')

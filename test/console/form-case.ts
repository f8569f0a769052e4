import type { Locator, Page } from 'playwright-core'

/** A form of the console: where it is, what is entered, and which request it sends. */
export interface FormCase {
  name: string
  /** The source of the form, below src/console. */
  file: string
  path: string
  open?(page: Page): Promise<unknown>
  /** The form, where several have the same button. */
  form?(page: Page): Locator
  fill(form: Locator): Promise<unknown>
  /** Name of the button that submits the form. */
  submit: string
  /** The request: `METHOD /path body`. */
  request: RegExp
  /** Changes the object of the form, as another person does. */
  change?(): Promise<unknown>
  /** The list with the object of the form, which another person deletes then: `GET /path`. */
  list?: string
  /** Responses for states that the demo project does not have, by `METHOD /path`. */
  replies?: Readonly<Record<string, object>>
  /** Differences of the signed-in person. */
  person?: object
  /** Everybody who is signed in may use the form. */
  isForEveryRole?: boolean
  isSignedOut?: boolean
}

export const click = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click()
export const fill =
  (values: Readonly<Record<string, string>>) =>
  async (form: Locator): Promise<void> => {
    for (const [label, value] of Object.entries(values))
      await form.getByLabel(label, { exact: true }).fill(value)
  }

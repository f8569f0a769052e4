import { html, type Markup } from './html.ts'
import { renderLayout } from './layout.ts'
import type { PageTheme } from './theme.ts'

export interface ChoicePage {
  toolkit: { slug: string; name: string }
  projectName: string | null
  projectLogo: string | null
  theme?: PageTheme | undefined
  publicUrl: string
  /** The kind of the resource, such as `site`. */
  what: string
  choices: readonly { label: string; value: string }[]
  /** The form was sent without a choice. */
  isMissing: boolean
  id: string
  formToken: string
}

/** Renders the page on which the user chooses one of several sites, tenants or accounts for a connection. */
export function renderChoicePage(page: ChoicePage): string {
  const { toolkit, what, choices, isMissing } = page
  const title = `Choose the ${what}`
  const application = page.projectName ?? 'This application'
  return renderLayout(
    {
      title: isMissing ? `Error: ${title}` : title,
      toolkit,
      projectLogo: page.projectLogo,
      theme: page.theme,
      publicUrl: page.publicUrl,
    },
    html`<h1>${title}</h1>
<p class="lead">You have more than one at ${toolkit.name}. <strong>${application}</strong>
will use the one that you choose.</p>
${isMissing && CHOICE_MISSING}<form method="post" action="${page.id}" novalidate accept-charset="utf-8">
<input type="hidden" name="form_token" value="${page.formToken}">
<fieldset class="choices"><legend>${toolkit.name}</legend>
${choices.map(renderChoice)}</fieldset><button class="action">Connect</button></form>`,
  )
}

const CHOICE_MISSING = html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>Nothing is connected yet</h2>
<ul><li><a href="#c-0">Choose an entry of the list.</a></li></ul></div>
`

const renderChoice = ({ label, value }: ChoicePage['choices'][number], index: number): Markup => {
  const details = label !== value && html`<span class="more">${value}</span>`
  const input = html`<input type="radio" id="c-${index}" name="choice" value="${index}" required>`
  return html`<label class="choice" for="c-${index}">${input}<span>${label}${details}</span></label>
`
}

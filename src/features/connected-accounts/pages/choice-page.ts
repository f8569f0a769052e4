import { html } from './html.ts'
import { layout } from './layout.ts'

export interface ChoicePage {
  toolkit: { slug: string; name: string }
  projectName: string | null
  projectLogo: string | null
  publicUrl: string
  /** A word, such as `site`. */
  what: string
  choices: readonly { label: string; value: string }[]
  /** The form was sent without a choice. */
  isMissing: boolean
  id: string
  formToken: string
}

/** The page on which a user says which of several sites, tenants or accounts a connection is for. */
export function choicePage(page: ChoicePage): string {
  const { toolkit, what, choices, isMissing } = page
  const title = `Choose the ${what}`
  const asker = page.projectName ?? 'This application'
  return layout(
    {
      title: isMissing ? `Error: ${title}` : title,
      toolkit,
      projectLogo: page.projectLogo,
      publicUrl: page.publicUrl,
    },
    html`<h1>${title}</h1>
<p class="lead">You have more than one at ${toolkit.name}. <strong>${asker}</strong> will use the one that you choose.</p>
${
  isMissing &&
  html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>Nothing is connected yet</h2><ul><li><a href="#c-0">Choose one of the list.</a></li></ul></div>
`
}<form method="post" action="${page.id}" novalidate accept-charset="utf-8"><input type="hidden" name="form_token" value="${page.formToken}">
<fieldset class="choices"><legend>${toolkit.name}</legend>
${choices.map(
  (
    { label, value },
    index,
  ) => html`<label class="choice" for="c-${index}"><input type="radio" id="c-${index}" name="choice" value="${index}" required><span>${label}${label !== value && html`<span class="more">${value}</span>`}</span></label>
`,
)}</fieldset><button class="action">Connect</button></form>`,
  )
}

import { type PageText, text, type Translator } from '../language/index.ts'
import { html, type Markup } from './html.ts'
import { frameOf, type PageFrame, renderLayout } from './layout.ts'

export interface ChoicePage extends PageFrame {
  toolkit: { slug: string; name: string }
  /** The kind of the resource, such as `site`. */
  what: PageText
  choices: readonly { label: string; value: string }[]
  /** The form was sent without a choice. */
  isMissing: boolean
  id: string
  formToken: string
}

/** Renders the page on which the user chooses one of several sites, tenants or accounts for a connection. */
export function renderChoicePage(page: ChoicePage, translator: Translator): string {
  const { toolkit, what, choices, isMissing } = page
  const { markup } = translator
  const title = translator.text(text('choose.title', { what }))
  const project = html`<strong>${page.projectName ?? markup('this_application')}</strong>`
  return renderLayout(
    {
      translator,
      title: isMissing ? text('error.title', { title }) : title,
      ...frameOf(page),
    },
    html`<h1>${title}</h1>
<p class="lead">${markup('choose.lead', { app: toolkit.name, project })}</p>
${isMissing && choiceMissing(translator)}<form method="post" action="${page.id}" novalidate accept-charset="utf-8">
<input type="hidden" name="form_token" value="${page.formToken}">
<fieldset class="choices"><legend>${toolkit.name}</legend>
${choices.map(renderChoice)}</fieldset>
<div class="bar"><button class="action">${markup('connect.button')}</button></div></form>`,
  )
}

const choiceMissing = ({ markup }: Translator): Markup =>
  html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>${markup('connect.nothing_yet')}</h2>
<ul><li><a href="#c-0">${markup('choose.missing')}</a></li></ul></div>
`

const renderChoice = ({ label, value }: ChoicePage['choices'][number], index: number): Markup => {
  const details = label !== value && html`<span class="more">${value}</span>`
  const input = html`<input type="radio" id="c-${index}" name="choice" value="${index}" required>`
  return html`<label class="choice" for="c-${index}">${input}<span>${label}${details}</span></label>
`
}

import type { FieldManifest } from '../../../catalog/index.ts'
import { html, type Markup } from './html.ts'

/** A field that is asked for, with what stands in it. */
export type Asked = FieldManifest & { value: string }

/** One field with its words: label, description, what is wrong. Secret values are never written back. */
export function fieldMarkup(field: Asked, error: string | undefined): Markup {
  const { name, display_name: label, description, required = true, type = 'string' } = field
  const id = `f-${name}`
  const about = [`${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  const state = html`id="${id}" name="${name}" aria-describedby="${about}"${error !== undefined && html` aria-invalid="true"`}${required && type !== 'boolean' && html` required`}`
  const words = html`<p class="hint" id="${id}-hint">${description}</p>`
  const problem = error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`
  if (type === 'boolean') {
    return html`<div class="field${error !== undefined && ' wrong'}"><div class="check"><input type="checkbox" value="true" ${state}${(field.value || field.default) === 'true' && html` checked`}><label for="${id}">${label}</label></div>${words}${problem}</div>
`
  }
  return html`<div class="field${error !== undefined && ' wrong'}"><label for="${id}">${label}${!required && html` <span class="optional">(optional)</span>`}</label>${words}
<div class="box">${field.prefix && html`<span class="affix" aria-hidden="true">${field.prefix}</span>`}${control(field, state)}${field.suffix && html`<span class="affix" aria-hidden="true">${field.suffix}</span>`}</div>${problem}</div>
`
}

function control(field: Asked, state: Markup): Markup {
  const value = field.value || field.default || ''
  const quiet = html`autocomplete="off" autocapitalize="none" spellcheck="false"`
  if (field.enum) {
    return html`<select ${state}>${!field.value && !field.default && html`<option value="">Choose…</option>`}${field.enum.map((one) => html`<option${one === value && html` selected`}>${one}</option>`)}</select>`
  }
  if (field.multiline)
    return html`<textarea ${state} ${quiet}${field.secret && html` class="secret"`}${field.example && html` placeholder="${field.example}"`}>${field.secret ? '' : value}</textarea>`
  const type = field.secret ? 'password' : 'text'
  return html`<input type="${type}" ${state} ${quiet}${field.type === 'number' && html` inputmode="decimal"`}${field.example && html` placeholder="${field.example}"`}${!field.secret && value && html` value="${value}"`}>`
}

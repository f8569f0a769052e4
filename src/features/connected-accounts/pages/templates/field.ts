import type { FieldManifest } from '../../../../catalog/index.ts'
import { ENGLISH, type Translator } from '../language/index.ts'
import { html, type Markup } from './html.ts'

/** A field of a form, with its current value. */
export type FormField = FieldManifest & { value: string }

/**
 * Renders a field with its label, description and error. Credentials of secret fields are never sent back.
 */
export function renderField(
  field: FormField,
  error: string | undefined,
  translator: Translator = ENGLISH,
): Markup {
  const { name, display_name: label, description, required = true, type = 'string' } = field
  const id = `f-${name}`
  const describedBy = [`${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  const invalid = error !== undefined && html` aria-invalid="true"`
  const requiredAttribute = required && type !== 'boolean' && html` required`
  const attributes = html`id="${id}" name="${name}" aria-describedby="${describedBy}"${invalid}${requiredAttribute}`
  const hint = html`<p class="hint" id="${id}-hint">${description}</p>`
  const problem = error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`
  const start = html`<div class="field${error !== undefined && ' wrong'}">`
  if (type === 'boolean') {
    const checked = (field.value || field.default) === 'true' && html` checked`
    return html`${start}<div class="check"><input type="checkbox" value="true" ${attributes}${checked}>
<label for="${id}">${label}</label></div>${hint}${problem}</div>
`
  }
  const optional = !required && html` <span class="optional">${translator.markup('optional')}</span>`
  const box = html`${affix(field.prefix)}${control(field, attributes, translator)}${affix(field.suffix)}`
  return html`${start}<label for="${id}">${label}${optional}</label>${hint}
<div class="box">${box}</div>${problem}</div>
`
}

const affix = (text: string | undefined) =>
  text && html`<span class="affix" aria-hidden="true">${text}</span>`

function control(field: FormField, attributes: Markup, { markup }: Translator): Markup {
  const value = field.value || field.default || ''
  const withoutCompletion = html`autocomplete="off" autocapitalize="none" spellcheck="false"`
  const placeholder = field.example && html` placeholder="${field.example}"`
  if (field.enum) {
    const empty = !field.value && !field.default && html`<option value="">${markup('choose_option')}</option>`
    const options = field.enum.map((one) => html`<option${one === value && html` selected`}>${one}</option>`)
    return html`<select ${attributes}>${empty}${options}</select>`
  }
  if (field.multiline) {
    const secret = field.secret && html` class="secret"`
    const text = field.secret ? '' : value
    return html`<textarea ${attributes} ${withoutCompletion}${secret}${placeholder}>${text}</textarea>`
  }
  const type = field.secret ? 'password' : 'text'
  const inputMode = field.type === 'number' && html` inputmode="decimal"`
  const valueAttribute = !field.secret && value && html` value="${value}"`
  return html`<input type="${type}" ${attributes} ${withoutCompletion}${inputMode}${placeholder}${valueAttribute}>`
}

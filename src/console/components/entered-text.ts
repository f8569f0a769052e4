/** Controls with a value that people see. Libraries add hidden ones. Passwords are not copied. */
const CONTROLS =
  'input:not([type=hidden], [type=password], [type=file], [aria-hidden=true]), textarea, select, ' +
  'button[role=combobox], ul.chosen'

type Control =
  | HTMLInputElement
  | HTMLTextAreaElement
  | HTMLSelectElement
  | HTMLButtonElement
  | HTMLUListElement

/** Returns what the controls below an element contain, one in a line: `Label: value`. Without those that are empty. */
export function enteredText(root: HTMLElement): string {
  return [...root.querySelectorAll<Control>(CONTROLS)]
    .flatMap((control) => {
      const value = valueOf(control).trim()
      return value === '' ? [] : [`${labelOf(control)}: ${value}`]
    })
    .join('\n')
}

function valueOf(control: Control): string {
  if (control instanceof HTMLUListElement)
    return [...control.children].map((item) => item.textContent).join(', ')
  if (control instanceof HTMLSelectElement)
    return [...control.selectedOptions].map((option) => option.text).join(', ')
  if (control instanceof HTMLButtonElement) return control.textContent ?? ''
  if (control.type === 'checkbox') return (control as HTMLInputElement).checked ? 'yes' : 'no'
  if (control.type === 'radio') return (control as HTMLInputElement).checked ? 'chosen' : ''
  return control.value
}

function labelOf(control: Control): string {
  const name = control.getAttribute('aria-label')
  const labelledBy = control.getAttribute('aria-labelledby')
  const label = labelledBy
    ? document.getElementById(labelledBy)
    : control instanceof HTMLUListElement
      ? null
      : control.labels?.[0]
  return name ?? label?.textContent?.trim() ?? 'Value'
}

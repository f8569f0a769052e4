const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)

/** Markup that needs no escaping. Only `html` and `unescaped` create it. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type HtmlValue = string | number | Markup | false | null | undefined | readonly HtmlValue[]

function render(value: HtmlValue): string {
  if (value instanceof Markup) return value.text
  if (value === false || value === null || value === undefined) return ''
  return typeof value === 'object' ? value.map(render).join('') : escapeHtml(String(value))
}

/**
 * Escapes every value, for text and for quoted attributes. False, null and undefined are rendered as nothing.
 */
export const html = (texts: TemplateStringsArray, ...values: HtmlValue[]): Markup =>
  new Markup(texts.reduce((rendered, text, i) => rendered + render(values[i - 1]) + text))

/** Trusted text that is not escaped: the style of the pages. */
export const unescaped = (text: string): Markup => new Markup(text)

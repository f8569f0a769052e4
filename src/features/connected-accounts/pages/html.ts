const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)

/** Markup that is safe to show as it is; only `html` makes it. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Markup | false | null | undefined | readonly Part[]

const rendered = (part: Part): string =>
  part instanceof Markup
    ? part.text
    : part === false || part === null || part === undefined
      ? ''
      : typeof part === 'object'
        ? part.map(rendered).join('')
        : escapeHtml(String(part))

/** Markup with every value in it escaped, in text and in quoted attributes alike; nothing at all for false, null and undefined. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(texts.reduce((made, text, i) => made + rendered(parts[i - 1]) + text))

/** For the one style of the page, which is ours. */
export const asIs = (text: string): Markup => new Markup(text)

import { type DataText, dataText } from '../language/data-text.ts'
import hints from '../language/data/hints.json' with { type: 'json' }
import labels from '../language/data/labels.json' with { type: 'json' }
import type { PageText } from '../language/index.ts'

type Table = Readonly<Record<string, readonly string[]>>

interface Field {
  display_name: string
  description: string
}

const WITH_FIELD = /^The `(\w+)` that the provider returned/
const URL_LABEL = /^(\S.*) URL$/

/**
 * Returns the label and the hint of a field of a manifest in every language. Manifests are in English; the data files
 * translate the texts of the toolkits of this repository, in which `{app}` is the name of the toolkit. Other texts stay
 * as their author wrote them.
 */
export const fieldTexts = (
  { display_name: label, description: hint }: Field,
  app: string,
): { label: PageText; hint: PageText } => ({
  label: translate(labels, label, app) ?? urlLabel(label) ?? label,
  hint: translate(hints, hint, app) ?? fieldHint(hint) ?? hint,
})

/** Returns what a user chooses after the sign-in, such as a site, in every language. */
export const resourceText = (what: string): PageText => translate(labels, what, '') ?? what

function translate(table: Table, english: string, app: string): DataText | undefined {
  if (Object.hasOwn(table, english)) return dataText([english, ...(table[english] ?? [])])
  const pattern = app === '' ? english : english.replaceAll(app, '{app}')
  return Object.hasOwn(table, pattern) ? dataText([pattern, ...(table[pattern] ?? [])], { app }) : undefined
}

/** `GitLab URL`: a name that may differ from that of the toolkit. */
function urlLabel(label: string): DataText | undefined {
  const [, name] = URL_LABEL.exec(label) ?? []
  const pattern = '{app} URL'
  return name === undefined ? undefined : dataText([pattern, ...labels[pattern]], { app: name })
}

/** The hint of a value that belongs to a token, such as the host of its API. */
function fieldHint(hint: string): DataText | undefined {
  const [, field] = WITH_FIELD.exec(hint) ?? []
  const pattern = 'The `{field}` that the provider returned with the token.'
  return field === undefined ? undefined : dataText([pattern, ...hints[pattern]], { field })
}

import { isObject, object } from '../../src/catalog/importers/json.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'

const LENGTH_MIN = 20
const PLACEHOLDERS = /\b(tbd|lorem|undefined|null null|string string|xxx)\b|\{\{|\[object/i

/** Words that names of operations divide: `git hub`, `o auth`, `i ds`. */
const DIVIDED = /\b(git hub|o auth|i ds|ur ls|ll ms|you tube)\b/i
/** What a first sentence says when a rule took the wrong word for the verb, or a selector for the object. */
const MISREAD =
  /\bby ID [a-z]+ in\b|^Returns count (?!of )|\bof me in\b| an? (permanently|partially|fully) (?!in\b|invested\b)\w|\b(\w+) in \2\.$|[a-z]{3,} partial in\b/
const SAYS_NOTHING =
  /^(Time of: |Whether this applies: (is|has|can|should) |Date of the (from|to|start|end)\.)/

/**
 * Returns what is wrong with the texts of a tool: its length, placeholders, a repeated name, missing texts, words
 * that are divided or misread, and an argument for the whole body whose members are not named. */
export function descriptionFaults({ name, description, input }: ToolManifest): string[] {
  const faults: string[] = []
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  if (description.length < LENGTH_MIN) faults.push(`the description has ${description.length} characters`)
  if (plain(description) === plain(name)) faults.push('the description repeats the name')
  if (/ {2}/.test(description)) faults.push('the description has two spaces')
  if (/\b([a-z]{2,}) \1\b/.test(description.split('. ')[0]!)) faults.push('the description repeats a word')
  if (!/^[A-Z]\w*,? \S/.test(description)) faults.push('the description does not begin with a verb')
  const [sentence = ''] = description.split(/(?<=\.) /)
  if (DIVIDED.test(sentence)) faults.push('the description has a word that is divided')
  if (MISREAD.test(sentence)) faults.push(`the first sentence is misread: ${sentence}`)
  const body = object(object(object(input)['properties'])['body'])
  if (Object.keys(object(body['properties'])).length > 0 && /(Requires|Optional:) `body`\./.test(description))
    faults.push('the description does not name the members of the body')
  if (PLACEHOLDERS.test(description) || /\bTODO\b/.test(description))
    faults.push('the description has a placeholder')
  for (const [argument, schema] of Object.entries(object(object(input)['properties']))) {
    const text = isObject(schema) ? schema['description'] : undefined
    if (typeof text !== 'string' || text.length < 3)
      faults.push(`the argument ${argument} has no description`)
    else if (SAYS_NOTHING.test(text))
      faults.push(`the text of the argument ${argument} says nothing: ${text}`)
  }
  return faults
}

import { isObject, object } from '../../src/catalog/importers/json.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'

const LENGTH_MIN = 20
const PLACEHOLDERS = /\b(todo|tbd|lorem|undefined|null null|string string|xxx)\b|\{\{|\[object/i

/** Returns what is wrong with the texts of a tool: its length, placeholders, a repeated name, missing texts. */
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
  if (/\b([a-z]{2,}) \1\b/i.test(description.split('. ')[0]!)) faults.push('the description repeats a word')
  if (!/^[A-Z]\w*s? \S/.test(description)) faults.push('the description does not begin with a verb')
  if (PLACEHOLDERS.test(description)) faults.push('the description has a placeholder')
  for (const [argument, schema] of Object.entries(object(object(input)['properties']))) {
    const text = isObject(schema) ? schema['description'] : undefined
    if (typeof text !== 'string' || text.length < 3)
      faults.push(`the argument ${argument} has no description`)
  }
  return faults
}

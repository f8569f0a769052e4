import { ADJECTIVE_LIST } from './argument-meaning.ts'
import { isObject, object } from '../../src/catalog/importers/json.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'

const LENGTH_MIN = 20
const PLACEHOLDERS = /\b(tbd|lorem|undefined|null null|string string|xxx)\b|\{\{|\[object/i

/** Words that names of operations divide: `git hub`, `o auth`, `i ds`. */
const DIVIDED = /\b(git hub|o auth|i ds|ur ls|ll ms|you tube)\b/i
/** What a first sentence says when a rule took the wrong word for the verb, or a selector for the object. */
const MISREAD =
  /\bby ID [a-z]+ in\b|^Returns count (?!of )|\bof me in\b| an? (permanently|partially|fully) (?!in\b|invested\b)\w|\b(\w+) in \2\.$|[a-z]{3,} partial in\b/
/** The name of a file instead of a resource, an apostrophe that is lost, a noun in a wrong form, a second verb as it is in the slug. */
const BADLY_WRITTEN =
  /(?<!as )\b(?:JSON|XML) in [A-Z]|''|\b[a-z]+(?:itie|ntie|ssue s)\b|\b(?:[Cc]reates?|[Aa]dds|[Ll]ists|[Uu]pdates|[Ss]ends) (?:or|and) (?:create|update|replace|delete|search|list|send|filter|get)\b|\ban? is \w|\b(?:i pv[46]|m tls|whats app)\b|^Returns an? list of\b/
const SINGLE_LETTER =
  /(?<![\w'’@/.`-])(?!a\b)[b-z](?![\w'’/.&-])(?= (?!distribution|to infinity|raised|and y|coordinates)[a-z])/
/** `first_name` is no name of a first, and `repository_ids` are no ids of repositorys. */
const BADLY_WRITTEN_ARGUMENT = new RegExp(
  `^(?:Name|Number|Ids?|URL|E-mail address|Time|Date) of the (?:${ADJECTIVE_LIST}|from|to|reply to)(?: or)?\\.` +
    '|^Ids of the [a-z ]*(?:[^aeiou]ys|xs|shs|chs)\\.|^Name of the [a-z ]* or\\.|\\b(?:i ds|ur ls)\\b' +
    '|: @|^[^.]* of the [a-z ]*json\\.',
)
/** A path with the pattern of a router instead of a parameter names no object. */
const PATTERN_OF_ROUTER = /\/\*$|[+([\]]\(?\[|\/:\w/
const SAYS_NOTHING =
  /^(Time of: |Whether this applies: (is|has|can|should) |Date of the (from|to|start|end)\.)/

/**
 * Returns what is wrong with the texts of a tool: its length, placeholders, a repeated name, missing texts, words
 * that are divided or misread, and an argument for the whole body whose members are not named. */
export function descriptionFaults({ name, description, input, request }: ToolManifest): string[] {
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
  if (BADLY_WRITTEN.test(sentence) || SINGLE_LETTER.test(sentence))
    faults.push(`the first sentence is badly written: ${sentence}`)
  if (request && PATTERN_OF_ROUTER.test(request.path)) faults.push(`the path ${request.path} has a pattern`)
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
    else if (BADLY_WRITTEN_ARGUMENT.test(text))
      faults.push(`the text of the argument ${argument} is badly written: ${text}`)
  }
  return faults
}

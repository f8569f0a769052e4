import { inWords, wordsOf } from '../../src/catalog/importers/tools/words.ts'
import { isObject, type Json } from '../../src/catalog/importers/json.ts'
import { pluralNoun } from './nouns.ts'
import { spelled } from './sentence-words.ts'

const VALUES_SHOWN = 6
/** What these words say of a name, number, id or URL: `first_name` is a first name, not the name of a first. */
const ADJECTIVE_WORDS = (
  'first last middle full given family nick short long legal maiden birth display friendly preferred original ' +
  'formatted derived translated custom vanity qualified new old current next previous public private internal ' +
  'external unique distinct alternate alt primary secondary main default common phonetic principal canonical ' +
  'native temporary permanent max min relative signed absolute'
).split(' ')
const ADJECTIVES = new Set([
  ...ADJECTIVE_WORDS,
  ...'web html redirect return callback join base landing target'.split(' '),
])

/** The adjectives as alternatives of a regular expression, for the check of texts. */
export const ADJECTIVE_LIST = ADJECTIVE_WORDS.join('|')

/** Words that say which number is meant; others are what the number belongs to. */
const KINDS_OF_NUMBER = new Set(
  (
    'phone mobile fax cell serial reference tax vat tracking routing toll free registration extension part form bsb ' +
    'transit sic rib security cpf isbn abn e164 street social batch version sequence'
  ).split(' '),
)
const PARTIES = new Map([
  ['from', 'sender'],
  ['to', 'recipient'],
])
const NOUNS = new Map([
  ['name', 'Name'],
  ['number', 'Number'],
  ['email', 'E-mail address'],
  ['url', 'URL'],
  ['uri', 'URL'],
  ['id', 'Id'],
  ['uuid', 'Id'],
  ['gid', 'Id'],
])
const IDS = new Set(['ids', 'gids', 'uuids'])
/** A switch whose name begins with one of these says what to do. */
const COMMANDS = new Set(
  (
    'enable disable allow require use skip ignore include exclude show return get send hide notify create ' +
    'update delete remove add accept apply enforce prevent force block propagate summarize anonymize ' +
    'highlight generate restrict replace append keep detect redact publish override overwrite ensure ' +
    'validate save suppress verify'
  ).split(' '),
)
const STATES = ['enabled', 'disabled', 'allowed', 'required', 'active']
const PARTICIPLE = /(?:ed|en|sent|paid|held|made)$/
const STATE_OF_TIME = /^(?:active|inactive|due|effective|available|visible)$/
const ENDS_BY_ITSELF = /^(?:expires|starts|ends|begins|updates|renews|closes|opens)$/
const DIRECTIONS = new Map([
  ['before', 'before'],
  ['after', 'after'],
  ['since', 'after'],
  ['until', 'before'],
])
const STARTS = new Set(['from', 'start', 'since', 'begin', 'after', 'min', 'gte'])
const ENDS = new Set(['to', 'end', 'until', 'before', 'max', 'lte'])
const TIMES = ['date', 'time', 'timestamp', 'datetime', 'at']

/** Says what an argument means, from its name and type. */
export function meaningOfName(name: string, schema: Json): string {
  const words = wordsOf(spelledApart(name)).map((word) => word.toLowerCase())
  const isFlag = [schema['type']].flat().includes('boolean')
  const meaning =
    isFlag || isQuestion(words) ? meaningOfFlag(words) : (meaningOfNoun(words) ?? meaningOfTime(words))
  if (meaning !== undefined) return meaning
  return name.length === 1
    ? `Value of ${name}${kindOf(schema)}.`
    : `${inWords(spelledApart(name))}${kindOf(schema)}.`
}

/** Whether a word says which one is meant and is no noun. */
export const isAdjective = (word: string): boolean => ADJECTIVE_WORDS.includes(word)

/** `ListIDs` has the words list and ids, not list, i and ds. */
export const spelledApart = (name: string): string =>
  name.replace(/I[Dd]s\b|IDs(?=[A-Z])/g, 'Ids').replace(/URLs\b/g, 'Urls')

const isQuestion = ([first = '', ...rest]: readonly string[]): boolean =>
  rest.length > 0 && ['is', 'has', 'can', 'should'].includes(first)

/** `tax_number`, `first_name`, `from_email`, `tag_ids`. */
function meaningOfNoun(words: readonly string[]): string | undefined {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const rest = before.join(' ')
  if (rest === '') return undefined
  const either = /^(.+) (id|name|slug|key|number) or$/.exec(rest)
  if (either && NOUNS.has(last)) return `${capital(either[2]!)} or ${last} of the ${spelled(either[1]!)}.`
  const end = before.at(-1)!
  if (IDS.has(last))
    return ADJECTIVES.has(end) ? `${compound(words)}.` : `Ids of the ${spelled(pluralNoun(rest))}.`
  const noun = NOUNS.get(last)
  if (noun === undefined) return undefined
  if (end === 'or') return undefined
  if (rest === 'reply to') return last === 'id' ? 'Id of what this replies to.' : `${noun} for replies.`
  if (rest === 'send as') return `${noun} to send as.`
  const party = PARTIES.get(rest)
  if (party !== undefined) return `${noun} of the ${party}.`
  if (ADJECTIVES.has(end) || (last === 'number' && KINDS_OF_NUMBER.has(end))) return `${compound(words)}.`
  return `${noun} of the ${spelled(rest)}.`
}

/** `from_date`, `created_at`, `lastModifiedDateTime`, `due_date`. */
function meaningOfTime(words: readonly string[]): string | undefined {
  const bound = boundOf(words)
  if (bound !== undefined) return bound
  const last = words.at(-1) ?? ''
  if (!['at', 'time', 'date', 'datetime'].includes(last)) return undefined
  const rest = words.slice(0, last === 'time' && words.at(-2) === 'date' ? -2 : -1)
  if (rest.length === 0) return undefined
  const when = last === 'date' ? 'Date on which it' : 'Time at which it'
  const [first = '', second = ''] = rest
  const state = rest.length === 2 && ['last', 'first'].includes(first) ? second : first
  if (rest.length === 1 && ENDS_BY_ITSELF.test(state)) return `${when} ${state}.`
  if (last === 'at' && rest.length === 1 && STATE_OF_TIME.test(state)) return `${when} is ${state}.`
  if ((rest.length === 1 || state === second) && PARTICIPLE.test(state))
    return `${when} was ${rest.join(' ')}.`
  const direction = DIRECTIONS.get(first)
  if (direction !== undefined && rest.length === 2 && PARTICIPLE.test(second))
    return `Only what was ${second} ${direction} this time.`
  return `${compound([...rest, last === 'date' ? 'date' : 'time'])}.`
}

/** `from_date` and `endTime` are the bounds of a period. */
function boundOf(words: readonly string[]): string | undefined {
  const times = words.filter((word) => TIMES.includes(word))
  const [other = ''] = words.filter((word) => !times.includes(word))
  if (times.length === 0 || times.length + 1 !== words.length) return undefined
  if (STARTS.has(other)) return 'Start of the period.'
  return ENDS.has(other) ? 'End of the period.' : undefined
}

/** `is_private`, `notifications_enabled`, `skip_hooks`, `send_email`. */
function meaningOfFlag(words: readonly string[]): string {
  const [first = '', ...others] = words
  const last = words.at(-1) ?? ''
  const rest = words.slice(0, -1).join(' ')
  const object = spelled(others.join(' '))
  if (isQuestion(words)) return `Whether it ${first} ${object}.`
  if (rest !== '' && STATES.includes(last))
    return `Whether ${spelled(rest)} ${/s$/.test(rest) ? 'are' : 'is'} ${last}.`
  if (others.length > 0 && first === 'with') return `Whether to include ${object}.`
  if (others.length > 0 && COMMANDS.has(first)) return `Whether to ${first} ${object}.`
  return `Whether this applies: ${spelled(words.join(' '))}.`
}

function kindOf(schema: Json): string {
  const types = [schema['type']].flat()
  if (types.includes('array')) return ', as a list'
  if (schema['format'] === 'date-time') return ', as a time in RFC 3339'
  if (schema['format'] === 'date') return ', as a date'
  if (types.includes('integer') || types.includes('number')) return ', as a number'
  const members = Object.keys(isObject(schema['properties']) ? schema['properties'] : {}).filter(
    (member) => !member.startsWith('@'),
  )
  return members.length > 0 && members.length <= VALUES_SHOWN ? `: ${members.join(', ')}` : ''
}

const compound = (words: readonly string[]): string =>
  capital(spelled(words.join(' '))).replace(/ ID(s?)$/, ' id$1')

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`

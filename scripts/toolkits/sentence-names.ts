import { baseForm, isThirdPerson, naturalVerb } from './verb-forms.ts'

export const NAME_MAX = 80
/** What follows these words explains the action: a name may end before them. */
const EXPLANATION =
  /[;:]\s|\s(?:that|which|whose|where|who|so|when|if|after|before|because|including|unless|until|while|such as|depending|as long as|rather than|instead of|together with)\s/g
/** A noun phrase with one of these is not complete without what follows: `the member that …`. */
const NEEDS_CLAUSE =
  /\b(?:the|one of the|those|each|whether|which|what|how|who|same)\b(?!.*\b(?:an?|its?)\b)/i
/** What follows the comma that closes an insertion: `the photo, as an image file, of a contact`. */
const INSERTION =
  /, (?:as|in|with|such as|which|by|for|on|including|like|valid|other than|usually|optionally) [^,;:]+, (?=(?:of|from|to|for|in|on|with|that|by)\s)/g
/** A name does not end with one of these words. */
const UNFINISHED =
  /(?<!\b(?:is|are|belongs?|subscribes|applies|refers|connected|assigned|added|given|leads))\s(?:an?|the|of|for|from|with|by|and|or|whose|that|which|as|into|its|their|in|to|on|at|than|without|whether|per|this|these|one|not|found|such)$/i
const PREPOSITION =
  /\s(?:of|for|in|with|from|to|by|on|at|through|into|under|between|across|without|against|about|within|over)\s/g
const EXPLAINS_AFTER_COMMA =
  /^(?:with|without|for|from|by|as|in|on|to|of|through|across|at|optionally|usually|if|even|also|including|such|like|page|newest|oldest|most|sorted|so|and|but|not|where|when|which|who|whose|while|one|each|filtered|named|chosen|grouped|made|given|given|or)\b/i
/** Long terms to shorter ones of the same meaning, where a name is too long. */
const SHORTER: readonly (readonly [RegExp, string])[] = [
  [/^Get the number of\b/, 'Count'],
  [/\bthe signed-in user's\b/g, 'my'],
  [/\b(single|multi)-value extended propert/g, '$1-value propert'],
  [/\bone occurrence of a recurring event\b/g, 'an event occurrence'],
  [/\bthe occurrences of a recurring event\b/g, 'event occurrences'],
  [/\ba child folder of a mail folder\b/g, 'a child mail folder'],
  [/\ba child contact folder of a contact folder\b/g, 'a child contact folder'],
  [/\ba given user\b/g, 'a user'],
  [/\ba calendar in one of my calendar groups\b/g, 'a calendar in one of my groups'],
  [/\ba calendar in one of a user's calendar groups\b/g, "a calendar in one of a user's groups"],
  [/ of the signed-in user\b/g, ' of mine'],
  [/\bmy default calendar\b/g, 'my calendar'],
]

/**
 * Returns names that a sentence gives, each a complete phrase, the best first: short ones without explanations, then
 * longer ones. `Returns the board of a card.` gives `Get the board of a card`.
 */
export function namesOfSentence(sentence: string, toolkitName: string): string[] {
  const [first = ''] = sentence.split(/\.(?=\s+[A-Z]|\s*$)/)
  const whole = withoutInsertions(first)
  const plain = withoutInsertions(first.replace(/\s\([^()]*\)/g, ''))
  const commands = [...phrasesOf(plain), plain, whole].map(commandOf)
  const names = [...commands, ...commands.flatMap((command) => shortenedTerms(command, toolkitName))]
  const fitting = names.filter((name) => name.length <= NAME_MAX && isComplete(name))
  if (fitting.length > 0) return [...new Set(fitting)]
  const shortest = shortenedTerms(commands[0]!, toolkitName).at(-1)!
  return [fittedOf(shortest).find(isComplete)].filter((name) => name !== undefined)
}

/** Whether a name does not end in the middle of a phrase. */
export const isComplete = (name: string): boolean =>
  !name.includes('…') &&
  !UNFINISHED.test(name) &&
  !/[,;:\s-]$/.test(name) &&
  (name.match(/\(/g)?.length ?? 0) === (name.match(/\)/g)?.length ?? 0)

const withoutInsertions = (sentence: string): string =>
  sentence
    .replace(/, \w+ly,(?= )/g, '')
    .replace(/^(\w+), for [^,]+, (?=(?:an?|the|all)\s)/, '$1 ')
    .replace(/, such as [^;:]+, (?=(?:of|from|to|for|in|on) (?:an?|the|one)\s)/, ' ')
    .replace(INSERTION, ' ')

/** The parts of a sentence up to each place where an explanation begins. */
function phrasesOf(sentence: string): string[] {
  const ends = [
    ...[...sentence.matchAll(EXPLANATION)].map((match) => match.index).filter((at) => isEnd(sentence, at)),
    ...[...sentence.matchAll(/,\s/g)].map((match) => match.index).filter((at) => endsAtComma(sentence, at)),
    ...[...sentence.matchAll(/,? (?:and|or|but)(?: then)? (\w+)\s/g)]
      .filter((match) => match.index > sentence.indexOf(' ') && isThirdPerson(match[1]!))
      .filter((match) => isNewAction(sentence.slice(match.index + match[0].length)))
      .map((match) => match.index),
  ]
  const start = endOfVerbs(sentence)
  return ends
    .filter((end) => end > start)
    .sort((a, b) => a - b)
    .map((end) => sentence.slice(0, end))
}

/** Where the verbs end with which a sentence begins: `Adds, updates or removes `. */
function endOfVerbs(sentence: string): number {
  const words = sentence.split(' ')
  const count = words.findIndex((word) => !isJoining(word) && !isThirdPerson(word.replace(/,$/, '')))
  const isSeries = words.slice(0, count).some(isJoining)
  return words.slice(0, isSeries ? count : 1).join(' ').length
}

const isJoining = (word: string): boolean => /^(?:and|or|then|but)$/.test(word)

const isNewAction = (rest: string): boolean =>
  /^(?:an?|the|it|its|them|their|one|all|every|each|whether|those|these|that|this|what|which|again|new|several|given|old|other|existing)\b/.test(
    rest,
  )

/** `the member that a card has` is one phrase, `a page that is a draft` has an explanation. */
const isEnd = (sentence: string, at: number): boolean => {
  const before = sentence.slice(sentence.indexOf(' '), at)
  return /^[;:]/.test(sentence.slice(at)) || (before.trim().includes(' ') && !NEEDS_CLAUSE.test(before))
}

/** A comma of an enumeration (`the name, value or visibility of a variable`) ends nothing. */
function endsAtComma(sentence: string, at: number): boolean {
  const rest = sentence.slice(at + 2)
  if (/\b(?:between|both)\b/.test(sentence.slice(0, at))) return false
  const [item = ''] = rest.split(/,\s| and | or /)
  const goesOn = /^[^,]*(?:, [^,]*)*,? (?:and|or) /.test(rest) && item.split(' ').length <= 4
  if (/^(?:or|and) (?:from|to|for|in|on|by|with|of) which\b/.test(rest)) return true
  if (EXPLAINS_AFTER_COMMA.test(rest)) return !/^(?:or|and) (?!\w+s (?:an?|the|it|its|them)\b)/.test(rest)
  return isThirdPerson(item.split(' ')[0]!) || !goesOn
}

/** `Returns a card` is `Get a card`, and `Creates or replaces a card` is `Create or replace a card`. */
function commandOf(sentence: string): string {
  const [verb = '', ...rest] = sentence.trim().split(' ')
  const name = verb.replace(/,$/, '')
  const base =
    name === 'Returns' && /^(?:whether|which|how|what|who)$/.test(rest[0] ?? '') ? 'check' : baseForm(name)
  const command = `${base[0]!.toUpperCase()}${base.slice(1)}${verb.endsWith(',') ? ',' : ''}`
  return [command, ...withBaseForms(rest)].join(' ').replace(/,$/, '')
}

/** Verbs that are joined with the first one, or begin another action, have the same form. */
function withBaseForms(words: readonly string[]): string[] {
  const plain = words.map((word) => word.replace(/,$/, ''))
  const series = words.findIndex((word, index) => !isJoining(word) && !isThirdPerson(plain[index]!))
  return words.map((word, index) => {
    const isInSeries = index < series && (index > 0 || words.slice(0, series).some(isJoining))
    const isSecond = index === 2 && /^(?:to|from|in|on|off|out|up)$/.test(words[0]!)
    const isJoined =
      isJoining(words[index - 1] ?? '') && (isSecond || isNewAction(words.slice(index + 1).join(' ')))
    if (isJoining(word) || !isThirdPerson(plain[index]!) || !(isInSeries || isJoined)) return word
    return `${naturalVerb(plain[index]!)!}${word.endsWith(',') ? ',' : ''}`
  })
}

/** Shorter ways to say a name: without the application, which is known, then with shorter terms. */
function shortenedTerms(name: string, toolkitName: string): string[] {
  const names: string[] = []
  let text = withoutApplication(name, toolkitName)
  names.push(text)
  for (const [term, shorter] of SHORTER) {
    const next = text.replace(term, shorter)
    if (next !== text) names.push(next)
    text = next
  }
  return names
}

/** `a GitHub organization` is `an organization` within the toolkit GitHub. */
export function withoutApplication(name: string, toolkitName: string): string {
  const [first = ''] = toolkitName.split(' ')
  return [toolkitName, first].reduce((text, application) => {
    const own = application.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return text
      .replace(new RegExp(`\\bsigned-in ${own} (?=user)`, 'g'), 'signed-in ')
      .replace(
        new RegExp(`\\b(an?) ${own} (?!(?:and|or|of|in|for)\\b)(\\w)`, 'g'),
        (_, article: string, next: string) =>
          `${/[aeio]/i.test(next) ? 'an' : 'a'} ${next}`.replace(/^a/, article[0]!),
      )
      .replace(
        new RegExp(
          `\\b(the|one|several|of|in) ${own} (?!(?:and|or|of|in|for|by|with|at|on|to|as)\\b)(?=[a-z])`,
          'g',
        ),
        '$1 ',
      )
      .replace(new RegExp(` in ${own}(?=$| (?:by|of|for|with|to)\\b)`, 'g'), '')
  }, name)
}

/** The longest complete beginnings of a name that fit. */
const fittedOf = (name: string): string[] =>
  [...name.matchAll(PREPOSITION)]
    .map(({ index }) => name.slice(0, index))
    .filter((part) => part.length <= NAME_MAX && part.split(' ').length >= 3)
    .reverse()

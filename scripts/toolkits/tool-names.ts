import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { wordsOf } from '../../src/catalog/importers/tools/words.ts'
import { type Action, actionSentence } from './action-sentence.ts'
import { wordsOfSlug } from './action-words.ts'
import { isComplete, namesOfSentence, NAME_MAX } from './sentence-names.ts'
import { spelled } from './sentence-words.ts'
import { isBaseVerb, isThirdPerson, naturalVerb } from './verb-forms.ts'

/** First words of slugs that name a method or a way to call, not what a tool does. */
const NO_ACTION = new Set('call post put invoke bulk batch'.split(' '))
/** First words that are a noun at least as often as a verb: `REPORT_GET`, `FILTER_BY_ID`. */
const NOUNS = new Set(
  (
    'report filter log request schedule monitor record queue map group review stream track access test view share ' +
    'link comment search file archive import export sort design store book label rate score index print ship ' +
    'gather sample watch balance transfer capture release block pin star vote trace check upload download limit fork ' +
    'dispute process trade round note place cast lock boost chat match mount name snooze load place look'
  ).split(' '),
)
const READS = new Set(
  'get list find search check count compare download export preview query test view'.split(' '),
)
const ARTICLE = /^(?:an?|the|all|one|multiple|several|new|your|list)$/
const UNFINISHED_WORD = /^(?:an?|the|of|for|from|with|by|and|or|to|in|on|at|as|via|into|deprecated|using)$/

/** What is known of a tool when its name is chosen. */
export interface ActionToName extends Action {
  /** What the tool does, if a person wrote it. */
  readonly sentence?: string | undefined
}

/** Returns complete names of a tool, the best first. */
export function toolNames(tool: ActionToName): string[] {
  const { sentence, toolkitName, path } = tool
  if (sentence !== undefined) {
    const names = namesOfSentence(sentence, toolkitName)
    return names.length > 0 ? names : [nameOfAction(tool)]
  }
  const ofSlug = nameOfSlug(tool)
  const ofAction = nameOfAction(tool)
  const names = [nameOfCustomMethod(path), ofSlug, ofAction].filter((name) => name !== undefined)
  const fitting = names.filter((name) => name.length <= NAME_MAX && isComplete(name))
  return [fitting[0] ?? nameOfResource(tool)]
}

/** `GITHUB_LIST_ISSUE_COMMENTS` is `List issue comments`; undefined where the slug does not begin with its action. */
function nameOfSlug({ slug, toolkitSlug, effect, path }: ActionToName): string | undefined {
  const words = wordsOfSlug(slug, toolkitSlug)
  if (['atlassian', 'beta'].includes(words[0] ?? '')) words.shift()
  // Two versions of an operation differ by the end of the name, if both are tools.
  if (/_V\d+(?:_\d+)?$/.test(slug)) words.splice(words.findLastIndex((word) => /^v\d+$/.test(word)))
  // A slug that reached the greatest length may end within a word.
  if (slug.length > 58 && /_[0-9A-F]{6}$/.test(slug)) words.pop()
  while (words.length > 1 && UNFINISHED_WORD.test(words.at(-1)!) && words.at(-2) !== 'is') words.pop()
  const [first = '', second = ''] = words
  if (words.length < 2 || NO_ACTION.has(first) || isOfPath(words) || path.endsWith('/$count'))
    return undefined
  const isConjugated = !isBaseVerb(first) && (isThirdPerson(first) || first.endsWith('ing'))
  if (isConjugated && !ARTICLE.test(second)) return undefined
  if (
    NOUNS.has(first) &&
    (effect === 'read'
      ? !READS.has(first)
      : words.some((word, index) => index > 0 && words[index - 1] !== 'to' && isAction(word)))
  )
    return undefined
  const verb = naturalVerb(first)
  if (verb === undefined) return undefined
  const rest = spelled(
    words
      .slice(1)
      .join(' ')
      .replace(/^the navigation property /, '')
      .replace(/(?:\bof )?\bmicrosoft graph /, ''),
  )
  return capital(`${verb} ${rest}`).replace(/^Get me\b/, words.length > 2 ? 'Get my' : 'Get my account')
}

/** `PATCH_V1_USERS_BY_ID` is a method and a path. */
const isOfPath = ([first = '', ...rest]: readonly string[]): boolean =>
  first === 'patch' && rest.some((word) => word === 'by' || /^v\d+$/.test(word))

const isAction = (word: string): boolean =>
  NO_ACTION.has(word) || READS.has(word) || /^(?:create|update|delete|stop|start)$/.test(word)

/** The sentence that rules write, as a command: `Returns a board in Trello.` is `Get a board`. */
function nameOfAction(tool: ActionToName): string {
  const stated = actionSentence(tool)
  const place = [' in ', ' of ']
    .map((word) => `${word}${tool.toolkitName}.`)
    .find((end) => stated.endsWith(end))
  const sentence = stated
    .slice(0, -(place ?? '.').length)
    .replace(
      /^(\w+)ly (\w+)/,
      (_, adverb: string, verb: string) => `${capital(verb)} ${adverb.toLowerCase()}ly`,
    )
    .replace(/:(?= )/, '')
    .replace(/ deprecated$/, '')
    .replace(/ all of (?!the\b)/, ' all ')
    .replace(/\bmicrosoft graph /, '')
  const [name] = namesOfSentence(sentence, tool.toolkitName)
  return (name ?? nameOfResource(tool)).replace(/\b(?:an? |the )?me (?=\w)/, 'my ')
}

/** `/{property}:batchRunReports` is `Run reports in one call`. */
function nameOfCustomMethod(path: string): string | undefined {
  const [, method = ''] = /\}:([a-z]+[A-Z]\w*)$/.exec(path) ?? []
  const words = wordsOf(method).map((word) => word.toLowerCase())
  const isBatch = words[0] === 'batch'
  const [first = '', ...rest] = isBatch ? words.slice(1) : words
  const verb = naturalVerb(first)
  if (verb === undefined || rest.length === 0) return undefined
  return capital([verb, spelled(rest.join(' ')), isBatch ? 'in one call' : ''].filter(Boolean).join(' '))
}

const nameOfResource = ({ effect, path }: ActionToName): string =>
  `${capital(OF_EFFECT[effect])} the ${placeWords(path).findLast((place) => isComplete(`the ${place}`)) ?? 'account'}`

const OF_EFFECT: Record<ToolManifest['effect'], string> = {
  read: 'get',
  create: 'create',
  update: 'update',
  delete: 'delete',
}

const placeWords = (path: string): string[] =>
  path
    .replace(/^https?:\/\/[^/]*/, '')
    .split(/[/?]/)
    .filter((part) => /^[A-Za-z][\w-]{2,}$/.test(part) && !/^(?:api|rest|v\d.*|restapi)$/i.test(part))
    .map((part) =>
      spelled(
        part
          .replace(/([a-z])([A-Z])/g, '$1 $2')
          .replaceAll(/[-_]/g, ' ')
          .toLowerCase(),
      ),
    )

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`

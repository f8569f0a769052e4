const HASH = /^(?=.*\d)[0-9a-f]{4,6}$/
const VERSION = /^v\d+$/
/** Words before a digit that belongs to them: level 1, layer 3. */
const NUMBERED = /^(?:level|layer|version|tier|phase|step|skan|sst|tls|h|http|oauth|web|part|line|s|v\d+)$/
const ACTIONS = new Set(['get', 'gets', 'list', 'create', 'add', 'update', 'delete'])
const BEFORE_PLACE = new Set(['by', 'for', 'of', 'in', 'from', 'to'])

/** The words of a slug without the toolkit and without the hash that makes a long slug unique. */
export const wordsOfSlug = (slug: string, toolkit: string): string[] => {
  const words = slug
    .slice(toolkit.length + 1)
    .toLowerCase()
    .split('_')
    .filter(Boolean)
  const [first, second] = words
  // The key of a translation instead of a summary: `dropbox::t::account_verify::summary`.
  if (first === 'dropbox' && second === 't')
    return words.slice(2, words.at(-1) === 'summary' ? -1 : undefined)
  return words.length > 1 && HASH.test(words.at(-1)!) ? words.slice(0, -1) : words
}

/**
 * Leaves out words that say nothing about an action: the version of the API, a digit that makes a name unique, the
 * format of the result, what is said twice, and those of Microsoft Graph's `Invoke action restore`, which is a restore.
 */
export function sayingWords(words: readonly string[], path: string): string[] {
  const whole = path.toLowerCase()
  const segments = new Set([...whole.split('/'), ...whole.split(/[/.]/)])
  // `v1`, and `v1 2` of a path with `v1_2` or `v1.2`.
  const isVersion = (word: string, index: number) => {
    const [before = '', after = ''] = [words[index - 1], words[index + 1]]
    const pair = (major: string, minor: string) =>
      segments.has(`${major}_${minor}`) || segments.has(`${major}.${minor}`)
    return (
      (VERSION.test(word) && (segments.has(word) || pair(word, after))) ||
      (VERSION.test(before) && pair(before, word))
    )
  }
  const format = /[/.](json|xml)$/.exec(whole)?.[1]
  const isFormat = (word: string, index: number) => word === format && index > 0 && index === words.length - 1
  const own = words.filter((word, index) => !isVersion(word, index) && !isFormat(word, index))
  const saying = withoutRepetition(own).filter((word, index, all) => !isOrdinal(word, index, all, whole))
  const isInvoked = saying[0] === 'invoke' && ['action', 'function'].includes(saying[1] ?? '')
  const [end = ''] = saying.slice(-1)
  const isArea = isInvoked && ['actions', 'functions'].includes(end) && saying.includes('in')
  const rest = isInvoked ? saying.slice(2, isArea ? saying.lastIndexOf('in') : undefined) : saying
  return rest.length === 0 ? [...words] : rest
}

/** The `2` of `audit_log_users_2`, which only tells two operations with the same name apart. */
const isOrdinal = (word: string, index: number, words: readonly string[], path: string): boolean =>
  index > 1 &&
  index === words.length - 1 &&
  /^\d$/.test(word) &&
  !NUMBERED.test(words[index - 1]!) &&
  !new RegExp(`(?<!v)${word}`).test(path)

/** `contact_import_status_get_contact_import_status` says the same twice: group and action. */
function withoutRepetition(words: readonly string[]): string[] {
  const length = Math.floor(words.length / 2)
  const group = words.slice(0, length).join(' ')
  const rest = words.slice(length)
  const isRepeated = length > 1 && rest.slice(-length).join(' ') === group
  return isRepeated && (rest.length === length || ACTIONS.has(rest[0]!)) ? rest : [...words]
}

/** Whether a slug only has the words of a path, with a method before them: `get_restapi_v1_0_account_by_account_id`. */
export const isNameOfPath = ([first = '', ...rest]: readonly string[]): boolean =>
  ['get', 'delete'].includes(first) &&
  (rest[0] === 'restapi' || VERSION.test(rest[0] ?? '')) &&
  rest.some((word) => BEFORE_PLACE.has(word))

/** Words that say nothing about which tool is meant. */
const STOP = new Set((
  'a an and any are as at be by can could do does for from had has have how i if in into is it its me my of on or our out over please show that the their them then '
  + 'there these they this those to up us use uses want was we were what when where which who will with would you your'
).split(' '))

/** Verbs and nouns that people and vendors use for the same thing; a word brings in its group at less weight. */
const GROUPS = [
  'get fetch read retrieve view see lookup load obtain', 'list enumerate all browse', 'create add make new insert', 'delete remove erase discard trash destroy',
  'update edit modify change rename set patch', 'send post deliver write', 'search find query locate lookup', 'reply respond answer', 'upload attach import',
  'download export', 'message dm chat text', 'email mail', 'user member person people', 'issue ticket bug task', 'comment note remark', 'repository repo project',
  'pull merge pr', 'file document attachment', 'page document doc', 'channel room conversation', 'schedule plan calendar event', 'label tag', 'folder directory',
  'run execute trigger start', 'stop cancel abort', 'close resolve finish', 'invite add', 'reaction emoji', 'database table', 'record row entry item', 'copy duplicate clone fork',
  'assign allocate', 'draft compose', 'time date clock', 'calculate compute math', 'summary overview', 'story news article', 'flow workflow',
].map((group) => group.split(' ').map(stem))

const synonyms = new Map<string, string[]>()
for (const group of GROUPS) for (const word of group) synonyms.set(word, [...new Set([...synonyms.get(word) ?? [], ...group.filter((other) => other !== word)])])

/** Other words for a stemmed word. */
export function synonymsOf(word: string): readonly string[] {
  return synonyms.get(word) ?? []
}

/** A text as stemmed words, without stop words; `camelCase` and `snake_case` are taken apart. */
export function wordsOf(text: string): string[] {
  const words = text.normalize('NFKC').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => !STOP.has(word)).map(stem)
}

/** Takes off the commonest English endings; enough to bring `issues`, `issue` and `listing`, `list` together, and much less than Porter 2. */
export function stem(word: string): string {
  let out = word
  if (out.length > 4 && out.endsWith('ies')) out = `${out.slice(0, -3)}y`
  else if (out.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(out)) out = out.slice(0, -2)
  else if (out.length > 3 && out.endsWith('s') && !/(?:ss|us|is)$/.test(out)) out = out.slice(0, -1)
  if (out.length > 5 && out.endsWith('ing')) out = undouble(out.slice(0, -3))
  else if (out.length > 4 && out.endsWith('ed')) out = undouble(out.slice(0, -2))
  return out.length > 3 && out.endsWith('e') ? out.slice(0, -1) : out
}

const undouble = (word: string): string => /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word

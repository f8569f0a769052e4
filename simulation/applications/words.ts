const VERBS = new Set([
  'get',
  'list',
  'create',
  'update',
  'delete',
  'search',
  'find',
  'add',
  'remove',
  'send',
  'fetch',
  'read',
  'query',
  'archive',
  'set',
  'upsert',
  'edit',
  'open',
  'close',
  'merge',
  'retry',
  'move',
  'copy',
])
const ENDS = new Set(['for', 'of', 'to', 'from', 'in', 'by', 'with', 'on', 'and', 'as', 'or', 'at'])
const ARTICLES = new Set(['a', 'an', 'the', 'my', 'all', 'current'])

/** `mailFolders`, `mail_folders` and `mail-folder` are one word. */
export function singular(word: string): string {
  const plain = word.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (/(ss|us|is)$/.test(plain) || plain.length < 4) return plain
  return plain
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/s$/, '')
}

export const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
/** The words of a name: `issue_number` and `issueNumber` have two. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

/** The first word of a tool's name, and the object it is about: `LIST_REPOSITORY_ISSUES` lists `issue`. */
export function slugWords(slug: string, toolkit: string): { verb: string; noun: string } {
  const words = slug
    .toLowerCase()
    .slice(toolkit.length + 1)
    .split('_')
  const verb = words[0] ?? ''
  const rest = words.slice(VERBS.has(verb) ? 1 : words.length > 1 ? 1 : 0)
  const end = rest.findIndex((word, index) => index > 0 && ENDS.has(word))
  const nouns = rest.slice(0, end < 0 ? undefined : end).filter((word) => !ARTICLES.has(word))
  return { verb, noun: singular(nouns.at(-1) ?? verb) }
}

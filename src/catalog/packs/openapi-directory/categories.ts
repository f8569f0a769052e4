import table from './categories.json' with { type: 'json' }

const OF_DIRECTORY = new Map<string, string>(Object.entries(table.directory))
const OF_PROVIDER = new Map<string, readonly string[]>(Object.entries(table.ofProvider))
const BY_WORD = new Map<string, string>(Object.entries(table.byWord))
const CATEGORIES_MAX = 3

/**
 * Returns the categories of a toolkit, named as in the built-in toolkits: by the publisher, else by the
 * directory, else by a word of the slug. The directory files some publishers under one heading regardless of
 * their APIs; `ofProvider` lists those.
 */
export function packCategories(key: string, slug: string, said: readonly string[]): string[] {
  const [domain = ''] = key.split('/')
  const filed =
    OF_PROVIDER.get(domain) ?? said.map((one) => OF_DIRECTORY.get(one)).filter((one) => one !== undefined)
  const spoken = slug
    .split('_')
    .map((word) => BY_WORD.get(word))
    .filter((one) => one !== undefined)
  const found = [...new Set(filed.length > 1 ? filed : [...filed, ...spoken])].slice(0, CATEGORIES_MAX)
  return found.length > 0 ? found : [domain === 'googleapis.com' ? 'cloud' : 'other']
}

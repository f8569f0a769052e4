import { existsSync, readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../toolkits/', import.meta.url)
/** Slugs of the toolkits that ship, in the order of the alphabet. */
export const SHIPPED = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== '_families')
  .map(({ name }) => name)
  .sort()
/** Those with tools that are written by hand. */
export const SHIPPED_WITH_TOOLS = SHIPPED.filter((slug) =>
  ['tools', 'tools.json'].some((name) => existsSync(new URL(`${slug}/${name}`, FOLDER))),
)
const schemesOf = (slug: string) =>
  (
    JSON.parse(readFileSync(new URL(`${slug}/toolkit.json`, FOLDER), 'utf8')) as {
      auth: { scheme: string }[]
    }
  ).auth.map(({ scheme }) => scheme)
/** Those that need no account. */
export const WITHOUT_ACCOUNT = SHIPPED.filter((slug) => schemesOf(slug).includes('NO_AUTH'))

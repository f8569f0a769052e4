import type { Plan } from './plan.ts'
import { propertiesOf } from './read-arguments.ts'
import { sameText, type Thing } from './store.ts'
import { plain } from './words.ts'

const QUERY =
  /^(q|query|search|text|term|keywords?|jql|cql|soql|sosl|search_?(text|term|query)|name_contains|title)$/i
const ANY = /^(all|any|\*|both|)$/i
/** Words of query languages, and those that are in every text. */
const STOP = new Set([
  'and',
  'or',
  'not',
  'order',
  'by',
  'asc',
  'desc',
  'select',
  'from',
  'where',
  'limit',
  'in',
  'is',
  'the',
  'contains',
  'like',
  'project',
  'returning',
])

/**
 * The objects that a list asks for: those in the place it names, with the members it names, in which a word
 * of its query stands.
 */
export function selected(
  things: readonly Thing[],
  plan: Plan,
  args: Readonly<Record<string, unknown>>,
): Thing[] {
  const asked = Object.entries(args).filter(
    ([name, value]) => value !== null && value !== undefined && !QUERY.test(name) && !ANY.test(String(value)),
  )
  const within = things.filter((thing) => asked.every(([name, value]) => holds(thing, name, value, plan)))
  const query = Object.entries(args).find(
    ([name, value]) => QUERY.test(name) && typeof value === 'string',
  )?.[1] as string | undefined
  return query === undefined ? within : withWords(within, query)
}

/** What an object does not know of itself is no reason to leave it out. */
function holds({ fields, context }: Thing, name: string, value: unknown, { within, place }: Plan): boolean {
  const expected = plain(name)
  const isPlace = within.includes(name)
  const parent = Object.entries(context).find(
    ([key]) => plain(key) === expected || plain(key).replace(/s$/, '') === expected,
  )?.[1]
  if (parent !== undefined && (isPlace || typeof value !== 'object'))
    return (
      [parent].flat().some((one) => sameText(one, value)) ||
      !(isPlace || /(id|key|gid|sid)$/i.test(name) || isState(name))
    )
  const member =
    isState(name) && place
      ? Object.keys(propertiesOf(place.schema)).find((key) => plain(key) === expected)
      : undefined
  const own = member === undefined ? undefined : fields[member]
  return typeof own !== 'string' || typeof value !== 'string' || sameText(own, value)
}

const isState = (name: string): boolean => /^(state|status)$/i.test(name)

function withWords(things: readonly Thing[], query: string): Thing[] {
  const words = wordsOf(query)
  if (!words.length) return [...things]
  return things.filter(({ fields, context }) => {
    const text = JSON.stringify([fields, context]).toLowerCase()
    return words.some((word) => text.includes(word))
  })
}

/** Of a structured query only what is compared with: `project = ENG AND text ~ "login fails"` asks for those words. */
function wordsOf(query: string): string[] {
  const quoted = [...query.matchAll(/["']([^"']+)["']/g)].flatMap(([, text = '']) =>
    text.toLowerCase().split(/\s+/),
  )
  const bare = quoted.length
    ? []
    : query
        .toLowerCase()
        .replace(/\b[\w.-]+\s*:\S*/g, ' ')
        .split(/[^\p{L}\p{N}_@.-]+/u)
  return [...quoted, ...bare].filter((word) => word.length > 1 && !STOP.has(word))
}

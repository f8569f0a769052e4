import type { PathReader } from '../../../types/index.ts'

const STEP = String.raw`(\[\d+\]|\[[\w@-]+=[^'[\]]+\]|\['[^'\]]+'\])*`
const PATH = new RegExp(String.raw`^(\$|([^.\s[\]]+|\['[^'\]]+'\])${STEP}(\.[^.\s[\]]+${STEP})*)$`)

/** A key, the place of an item, or the item of a list that has this text in a member. */
type PathStep = string | number | { readonly member: string; readonly text: string }

/**
 * Compiles a dotted path (`data.token.access_token`, `items[0].id`, `headers[name=Subject].value`,
 * `['@odata.nextLink']` for a key with a dot, `$` for the whole) to a reader. It follows own keys only, so
 * that a path such as `constructor.name` finds nothing in a reply that does not really hold it. Of the items
 * that have a name the first counts, whether its letters are large or small.
 */
export function compilePath(path: string): PathReader {
  if (!PATH.test(path))
    throw new SyntaxError(`\`${path}\` is not a path. Write \`a.b\`, \`a[0].b\`, \`a[name=x].b\` or \`$\`.`)
  if (path === '$') return (value) => value
  const steps = [...path.matchAll(/\['([^'\]]+)'\]|\[([^=[\]]+)=([^[\]]+)\]|([^.[\]]+)|\[(\d+)\]/g)].map(
    ([, quoted, member, text, key, index]): PathStep =>
      member !== undefined && text !== undefined
        ? { member, text: text.toLowerCase() }
        : (quoted ?? key ?? Number(index)),
  )
  return (value) => steps.reduce<unknown>(followStep, value)
}

function followStep(at: unknown, step: PathStep): unknown {
  if (at === null || typeof at !== 'object') return undefined
  if (typeof step === 'object')
    return Array.isArray(at)
      ? at.find((item) => hasText(followStep(item, step.member), step.text))
      : undefined
  if (Array.isArray(at) ? step === 'length' : typeof step === 'number') return undefined
  return Object.hasOwn(at, step) ? (at as Record<string | number, unknown>)[step] : undefined
}

/** Only what is plain has a text: an object of a reply may have its own idea of `toString`. */
const hasText = (value: unknown, text: string): boolean =>
  value !== null && typeof value !== 'object' && value !== undefined && String(value).toLowerCase() === text

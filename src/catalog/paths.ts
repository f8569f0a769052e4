import type { PathReader } from './records.ts'

const PATH = /^(\$|([^.\s[\]]+|\['[^'\]]+'\])(\[\d+\]|\['[^'\]]+'\])*(\.[^.\s[\]]+(\[\d+\]|\['[^'\]]+'\])*)*)$/

/**
 * Compiles a dotted path (`data.token.access_token`, `items[0].id`, `['@odata.nextLink']` for a key with a dot, `$` for the whole) to a reader. It follows own keys only, so that
 * a path such as `constructor.name` finds nothing in a reply that does not really hold it.
 */
export function compilePath(path: string): PathReader {
  if (!PATH.test(path)) throw new SyntaxError(`\`${path}\` is no path: write \`a.b\`, \`a[0].b\` or \`$\`.`)
  if (path === '$') return (value) => value
  const steps: (string | number)[] = []
  for (const [, quoted, key, index] of path.matchAll(/\['([^'\]]+)'\]|([^.[\]]+)|\[(\d+)\]/g)) steps.push(quoted ?? key ?? Number(index))
  return (value) => {
    let at: unknown = value
    for (const step of steps) {
      if (at === null || typeof at !== 'object') return undefined
      if (Array.isArray(at) ? step === 'length' : typeof step === 'number') return undefined
      if (!Object.hasOwn(at, step)) return undefined
      at = (at as Record<string | number, unknown>)[step]
    }
    return at
  }
}

// Code writes a path in pieces: a template, a concatenation, a base URL in another file. This finds the pieces in their
// order and the method next to them. It does not prove that the code sends the request; a person reads the source.

/** What a text states about a request: method and path next to each other, or only the path. */
export type FoundRequest = 'request' | 'path'

/** Characters before and after a path in which its method is looked for. */
const NEAR = 500
const VERY_NEAR = 160
const QUOTE = String.raw`["'\x60]`
/** What stands for a parameter: `${id}`, `{id}`, `:id`, `%s`, `<id>`, or `" + id + "`. */
const PARAMETER = String.raw`(?:\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\{\{?[^{}\n]*\}?\}|:\w+|%s|<\w+>|${QUOTE}\s*\+\s*[^+\n]{1,80}?(?:\s*\+\s*${QUOTE})?|\[\w+\])`
/** A path that is not written with a slash at its beginning is recognized by what precedes it. */
const BEFORE_RELATIVE = String.raw`(?:(?:path|url|uri|endpoint|resource|route)\w*\s*[:=(]\s*|(?:GET|POST|PUT|PATCH|DELETE)${QUOTE},\s*|\}\/?)${QUOTE}?`

const METHODS: Readonly<Record<string, RegExp>> = {
  GET: /\bget\b|httpMethod\.GET/i,
  HEAD: /\bhead\b/i,
  POST: /\bpost\b|_?post\(/i,
  PUT: /\bput\b|_?put\(/i,
  PATCH: /\bpatch\b|_?patch\(/i,
  DELETE: /\b(?:delete|del)\b|_?delete\(/i,
}
const CHANGES = /\b(post|put|patch|delete)\b/i

/**
 * Returns what a text states about a request. `whole` is all text of the source, which must have the beginning of the
 * path that this text lacks.
 */
export function findRequest(
  text: string,
  method: string,
  path: string,
  whole: string = text,
): FoundRequest | undefined {
  const segments = segmentsOf(path)
  let best: FoundRequest | undefined
  for (let from = 0; from < segments.length; from++) {
    if (!segments.slice(from).some((segment) => segment !== '')) break
    if (!segments.slice(0, from).every((segment) => isElsewhere(segment, whole))) break
    for (const { index } of text.matchAll(patternOf(segments.slice(from)))) {
      best = 'path'
      if (isNear(text, index, method)) return 'request'
    }
  }
  return best
}

/** A dotted version (`v23.0`) changes every few months, and the path does not. */
const isElsewhere = (segment: string, whole: string): boolean =>
  segment === '' || whole.includes(segment) || /^v\d+\.\d+$/.test(segment)

/** Segments of a path below its host; empty for a parameter. */
const segmentsOf = (path: string): string[] =>
  path
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean)
    .map((segment) => (/[{}]/.test(segment) ? '' : segment))

function patternOf(segments: readonly string[]): RegExp {
  const parts = segments.map((segment) => (segment === '' ? PARAMETER : escaped(segment)))
  const isAlone = segments.filter((segment) => segment !== '').length === 1 && segments[0] !== ''
  const start = isAlone
    ? String.raw`(?:\/|${BEFORE_RELATIVE})`
    : String.raw`(?:\/|${QUOTE}|${BEFORE_RELATIVE})`
  return new RegExp(
    String.raw`${start}${parts.join(String.raw`\/?(?:${QUOTE}\s*\+\s*${QUOTE})?\/?`)}(?=\/?(?:${QUOTE}|[?#\s,);]|:\s|\$\{\w*(?:query|params|search|qs)|$))`,
    'gi',
  )
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\-]/g, String.raw`\$&`)

/** Whether a method is next to a place. A request without any method is a GET. */
function isNear(text: string, index: number, method: string): boolean {
  const near = text.slice(Math.max(0, index - NEAR), index + NEAR)
  if (METHODS[method]!.test(near)) return true
  return method === 'GET' && !CHANGES.test(text.slice(Math.max(0, index - VERY_NEAR), index + VERY_NEAR))
}

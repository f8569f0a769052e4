/** A comment, or the text of a string literal, with its place in the file. */
export interface SourceText {
  readonly prose: string
  readonly index: number
  readonly kind: 'comment' | 'string'
}

/** A regular expression starts after these characters; after others, a slash divides. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};>+]|\breturn)\s*$/
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y
const QUOTED = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y
const PATTERN = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
/** A part of a template literal, up to its end or to the next expression. */
const TEMPLATE = /(?:[^`\\$]|\\[^]|\$(?!\{))*(`|\$\{|$)/y

/**
 * Returns the comments and the string literals of a TypeScript or JavaScript file. Expressions inside of template
 * literals are code: their parts are reported apart.
 */
export function textsOf(source: string): SourceText[] {
  const texts: SourceText[] = []
  /** For each open expression of a template literal, the number of its open braces. */
  const expressions: number[] = []
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  const readTemplate = (at: number): number => {
    const [prose = '', end] = match(TEMPLATE, at) ?? []
    texts.push({ prose, index: at, kind: 'string' })
    if (end === '${') expressions.push(0)
    return at + prose.length
  }
  for (let at = 0; at < source.length;) {
    const char = source[at]!
    const comment = char === '/' ? match(COMMENT, at)?.[0] : undefined
    const quoted = char === "'" || char === '"' ? match(QUOTED, at)?.[0] : undefined
    if (comment) {
      texts.push({ prose: comment, index: at, kind: 'comment' })
      at += comment.length
    } else if (quoted) {
      texts.push({ prose: quoted, index: at, kind: 'string' })
      at += quoted.length
    } else if (char === '`') at = readTemplate(at + 1)
    else if (char === '}' && expressions.at(-1) === 0) {
      expressions.pop()
      at = readTemplate(at + 1)
    } else {
      if (expressions.length > 0 && char === '{') expressions[expressions.length - 1]! += 1
      if (expressions.length > 0 && char === '}') expressions[expressions.length - 1]! -= 1
      const isPattern = char === '/' && BEFORE_PATTERN.test(source.slice(Math.max(0, at - 20), at))
      at += isPattern ? (match(PATTERN, at)?.[0].length ?? 1) : 1
    }
  }
  return texts
}

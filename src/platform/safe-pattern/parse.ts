import {
  ANY_CHARACTER,
  CLASS_ESCAPES,
  type CharacterSet,
  characterRange,
  characterSet,
  complement,
  ignoringCase,
} from './character-set.ts'

export type PatternNode =
  | { readonly type: 'characters'; readonly set: CharacterSet }
  | { readonly type: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly type: 'alternatives'; readonly nodes: readonly PatternNode[] }
  /** Repeats at least `min` times; `many` when more than once is possible. */
  | { readonly type: 'repeat'; readonly node: PatternNode; readonly min: number; readonly many: boolean }

export interface ParsedPattern {
  readonly node: PatternNode
  readonly groups: number
  readonly startsAtBeginning: boolean
}

/** A pattern that this server does not run; the message says why, as the rest of a sentence. */
export class UnsafePattern extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnsafePattern'
  }
}

const REPEAT_MAX = 1_000
const DEPTH_MAX = 20
const CONTROL_ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' }

/** The characters of the pattern that are not read yet. */
interface Reader {
  readonly characters: readonly string[]
  readonly fold: (set: CharacterSet) => CharacterSet
  at: number
  depth: number
  groups: number
}

/**
 * Parses the subset of ECMAScript regular expressions that has no backreference, no lookaround, and `^` and
 * `$` only at the beginning and the end.
 * @throws UnsafePattern
 */
export function parsePattern(source: string, ignoreCase: boolean): ParsedPattern {
  const startsAtBeginning = source.startsWith('^')
  const endsAtEnd = /(?<!\\)(?:\\\\)*\$$/.test(source)
  const body = source.slice(startsAtBeginning ? 1 : 0, endsAtEnd ? -1 : undefined)
  const reader: Reader = {
    characters: [...body],
    fold: ignoreCase ? ignoringCase : (set) => set,
    at: 0,
    depth: 0,
    groups: 0,
  }
  const node = parseAlternatives(reader)
  if (reader.at < reader.characters.length) throw new UnsafePattern('has a `)` without its `(`')
  if (node.type === 'alternatives' && (startsAtBeginning || endsAtEnd))
    throw new UnsafePattern('has `|` between `^` and `$` without a group: write ^(?:a|b)$')
  return { node, groups: reader.groups, startsAtBeginning }
}

/** Returns whether a node matches the empty string. */
export function isNullable(node: PatternNode): boolean {
  if (node.type === 'characters') return false
  if (node.type === 'repeat') return node.min === 0 || isNullable(node.node)
  return node.type === 'sequence' ? node.nodes.every(isNullable) : node.nodes.some(isNullable)
}

const peek = ({ characters, at }: Reader): string | undefined => characters[at]

function accept(reader: Reader, character: string): boolean {
  if (peek(reader) !== character) return false
  reader.at++
  return true
}

function parseAlternatives(reader: Reader): PatternNode {
  const nodes = [parseSequence(reader)]
  while (accept(reader, '|')) nodes.push(parseSequence(reader))
  if (nodes.length === 1) return nodes[0]!
  // Two empty alternatives of each of many groups can be combined in exponentially many ways.
  if (nodes.filter(isNullable).length > 1)
    throw new UnsafePattern('has several alternatives that may be empty: write (?:a|b)?')
  return { type: 'alternatives', nodes }
}

function parseSequence(reader: Reader): PatternNode {
  const nodes: PatternNode[] = []
  for (let next = peek(reader); next !== undefined && next !== '|' && next !== ')'; next = peek(reader))
    nodes.push(parseRepeat(reader, parseAtom(reader)))
  return { type: 'sequence', nodes }
}

function parseRepeat(reader: Reader, node: PatternNode): PatternNode {
  const limits = parseQuantifier(reader)
  if (!limits) return node
  accept(reader, '?')
  if (isNullable(node)) throw new UnsafePattern('repeats a part that may be empty')
  return { type: 'repeat', node, min: limits.min, many: limits.max > 1 }
}

function parseQuantifier(reader: Reader): { min: number; max: number } | undefined {
  if (accept(reader, '*')) return { min: 0, max: Infinity }
  if (accept(reader, '+')) return { min: 1, max: Infinity }
  if (accept(reader, '?')) return { min: 0, max: 1 }
  if (peek(reader) !== '{') return undefined
  const rest = reader.characters.slice(reader.at, reader.at + 12).join('')
  const match = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(rest)
  if (!match) throw new UnsafePattern('has a `{` that is not a count: write \\{')
  const min = Number(match[1])
  const max = match[2] === undefined ? min : match[3] === undefined ? Infinity : Number(match[3])
  if (max < min || min > REPEAT_MAX || (max !== Infinity && max > REPEAT_MAX))
    throw new UnsafePattern(`has the count ${match[0]}, which must be in order and at most ${REPEAT_MAX}`)
  reader.at += match[0].length
  return { min, max }
}

function parseAtom(reader: Reader): PatternNode {
  const character = reader.characters[reader.at++]!
  if (character === '(') return parseGroup(reader)
  if (character === '[') return { type: 'characters', set: parseClass(reader) }
  if (character === '.') return { type: 'characters', set: ANY_CHARACTER }
  if (character === '\\')
    return { type: 'characters', set: reader.fold(parseEscape(reader, '^$\\.*+?()[]{}|/').set) }
  if ('^$'.includes(character))
    throw new UnsafePattern(`has \`${character}\` in the middle: only ^ at the beginning and $ at the end`)
  if ('*+?{}]'.includes(character)) throw new UnsafePattern(`has \`${character}\` without its other part`)
  return { type: 'characters', set: reader.fold(characterSet(character)) }
}

function parseGroup(reader: Reader): PatternNode {
  if (accept(reader, '?')) {
    if (!accept(reader, ':'))
      throw new UnsafePattern('has a lookaround or a named group; only ( ) and (?: ) are supported')
  } else reader.groups++
  if (++reader.depth > DEPTH_MAX) throw new UnsafePattern(`is nested more than ${DEPTH_MAX} levels deep`)
  const node = parseAlternatives(reader)
  if (!accept(reader, ')')) throw new UnsafePattern('has a `(` without its `)`')
  reader.depth--
  return node
}

/** A character, or the set of a class escape such as `\d`. */
interface ClassMember {
  readonly set: CharacterSet
  readonly character?: string
}

function parseClass(reader: Reader): CharacterSet {
  const isNegated = accept(reader, '^')
  let set: CharacterSet = 0n
  while (!accept(reader, ']')) {
    const from = parseClassMember(reader)
    const isRange = peek(reader) === '-' && reader.characters[reader.at + 1] !== ']'
    if (!isRange) {
      set |= from.set
      continue
    }
    reader.at++
    const to = parseClassMember(reader)
    const range =
      from.character === undefined || to.character === undefined
        ? undefined
        : characterRange(from.character, to.character)
    if (range === undefined) throw new UnsafePattern('has an invalid range in [ ]')
    set |= range
  }
  if (set === 0n) throw new UnsafePattern('has an empty [ ]')
  // ECMA-262 folds the characters of a class before it negates them.
  return isNegated ? complement(reader.fold(set)) : reader.fold(set)
}

function parseClassMember(reader: Reader): ClassMember {
  const character = reader.characters[reader.at++]
  if (character === undefined) throw new UnsafePattern('has a `[` without its `]`')
  return character === '\\'
    ? parseEscape(reader, '^$\\.*+?()[]{}|/-')
    : { set: characterSet(character), character }
}

function parseEscape(reader: Reader, escapable: string): ClassMember {
  const character = reader.characters[reader.at++]
  if (character === undefined) throw new UnsafePattern('ends with a single \\')
  if (Object.hasOwn(CLASS_ESCAPES, character)) return { set: CLASS_ESCAPES[character]! }
  const literal = Object.hasOwn(CONTROL_ESCAPES, character)
    ? CONTROL_ESCAPES[character]!
    : escapable.includes(character)
      ? character
      : undefined
  if (literal === undefined)
    throw new UnsafePattern(
      `has \\${character}, which is not supported: no backreference, no \\b, no \\p, no code`,
    )
  return { set: characterSet(literal), character: literal }
}

import { endOfString, JSON_BOUNDS, type JsonBounds, JsonTooComplex } from './bounded-json.ts'

/** Characters of members that are parsed at once: about a fifth of a millisecond. */
const PIECE = 32 * 1_024

const QUOTE = 34,
  COMMA = 44,
  LEFT_BRACKET = 91,
  RIGHT_BRACKET = 93,
  LEFT_BRACE = 123,
  RIGHT_BRACE = 125

/** An object or a list whose end has not been read. */
interface Container {
  readonly isList: boolean
  /** Where the text of the container begins. */
  readonly start: number
  /** Where the members begin that are not in `value` yet. */
  from: number
  /** The latest comma between its members, or its opening bracket. */
  separator: number
  /** Exists when the container is longer than a piece: what was parsed of it. */
  value: unknown[] | Record<string, unknown> | undefined
  /** Whether a member has been added after the latest separator, so that a comma or the end must follow. */
  isMemberAdded: boolean
}

/**
 * Parses JSON that another server wrote in pieces, with the result of `parseBoundedJson`. Yields after each piece, so
 * that a caller can let other work run: JSON.parse blocks the process for 30 ms with four megabytes.
 * @throws SyntaxError for a text that is not JSON, JsonTooComplex for one that exceeds the bounds
 */
export function* parseJsonInPieces(
  text: string,
  bounds: JsonBounds = JSON_BOUNDS,
  pieceLength = PIECE,
): Generator<void, unknown> {
  const stack: Container[] = []
  let root: Container | undefined
  let count = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) {
      count++
      const container = stack.at(-1)
      if (container && at - container.from >= pieceLength) {
        addMembers(text, stack, at)
        yield
      } else if (container?.isMemberAdded) endMember(text, container, at)
      if (container) container.separator = at
    } else if (code === LEFT_BRACKET || code === LEFT_BRACE) {
      count++
      if (root && stack.length === 0) throw unexpected(at)
      if (stack.length >= bounds.depth) throw new JsonTooComplex('depth', bounds)
      stack.push(openContainer(code === LEFT_BRACKET, at))
      root ??= stack[0]
    } else if (code === RIGHT_BRACKET || code === RIGHT_BRACE) {
      closeContainer(text, stack, at, code === RIGHT_BRACKET)
      if (stack.length === 0 && root?.value) {
        assertBlank(text, 0, root.start)
        assertBlank(text, at + 1, text.length)
        return root.value
      }
    }
    if (count > bounds.values) throw new JsonTooComplex('values', bounds)
  }
  if (root?.value) throw new SyntaxError('Unexpected end of JSON input')
  return JSON.parse(text)
}

const openContainer = (isList: boolean, start: number): Container => ({
  isList,
  start,
  from: start + 1,
  separator: start,
  value: undefined,
  isMemberAdded: false,
})

const unexpected = (at: number): SyntaxError => new SyntaxError(`Unexpected token at position ${at}`)

function assertBlank(text: string, from: number, to: number): void {
  if (/[^ \t\r\n]/.test(text.slice(from, to))) throw unexpected(from)
}

/** Parses the complete members of the innermost container up to `end`, and of the containers around it. */
function addMembers(text: string, stack: readonly Container[], end: number): void {
  for (const container of stack) {
    const isInnermost = container === stack.at(-1)
    container.value ??= container.isList ? [] : {}
    addSlice(text, container, isInnermost ? end : container.separator)
  }
}

/** Adds the members between `from` and `end`, a comma or the end of the container. */
function addSlice(text: string, container: Container, end: number): void {
  if (container.isMemberAdded) return endMember(text, container, end)
  if (end < container.from) return
  const slice = text.slice(container.from, end)
  container.from = end + 1
  const members = JSON.parse(container.isList ? `[${slice}]` : `{${slice}}`) as object
  const names = Object.keys(members)
  if (names.length === 0) throw unexpected(end)
  if (container.isList) for (const one of members as unknown[]) (container.value as unknown[]).push(one)
  else
    for (const name of names)
      setMember(container.value as object, name, (members as Record<string, unknown>)[name])
}

/** After a member that is longer than a piece, only its separator may follow. */
function endMember(text: string, container: Container, end: number): void {
  assertBlank(text, container.from, end)
  container.from = end + 1
  container.isMemberAdded = false
}

/** Sets a member as JSON.parse does: one with the name `__proto__` is a member, too. */
function setMember(object: object, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  else (object as Record<string, unknown>)[name] = value
}

function closeContainer(text: string, stack: Container[], at: number, isList: boolean): void {
  const container = stack.pop()
  if (!container || container.isList !== isList) throw unexpected(at)
  if (!container.value) return
  addSlice(text, container, at)
  const parent = stack.at(-1)
  if (!parent) return
  // The members before it were added when this one became longer than a piece.
  if (parent.isList) {
    assertBlank(text, parent.from, container.start)
    ;(parent.value as unknown[]).push(container.value)
  } else setMember(parent.value as object, nameBefore(text, parent.from, container.start), container.value)
  parent.from = at + 1
  parent.isMemberAdded = true
}

/** Returns the name in `"name":`, which is all that is between the positions. */
function nameBefore(text: string, from: number, to: number): string {
  const names = Object.keys(JSON.parse(`{${text.slice(from, to)}0}`) as object)
  if (names.length !== 1) throw unexpected(from)
  return names[0] as string
}

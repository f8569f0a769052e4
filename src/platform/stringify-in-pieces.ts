/** Longer lists and wider objects are divided. The parts of others are read one by one, a few levels deep. */
const WIDE_MIN = 64
const LEVELS_MAX = 8
/** Characters of a piece: about a fifth of a millisecond. A longer one is followed by pieces of half as many items. */
const PIECE_MAX = 64 * 1_024

/**
 * Returns the JSON text of a value, as JSON.stringify does. Yields between pieces, so that a caller can let other work
 * run: five megabytes in one piece take 16 ms.
 */
export function* stringifyInPieces(value: unknown): Generator<void, string> {
  return (yield* stringify(value, LEVELS_MAX)) ?? 'null'
}

function* stringify(value: unknown, levels: number): Generator<void, string | undefined> {
  if (levels === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) {
    yield
    return JSON.stringify(value)
  }
  return Array.isArray(value)
    ? yield* stringifyList(value, levels)
    : yield* stringifyObject(value as Record<string, unknown>, levels)
}

function* stringifyList(list: readonly unknown[], levels: number): Generator<void, string> {
  if (list.length < WIDE_MIN) {
    const texts: string[] = []
    for (const item of list) texts.push((yield* stringify(item, levels - 1)) ?? 'null')
    return `[${texts.join()}]`
  }
  let text = ''
  let size = 1
  for (let from = 0; from < list.length;) {
    const piece = JSON.stringify(list.slice(from, from + size)).slice(1, -1)
    text += from === 0 ? piece : `,${piece}`
    from += size
    size = piece.length > PIECE_MAX ? Math.max(1, size >> 1) : size * 2
    yield
  }
  return `[${text}]`
}

function* stringifyObject(object: Record<string, unknown>, levels: number): Generator<void, string> {
  const names = Object.keys(object)
  let text = ''
  for (const name of names) {
    const value =
      names.length < WIDE_MIN ? yield* stringify(object[name], levels - 1) : JSON.stringify(object[name])
    if (value === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`
    if (names.length >= WIDE_MIN) yield
  }
  return `{${text}}`
}

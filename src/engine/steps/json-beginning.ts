const DEPTH_MAX = 40

/** The first characters of the JSON of a value, a few more than `max` at most, without writing the rest of it: of a large answer that would cost as much as all other steps together. */
export function jsonBeginning(value: unknown, max: number): string {
  const parts: string[] = []
  let length = 0
  const add = (text: string) => { parts.push(text); length += text.length }

  function write(one: unknown, depth: number): void {
    if (typeof one === 'string') return add(JSON.stringify(one.length > max ? one.slice(0, max) : one))
    if (typeof one !== 'object' || one === null || depth > DEPTH_MAX) return add(JSON.stringify(one) ?? 'null')
    const isList = Array.isArray(one)
    add(isList ? '[' : '{')
    let isFirst = true
    for (const name in one) {
      if (length > max) return
      if (!isFirst) add(',')
      if (!isList) add(`${JSON.stringify(name)}:`)
      write((one as Record<string, unknown>)[name], depth + 1)
      isFirst = false
    }
    add(isList ? ']' : '}')
  }

  write(value, 0)
  return parts.join('').slice(0, max)
}

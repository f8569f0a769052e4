import { isObject, list, object, getOwn } from '../json.ts'
import type { LocatedValue, References } from '../openapi/references.ts'
import { ImportRejected } from '../import-rejected.ts'

/**
 * Which schemas lie on a circle of references: those that reach each other share a number, those that lie on
 * none have 0. Tarjan's algorithm, without recursion, since a chain of references may be as long as the
 * document. Asked for lazily: most documents have schemas that no operation uses.
 */
export function circles(references: References) {
  const found = new Map<object, number>()
  const ways = new Map<object, readonly LocatedValue[]>()
  let count = 0

  function waysFrom(place: LocatedValue): readonly LocatedValue[] {
    let targets = ways.get(place.value as object)
    if (!targets) ways.set(place.value as object, (targets = referred(place, references)))
    return targets
  }

  function explore(start: LocatedValue): void {
    const order = new Map<object, number>()
    const low = new Map<object, number>()
    const open: object[] = []
    const onStack = new Set<object>()
    const frames: { place: LocatedValue; next: number }[] = []
    const enter = (place: LocatedValue) => {
      const node = place.value as object
      order.set(node, order.size)
      low.set(node, order.get(node)!)
      open.push(node)
      onStack.add(node)
      frames.push({ place, next: 0 })
    }
    enter(start)
    while (frames.length > 0) {
      const frame = frames.at(-1)!
      const node = frame.place.value as object
      const targets = waysFrom(frame.place)
      const target = targets[frame.next++]
      if (target) {
        const to = target.value as object
        if (found.has(to)) continue
        if (!order.has(to)) enter(target)
        else if (onStack.has(to)) low.set(node, Math.min(low.get(node)!, order.get(to)!))
        continue
      }
      frames.pop()
      const parent = frames.at(-1)?.place.value as object | undefined
      if (parent) low.set(parent, Math.min(low.get(parent)!, low.get(node)!))
      if (low.get(node) !== order.get(node)) continue
      const members = open.splice(open.indexOf(node))
      const alone = members.length === 1 && !targets.some(({ value }) => value === node)
      const number = alone ? 0 : ++count
      for (const member of members) {
        found.set(member, number)
        onStack.delete(member)
      }
    }
  }

  return function circleOf(place: LocatedValue): number {
    if (!found.has(place.value as object)) explore(place)
    return found.get(place.value as object)!
  }
}

const SCHEMAS = ['items', 'additionalProperties']
const LISTS = ['allOf', 'anyOf', 'oneOf']

/** The schemas that one refers to, in its own text. */
function referred(place: LocatedValue, references: References): LocatedValue[] {
  const targets = new Map<object, LocatedValue>()
  const visit = (value: unknown): void => {
    if (!isObject(value)) return
    const ref = getOwn(value, '$ref')
    if (typeof ref === 'string') {
      try {
        const target = references.resolve(ref, place.base)
        if (isObject(target.value)) targets.set(target.value, target)
      } catch (error) {
        if (!(error instanceof ImportRejected)) throw error
      }
      return
    }
    for (const key of SCHEMAS) visit(getOwn(value, key))
    for (const key of LISTS) for (const one of list(getOwn(value, key))) visit(one)
    for (const one of Object.values(object(getOwn(value, 'properties')))) visit(one)
  }
  visit(place.value)
  return [...targets.values()]
}

import { badRequest } from '../../../platform/http/api-error.ts'

const SEGMENTS_MAX = 20
const DEPTH_MAX = 100

/** What is kept below a place: everything, or the members that are named; `*` is any name. */
interface Kept {
  path: string
  all: boolean
  found: boolean
  members: Map<string, Kept>
}

const kept = (path: string): Kept => ({ path, all: false, found: false, members: new Map() })

/**
 * The parts of a value that paths name, where they stood. `items.id` and `items[].id` keep the id of every item, `*` stands for any name, and
 * `\.` for a dot within a name. @throws ApiError 400 for what is no path
 */
export function fieldsOf(
  paths: readonly string[],
): (data: Record<string, unknown>) => { data: Record<string, unknown>; missing: string[] } {
  const segments = paths.map((path, i) => segmentsOf(path, `Error in payload.response.fields.${i}`))
  return (data) => {
    const root = kept('')
    const leaves = segments.map((names, i) => {
      let at = root
      for (const name of names) {
        let next = at.members.get(name)
        if (!next) at.members.set(name, (next = kept(paths[i] as string)))
        at = next
      }
      at.all = true
      return { at, path: paths[i] as string }
    })
    const picked = pick(data, root, 0) as Record<string, unknown> | undefined
    return { data: picked ?? {}, missing: leaves.filter(({ at }) => !at.found).map(({ path }) => path) }
  }
}

function segmentsOf(path: string, at: string): string[] {
  const names = path.split(/(?<!\\)\./).map((name) => name.replace(/(\[\])+$/, '').replaceAll('\\.', '.'))
  if (names.some((name) => !name) || names.length > SEGMENTS_MAX)
    throw badRequest(`${at}: is no path; write names joined by dots, at most ${SEGMENTS_MAX}, as items.id`)
  return names
}

/** Undefined when nothing of it is kept. Lists are gone through without a name of their own. */
function pick(value: unknown, at: Kept, depth: number): unknown {
  if (at.all) {
    at.found = true
    return value
  }
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return undefined
  if (Array.isArray(value))
    return value.map((item) => pick(item, at, depth + 1)).filter((item) => item !== undefined)
  const any = at.members.get('*')
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const below = at.members.get(name) ?? any
    const picked = below && pick(member, below, depth + 1)
    return picked === undefined ? [] : [[name, picked]]
  })
  return members.length ? Object.fromEntries(members) : undefined
}

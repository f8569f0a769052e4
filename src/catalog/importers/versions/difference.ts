import type { ToolManifest } from '../../manifest/format/index.ts'
import { isObject, type Json, object, getOwn } from '../json.ts'
import type { Imported } from '../imported.ts'
import { isSameJson } from './canonical-json.ts'

export interface ToolChange {
  readonly slug: string
  /** A call that worked may work no longer. */
  readonly breaking: readonly string[]
  readonly other: readonly string[]
}

/** The changes of an import for users of the toolkit. */
export interface Difference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly ToolChange[]
  /** Of the toolkit itself: address, ways to sign in. */
  readonly toolkit: { readonly breaking: readonly string[]; readonly other: readonly string[] }
}

type Parts = Pick<Imported, 'toolkit' | 'tools'>
interface Changes {
  breaking: string[]
  other: string[]
}

/** Compares two imports of one toolkit. */
export function differenceOf(before: Parts, after: Parts): Difference {
  const [old, fresh] = [before, after].map(
    ({ tools }) => new Map(tools.map((tool) => [tool.slug, tool])),
  ) as [Map<string, ToolManifest>, Map<string, ToolManifest>]
  const changed = [...old].flatMap(([slug, tool]) => {
    const next = fresh.get(slug)
    const changes = next && toolChanges(tool, next)
    return changes && changes.breaking.length + changes.other.length > 0 ? [{ slug, ...changes }] : []
  })
  return {
    added: [...fresh.keys()].filter((slug) => !old.has(slug)).sort(),
    removed: [...old.keys()].filter((slug) => !fresh.has(slug)).sort(),
    changed: changed.sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    toolkit: toolkitChanges(before.toolkit, after.toolkit),
  }
}

const same = (a: unknown, b: unknown) => isSameJson(a ?? null, b ?? null)

function toolkitChanges(before: Parts['toolkit'], after: Parts['toolkit']): Changes {
  const changes: Changes = { breaking: [], other: [] }
  if (before.base_url !== after.base_url)
    changes.breaking.push(`The address was ${before.base_url ?? 'none'} and is ${after.base_url ?? 'none'}.`)
  const modes = (of: Parts['toolkit']) => new Map(of.auth.map((scheme) => [scheme.scheme as string, scheme]))
  const [old, fresh] = [modes(before), modes(after)]
  for (const [mode, scheme] of old) {
    if (!fresh.has(mode)) changes.breaking.push(`${mode} is gone; its connections cannot be used.`)
    else if (!same(scheme, fresh.get(mode))) changes.other.push(`${mode} changed.`)
  }
  for (const mode of fresh.keys()) if (!old.has(mode)) changes.other.push(`${mode} is new.`)
  if (before.name !== after.name || before.description !== after.description)
    changes.other.push('Name or description changed.')
  return changes
}

function toolChanges(before: ToolManifest, after: ToolManifest): Changes {
  const changes: Changes = { breaking: [], other: [] }
  inputChanges(before.input as Json, after.input as Json, '', changes)
  const [old, fresh] = [before, after].map((tool) =>
    (tool.scopes?.all_of ?? []).map(
      (clause) => new Set(typeof clause === 'string' ? [clause] : clause.any_of),
    ),
  )
  for (const clause of fresh!) {
    // A connection that satisfies an old clause within the new one also satisfies the new one.
    if (!old!.some((known) => [...known].every((scope) => clause.has(scope))))
      changes.breaking.push(`Needs the scope ${[...clause].join(' or ')}.`)
  }
  if (
    old!.length > 0 &&
    !same(before.scopes, after.scopes) &&
    changes.breaking.every((one) => !one.startsWith('Needs the scope'))
  )
    changes.other.push('Asks for fewer scopes, or lets choose among more.')
  if (before.no_auth && !after.no_auth) changes.breaking.push('Needs a connection.')
  if (before.effect !== after.effect)
    (after.effect === 'delete' ? changes.breaking : changes.other).push(
      `Its effect was ${before.effect} and is ${after.effect}.`,
    )
  if (!before.deprecated && after.deprecated) changes.other.push('Deprecated.')
  for (const key of ['name', 'description', 'output', 'request', 'mcp'] as const)
    if (!same(before[key], after[key])) changes.other.push(`Its ${key} changed.`)
  return changes
}

const DEPTH_MAX = 32

/** Arguments, at every depth: what was accepted and is not any more breaks. */
function inputChanges(before: Json, after: Json, at: string, changes: Changes, depth = 0): void {
  if (depth > DEPTH_MAX || same(before, after)) return
  const [old, fresh] = [object(before['properties']), object(after['properties'])]
  const [needed, needs] = [before, after].map(
    (one) => new Set(Array.isArray(getOwn(one, 'required')) ? (getOwn(one, 'required') as string[]) : []),
  )
  for (const name of Object.keys(old)) {
    if (Object.hasOwn(fresh, name)) continue
    const open = at !== '' && after['additionalProperties'] !== false
    ;(open ? changes.other : changes.breaking).push(`\`${at}${name}\` is gone.`)
  }
  for (const [name, schema] of Object.entries(fresh)) {
    const path = `${at}${name}`
    if (!Object.hasOwn(old, name)) {
      ;(needs!.has(name) ? changes.breaking : changes.other).push(
        needs!.has(name) ? `\`${path}\` is new and required.` : `\`${path}\` is new.`,
      )
      continue
    }
    if (needs!.has(name) && !needed!.has(name)) changes.breaking.push(`\`${path}\` is required.`)
    if (!needs!.has(name) && needed!.has(name)) changes.other.push(`\`${path}\` is optional.`)
    valueChanges(object(old[name]), object(schema), path, changes, depth)
  }
}

function valueChanges(before: Json, after: Json, path: string, changes: Changes, depth: number): void {
  const said = changes.breaking.length + changes.other.length
  const [old, fresh] = [before, after].map((one) =>
    'type' in one ? [one['type']].flat().map(String) : undefined,
  )
  // A number is also accepted where an integer was; nothing said accepts everything.
  const lost =
    fresh &&
    (old ?? ['anything else']).filter(
      (type) => !fresh.includes(type) && !(type === 'integer' && fresh.includes('number')),
    )
  if (lost && lost.length > 0) changes.breaking.push(`\`${path}\` no longer takes ${lost.join(', ')}.`)
  const [had, has] = [before['enum'], after['enum']]
  if (Array.isArray(has)) {
    const gone = Array.isArray(had) ? had.filter((value) => !has.includes(value)) : undefined
    if (gone === undefined) changes.breaking.push(`\`${path}\` takes only certain values.`)
    else if (gone.length > 0)
      changes.breaking.push(`\`${path}\` no longer takes ${gone.slice(0, 5).map(String).join(', ')}.`)
  }
  for (const [key, narrower] of [
    ['minimum', 1],
    ['minLength', 1],
    ['minItems', 1],
    ['maximum', -1],
    ['maxLength', -1],
    ['maxItems', -1],
  ] as const) {
    const [was, is] = [before[key], after[key]]
    if (typeof is === 'number' && (typeof was !== 'number' || (is - was) * narrower > 0))
      changes.breaking.push(`\`${path}\`: ${key} is ${is}.`)
  }
  if (before['format'] !== after['format'] && after['format'] !== undefined)
    changes.breaking.push(`\`${path}\` must be a ${String(after['format'])}.`)
  inputChanges(before, after, `${path}.`, changes, depth + 1)
  if (isObject(before['items']) && isObject(after['items']))
    valueChanges(before['items'], after['items'], `${path}[]`, changes, depth + 1)
  if (said === changes.breaking.length + changes.other.length && !same(before, after))
    changes.other.push(`\`${path}\` has a different description.`)
}

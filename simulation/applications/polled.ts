import { parseTimestamp, type PaginationManifest } from '../../src/catalog/index.ts'
import { filled } from './filled.ts'
import { project } from './overlay.ts'
import type { Plan } from './plan.ts'
import { read, written } from './error-replies.ts'
import { sameText, type Thing } from './store.ts'

/** Objects of one page of a poll. */
const PAGE_ITEMS = 100
const SIZE = '#size'

const CURSOR = 'change-'

/**
 * The cursor of a list of changes, and how many there were when it was given; undefined where the arguments
 * hold none.
 */
export const cursorAt = (changes: number): string => `${CURSOR}${changes}`
export function changesIn({ cursor, page }: Readonly<Record<string, unknown>>): number | undefined {
  const digits = /^change-(\d{1,9})$/.exec(String(cursor ?? page ?? ''))?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * What a poll of a trigger is shown of the objects that are there: those of its place, not before the moment
 * that it asked for, in the order that its manifest tells.
 */
export function polled(
  things: readonly Thing[],
  plan: Plan,
  args: Readonly<Record<string, unknown>>,
): Thing[] {
  const {
    manifest: { poll },
    note,
  } = plan.route.trigger!
  const since = args['since'] === undefined ? undefined : parseTimestamp(args['since'])
  const fits = things.filter(
    (thing) =>
      Object.entries(note.where ?? {}).every(([path, value]) =>
        holds(read(thing.fields, path), filled(value, args)),
      ) &&
      (since === undefined ||
        (parseTimestamp(
          note.since !== undefined
            ? read(thing.fields, note.since)
            : read(itemOf(thing, plan, args), poll?.time ?? ''),
        ) ?? Infinity) >= since),
  )
  return (poll?.order ?? (poll?.by === 'cursor' ? 'oldest_first' : 'newest_first')) === 'newest_first'
    ? fits.reverse()
    : fits
}

/** What an object must be to be told of: the poll lists no others, or the trigger passes them over. */
export function expectedFields(
  { route: { trigger } }: Plan,
  config: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const {
    manifest: { poll },
    note,
  } = trigger!
  const conditions = (poll?.only_when ?? []).flatMap(
    ({ path, equals, equals_config: name }): [string, unknown][] =>
      equals !== undefined
        ? [[path, equals]]
        : name !== undefined && config[name] !== undefined
          ? [[path, config[name]]]
          : [],
  )
  const places = Object.entries(note.where ?? {})
    .map(([path, value]): [string, unknown] => [path, filled(value, config)])
    .filter(([, value]) => value !== null)
  return [...conditions, ...places].reduce<unknown>(
    (all, [path, value]) => written(all, path, value),
    {},
  ) as Record<string, unknown>
}

/** An object as an item of a list. */
export const itemOf = (
  { fields, context }: Thing,
  { route: { trigger }, place }: Plan,
  args: Readonly<Record<string, unknown>>,
): unknown =>
  trigger?.role === 'poll' && trigger.note.item !== undefined
    ? filled(trigger.note.item, { ...context, ...args }, fields)
    : project(fields, place!.schema)

/** How the list of a poll is paged, and how long its pages are. */
export function pollPaging(
  { route: { trigger } }: Plan,
  args: Readonly<Record<string, unknown>>,
): { pagination: PaginationManifest | undefined; args: Readonly<Record<string, unknown>> } {
  const { page, items = '$' } = trigger?.manifest.poll ?? {}
  return {
    pagination: page && { ...page, items, argument: 'page', size: SIZE },
    args: { ...args, [SIZE]: page?.size ?? PAGE_ITEMS },
  }
}

/** A list holds what is in it. What an argument leaves out restricts nothing. */
const holds = (actual: unknown, expected: unknown): boolean =>
  expected === null || expected === undefined || [actual].flat().some((one) => sameText(one, expected))

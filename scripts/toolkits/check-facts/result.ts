import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ComparedFact } from './compare.ts'

/** The comparison of one toolkit, one line of `data/checked-facts.jsonl`. */
export interface CheckedToolkit {
  readonly slug: string
  /** Day of the comparison. */
  readonly checked: string
  /** Fact and value (`OAUTH2.token_url https://…`) to a source that states the same. */
  readonly agrees: Readonly<Record<string, string>>
  /** Facts about which no source of the folder says anything; their own source is on the page of the toolkit. */
  readonly unstated: readonly string[]
  readonly differs: readonly Difference[]
}

export interface Difference {
  readonly fact: string
  readonly value: string
  /** What the sources state instead, at most three of them. */
  readonly stated: readonly string[]
}

/** A known difference from the sources: fact, toolkit and why the manifest is right. */
export interface KnownDifference {
  readonly slug: string
  readonly fact: string
  readonly reason: string
}

const DATA = join(import.meta.dirname, '..', 'data')
export const CHECKED_FILE = join(DATA, 'checked-facts.jsonl')
const STATED_MAX = 3

/** Returns the result of the last run, by toolkit. */
export const readChecked = (): Map<string, CheckedToolkit> =>
  new Map(
    readFileSync(CHECKED_FILE, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as CheckedToolkit)
      .map((one) => [one.slug, one]),
  )

/** Returns the differences that were looked up. */
export const readKnownDifferences = (): KnownDifference[] =>
  JSON.parse(readFileSync(join(DATA, 'known-differences.json'), 'utf8')) as KnownDifference[]

/** Returns the line of a toolkit. `checked` stays that of the last run where nothing else changed. */
export function resultOf(
  slug: string,
  facts: readonly ComparedFact[],
  last: CheckedToolkit | undefined,
  today: string,
): CheckedToolkit {
  const of = (verdict: ComparedFact['verdict']) => facts.filter((one) => one.verdict === verdict)
  const result: CheckedToolkit = {
    slug,
    checked: last?.checked ?? today,
    agrees: Object.fromEntries(of('agrees').map((one) => [nameOf(one), one.stated[0]!.source])),
    unstated: of('unstated').map(nameOf),
    differs: of('differs').map(({ fact, value, stated }) => ({
      fact,
      value,
      stated: [...new Set(stated.map((one) => one.value))].slice(0, STATED_MAX),
    })),
  }
  return JSON.stringify(result) === JSON.stringify(last) ? result : { ...result, checked: today }
}

/** Name of a fact together with its value: a changed manifest has other names. */
export const nameOf = ({ fact, value }: { fact: string; value: string }): string => `${fact} ${value}`

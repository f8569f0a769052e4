import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Catalog } from '../../src/catalog/index.ts'
import { readChecked } from './check-facts/result.ts'
import { TIERS, type Tier } from './facts.ts'

const DATA = join(import.meta.dirname, 'data')

/** Number of triggers that a toolkit with objects should have: new objects, and changed ones. */
export const TRIGGERS_MIN = 2

/** Slugs of the original platform, by toolkit. */
export const originalSlugs: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(
    JSON.parse(gunzipSync(readFileSync(join(DATA, 'original-slugs.json.gz'))).toString('utf8')) as Record<
      string,
      string[]
    >,
  ),
)

/** The toolkits with the most users. */
export const mostUsed = JSON.parse(readFileSync(join(DATA, 'most-used.json'), 'utf8')) as readonly string[]

/** Toolkits of `mostUsed` that have fewer than two triggers, with the reason. */
export const withoutTriggers = JSON.parse(
  readFileSync(join(DATA, 'without-triggers.json'), 'utf8'),
) as Readonly<Record<string, string>>

/** What exists of one toolkit. */
export interface ToolkitCoverage {
  readonly slug: string
  readonly name: string
  readonly categories: readonly string[]
  readonly schemes: readonly string[]
  readonly curatedTools: number
  readonly generatedTools: number
  readonly triggers: number
  /** Number of generated tools by the trust in their document. */
  readonly tiers: Readonly<Partial<Record<Tier, number>>>
  /** Documents from which the tools were generated. */
  readonly documents: readonly string[]
  readonly originalSlugs: number
  /** Slugs of the original platform that lead to a tool. */
  readonly resolvedSlugs: number
  readonly missingSlugs: readonly string[]
  /** Whether a source that `check:facts` read states a fact of its sign-in. */
  readonly isChecked: boolean
}

/** Returns what exists of each toolkit of a catalogue, by slug. */
export function toolkitCoverage(catalog: Catalog): ToolkitCoverage[] {
  const checked = readChecked()
  return catalog.toolkits
    .map((toolkit): ToolkitCoverage => {
      const tiers: Partial<Record<Tier, number>> = {}
      const documents = new Set<string>()
      let curatedTools = 0
      for (const { source } of catalog.manifests(toolkit.slug, toolkit.version)) {
        if (source) {
          tiers[source.tier] = (tiers[source.tier] ?? 0) + 1
          documents.add(source.document)
        } else curatedTools++
      }
      const original = originalSlugs.get(toolkit.slug) ?? []
      const missingSlugs = original.filter((slug) => !catalog.entry(slug, 'latest'))
      return {
        slug: toolkit.slug,
        name: toolkit.name,
        categories: toolkit.categories.map(({ id }) => id),
        schemes: toolkit.schemes.map(({ mode }) => mode),
        curatedTools,
        generatedTools: toolkit.toolCount - curatedTools,
        triggers: toolkit.triggerCount,
        tiers,
        documents: [...documents].sort(),
        originalSlugs: original.length,
        resolvedSlugs: original.length - missingSlugs.length,
        missingSlugs,
        isChecked: Object.keys(checked.get(toolkit.slug)?.agrees ?? {}).length > 0,
      }
    })
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** Totals of some toolkits, as rows of a table: what is counted, and its number. */
export function coverageTotals(toolkits: readonly ToolkitCoverage[]): [label: string, value: string][] {
  const sum = (count: (one: ToolkitCoverage) => number) =>
    toolkits.reduce((total, one) => total + count(one), 0)
  const number = (value: number) => value.toLocaleString('en-US')
  const share = (part: number, whole: number) =>
    `${number(part)} of ${number(whole)} (${((part / Math.max(1, whole)) * 100).toFixed(1)} %)`
  const known = [...originalSlugs.values()].reduce((total, slugs) => total + slugs.length, 0)
  const used = toolkits.filter(({ slug }) => mostUsed.includes(slug))
  const withTriggers = used.filter(({ triggers }) => triggers >= TRIGGERS_MIN)
  const usedSlugs = mostUsed.reduce((total, slug) => total + (originalSlugs.get(slug)?.length ?? 0), 0)
  return [
    ['Toolkits', number(toolkits.length)],
    ['… with tools', number(toolkits.filter((one) => one.curatedTools + one.generatedTools > 0).length)],
    ['… whose sign-in a second source states', number(toolkits.filter(({ isChecked }) => isChecked).length)],
    ['Tools', number(sum((one) => one.curatedTools + one.generatedTools))],
    ['… written by hand', number(sum(({ curatedTools }) => curatedTools))],
    ...TIERS.map((tier): [string, string] => [
      `… from documents of the kind ${tier}`,
      number(sum(({ tiers }) => tiers[tier] ?? 0)),
    ]),
    ['Triggers', number(sum(({ triggers }) => triggers))],
    [`Most used toolkits with ${TRIGGERS_MIN} or more triggers`, share(withTriggers.length, mostUsed.length)],
    [
      'Slugs of the original platform that resolve',
      share(
        sum(({ resolvedSlugs }) => resolvedSlugs),
        known,
      ),
    ],
    [
      `… of the ${mostUsed.length} toolkits with the most users`,
      share(
        used.reduce((total, one) => total + one.resolvedSlugs, 0),
        usedSlugs,
      ),
    ],
  ]
}

import { type Catalog, explainTools, SIGNALS, type SignalName, type ToolFilter } from '../../catalog/index.ts'
import type { SearchExplanation } from '../../contract/tools/index.ts'

const DECIMALS = 1_000

const round = (value: number): number => Math.round(value * DECIMALS) / DECIMALS

/** Explains the order of the tools of a page, which a search with this filter returned. `page`: their slugs. */
export function explainSearch(
  catalog: Catalog,
  filter: ToolFilter & { readonly query: string },
  page: readonly string[],
): SearchExplanation {
  const { tools, toolkits, fit, corrections, language } = explainTools(catalog, filter)
  const rankBySlug = new Map(tools.map(({ slug }, at) => [slug, at]))
  return {
    language: language ?? null,
    corrections: corrections.map(({ from, to }) => ({ from, to })),
    applications: toolkits.map(({ slug, sureness }) => ({ toolkit_slug: slug, certainty: round(sureness) })),
    fit: { level: fit.level, coverage: round(fit.coverage), reason: fit.misfit?.kind ?? null },
    tools: page.flatMap((slug) => {
      const rank = rankBySlug.get(slug)
      if (rank === undefined) return []
      const { score, signals, matches = [] } = tools[rank]!
      return [
        {
          slug,
          rank: rank + 1,
          score: round(score),
          signals: Object.fromEntries(SIGNALS.map((name) => [name, round(signals?.[name] ?? 0)])) as Record<
            SignalName,
            number
          >,
          words: matches.map(({ word, stem, strength }) => ({
            word,
            matched: stem,
            strength: round(strength),
          })),
        },
      ]
    }),
  }
}

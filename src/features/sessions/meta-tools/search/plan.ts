import { createHash } from 'node:crypto'
import type { Catalog, ResolvedTool } from '../../../../catalog/index.ts'
import { type FindTool, argumentSources, optionalSources } from './argument-sources.ts'

/** The order of calls that a tool needs. `slugs`: the tools before it, in the order of use. */
export interface ToolPlan {
  readonly id: string
  readonly steps: readonly string[]
  readonly slugs: readonly string[]
}

const DEPTH_MAX = 3
const STEPS_MAX = 8
/** A tool that updates may take the ids of everything that it sets. */
const OPTIONAL_MAX = 3

/** Names before `:` or `=` in `known_fields`. */
export const knownFieldNames = (text = ''): ReadonlySet<string> =>
  new Set([...text.matchAll(/([\w.-]+)\s*[:=]/g)].map(([, name = '']) => name.toLowerCase()))

/**
 * The calls before a tool, made of what toolkits declare of their arguments; undefined for a tool that needs
 * nothing of others, or nothing that is not known.
 */
export function planCalls(
  goalTool: ResolvedTool,
  knownFields: ReadonlySet<string>,
  catalog: Catalog,
  find: FindTool,
): ToolPlan | undefined {
  const steps: string[] = []
  const used = new Set<string>([goalTool.tool.slug])
  const slugs: string[] = []

  function addPreparation(found: ResolvedTool, depth: number): void {
    for (const { argument, producers } of argumentSources(found, catalog, find)) {
      const [first, ...others] = producers as [string, ...string[]]
      if (knownFields.has(argument.toLowerCase()) || steps.length >= STEPS_MAX || used.has(first)) continue
      used.add(first)
      const producer = find(first)
      if (producer && depth < DEPTH_MAX) addPreparation(producer, depth + 1)
      steps.push(`[Required] Get \`${argument}\` of ${found.tool.slug} with ${first}`)
      slugs.push(first)
      const other = others.find((slug) => !used.has(slug))
      if (other === undefined) continue
      used.add(other)
      steps.push(`[Fallback] Or get it with ${other}`)
      slugs.push(other)
    }
  }

  function addOptional(): void {
    const sources = optionalSources(goalTool, find).filter(
      ({ argument, producers: [first] }) => !knownFields.has(argument.toLowerCase()) && !used.has(first!),
    )
    for (const { argument, producers } of sources.slice(0, OPTIONAL_MAX)) {
      used.add(producers[0]!)
      steps.push(`[Optional] To set \`${argument}\` of ${goalTool.tool.slug}, get it with ${producers[0]}`)
      slugs.push(producers[0]!)
    }
  }

  addPreparation(goalTool, 1)
  addOptional()
  if (!steps.length) return undefined
  steps.push(`[Required] Call ${goalTool.tool.slug}`)
  return {
    id: createHash('sha256')
      .update(JSON.stringify([goalTool.version, steps]))
      .digest('hex')
      .slice(0, 32),
    steps,
    slugs,
  }
}

/** In words, by how many calls have to be made one after the other. */
export function describeDifficulty(plan: ToolPlan | undefined): string {
  const calls = plan?.steps.filter((step) => step.startsWith('[Required]')).length ?? 1
  return calls === 1
    ? 'easy - one call'
    : calls <= 3
      ? `medium - ${calls} calls in order`
      : `hard - ${calls} calls in order`
}

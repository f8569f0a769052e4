import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Catalog, LATEST_VERSION, searchOf } from '../../src/catalog/index.ts'
import { type FindTool } from '../../src/features/sessions/meta-tools/search/argument-sources.ts'
import { planCalls } from '../../src/features/sessions/meta-tools/search/plan.ts'
import { builtInCatalog } from './agents.ts'
import { percentOf } from './percent.ts'

// Requests whose tool needs values that other tools return: whether the plan of the search names them, in order.

/** A value that the goal, or the tool `of`, needs, and every tool that returns it. */
interface Need {
  readonly argument: string
  readonly of?: string
  readonly tools: readonly string[]
}

interface Sequence {
  readonly id: string
  readonly query: string
  readonly goal: string
  readonly needs: readonly Need[]
}

/** What the plan of one sequence has. `inOrder`: every need, each before the tool that uses its value. */
interface PlanGrade {
  readonly met: number
  readonly inOrder: boolean
}

const FOUND = 5

const readSequences = (): Sequence[] =>
  readFileSync(join(import.meta.dirname, 'plans/sequences.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Sequence)

/** Grades the calls that a plan puts before its goal. */
export function gradePlan(
  { goal, needs }: Pick<Sequence, 'goal' | 'needs'>,
  slugs: readonly string[],
): PlanGrade {
  const calls = [...slugs, goal]
  const placeOf = ({ tools }: Need) => calls.findIndex((slug) => tools.includes(slug))
  const met = needs.filter((need) => placeOf(need) >= 0)
  const usedAt = ({ of = goal }: Need) => calls.indexOf(of)
  return {
    met: met.length,
    inOrder:
      met.length === needs.length && met.every((need) => placeOf(need) < (usedAt(need) + 1 || Infinity)),
  }
}

function planOf(catalog: Catalog, goal: string): readonly string[] {
  const find: FindTool = (slug) => catalog.tool(slug, LATEST_VERSION)
  const tool = find(goal)
  if (!tool) throw new Error(`bench/search/plans/sequences.jsonl names ${goal}, which is no tool.`)
  return planCalls(tool, new Set(), catalog, find)?.slugs ?? []
}

/** Prints how often the goal is found, and how complete the plan for it is. `details`: each plan that lacks something. */
export async function reportPlans(say: (line?: string) => void, details: boolean): Promise<void> {
  const catalog = await builtInCatalog()
  const search = searchOf(catalog)
  const graded = readSequences().map((sequence) => {
    const { tools } = search.find(sequence.query, { limit: FOUND })
    const slugs = planOf(catalog, sequence.goal)
    const grade = gradePlan(sequence, slugs)
    if (details && !grade.inOrder)
      say(`      ${sequence.goal} needs ${describeNeeds(sequence)}, plan: ${slugs.join(', ') || 'none'}`)
    return { sequence, grade, place: tools.findIndex(({ slug }) => slug === sequence.goal) }
  })
  const needs = graded.reduce((sum, { sequence }) => sum + sequence.needs.length, 0)
  const met = graded.reduce((sum, { grade }) => sum + grade.met, 0)
  say(`  plans: ${graded.length} requests in several steps, by somebody who did not look at the engine`)
  say(
    `      last tool first ${percentOf(graded.filter(({ place }) => place === 0).length, graded.length)}, ` +
      `among the first ${FOUND} ${percentOf(graded.filter(({ place }) => place >= 0).length, graded.length)}`,
  )
  say(
    `      needed calls that its plan names ${percentOf(met, needs)}, plans that are complete and in order ` +
      percentOf(graded.filter(({ grade }) => grade.inOrder).length, graded.length),
  )
}

const describeNeeds = ({ needs }: Sequence): string =>
  needs
    .map(({ argument, of, tools }) => `${of ? `${of}.` : ''}${argument} (${tools.join(' or ')})`)
    .join(', ')

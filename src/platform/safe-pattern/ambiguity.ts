import type { CharacterSet } from './character-set.ts'
import { isNullable, type PatternNode, UnsafePattern } from './parse.ts'

/** The positions of the pattern's characters (Glushkov automaton); 0 is the state before the first one. */
interface Automaton {
  readonly sets: CharacterSet[]
  /** Targets by state. A target is listed twice when two parts of the pattern lead to it. */
  readonly edges: number[][]
}

interface Ends {
  readonly first: readonly number[]
  readonly last: readonly number[]
}

/**
 * Returns an upper bound of the number of ways in which a backtracking engine matches one text of
 * `textLength` characters from one place. Counted repetitions are analysed as unlimited ones: each way of
 * them is a way of those.
 * @throws UnsafePattern when the number is exponential
 *
 * The ways are the paths of the automaton. Where two edges of a state overlap and both lead back to it, their
 * number may double with each character (Weber and Seidl, "On the degree of ambiguity of finite automata",
 * 1991, criterion EDA). Otherwise a path is free only in when it leaves each loop, and where it branches
 * outside of loops.
 */
export function countWays(node: PatternNode, textLength: number): number {
  const automaton: Automaton = { sets: [0n], edges: [[]] }
  const { first } = addNode(automaton, node)
  automaton.edges[0]!.push(...first)
  const component = stronglyConnected(automaton.edges)
  const factors = new Map<number, number>()
  for (const [state, targets] of automaton.edges.entries()) {
    const own = component[state]!
    const inside = targets.filter((target) => component[target] === own)
    if (mostOverlapping(inside, automaton) > 1)
      throw new UnsafePattern('repeats parts that match the same text in several ways, as (a+)+ or (a|a)* do')
    const overlapping = mostOverlapping(targets, automaton)
    if (overlapping <= 1) continue
    const factor = inside.length > 0 ? textLength * overlapping : overlapping
    factors.set(own, Math.max(factors.get(own) ?? 1, factor))
  }
  return greatestProduct(automaton.edges, component, factors)
}

function addNode(automaton: Automaton, node: PatternNode): Ends {
  switch (node.type) {
    case 'characters': {
      const position = automaton.sets.push(node.set) - 1
      automaton.edges.push([])
      return { first: [position], last: [position] }
    }
    case 'repeat': {
      const ends = addNode(automaton, node.node)
      if (node.many) connect(automaton, ends.last, ends.first)
      return ends
    }
    case 'alternatives': {
      const all = node.nodes.map((one) => addNode(automaton, one))
      return { first: all.flatMap(({ first }) => first), last: all.flatMap(({ last }) => last) }
    }
    case 'sequence':
      return addSequence(automaton, node.nodes)
  }
}

function addSequence(automaton: Automaton, nodes: readonly PatternNode[]): Ends {
  let first: number[] = []
  let last: number[] = []
  let isEmptySoFar = true
  for (const node of nodes) {
    const ends = addNode(automaton, node)
    connect(automaton, last, ends.first)
    if (isEmptySoFar) first = [...first, ...ends.first]
    last = isNullable(node) ? [...last, ...ends.last] : [...ends.last]
    isEmptySoFar &&= isNullable(node)
  }
  return { first, last }
}

function connect({ edges }: Automaton, from: readonly number[], to: readonly number[]): void {
  for (const state of from) edges[state]!.push(...to)
}

/** Returns the largest number of targets that accept the same character. */
function mostOverlapping(targets: readonly number[], { sets }: Automaton): number {
  if (targets.length < 2) return targets.length
  const counts = new Map<bigint, number>()
  let most = 0
  for (const target of targets)
    for (let rest = sets[target]!, bit = 0n; rest !== 0n; rest >>= 1n, bit++) {
      if ((rest & 1n) === 0n) continue
      const count = (counts.get(bit) ?? 0) + 1
      counts.set(bit, count)
      most = Math.max(most, count)
    }
  return most
}

/**
 * Returns the component of each state (Tarjan's algorithm). States are in one component when each can be
 * reached from the other; a state without a loop has a component of its own. Components are numbered in
 * reverse topological order.
 */
function stronglyConnected(edges: readonly (readonly number[])[]): number[] {
  const component: number[] = []
  const index: number[] = []
  const low: number[] = []
  const stack: number[] = []
  let components = 0
  const visit = (state: number): void => {
    low[state] = index[state] = index.filter((one) => one !== undefined).length
    stack.push(state)
    for (const target of edges[state]!) {
      if (index[target] === undefined) visit(target)
      if (component[target] === undefined) low[state] = Math.min(low[state]!, low[target]!)
    }
    if (low[state] !== index[state]) return
    let member: number
    do {
      member = stack.pop()!
      component[member] = components
    } while (member !== state)
    components++
  }
  visit(0)
  return component
}

function greatestProduct(
  edges: readonly (readonly number[])[],
  component: readonly number[],
  factors: ReadonlyMap<number, number>,
): number {
  const products: number[] = []
  const states = Map.groupBy(edges.keys(), (state) => component[state]!)
  // Every edge leads to the same component or to one with a smaller number.
  for (let own = 0; own < states.size; own++) {
    const targets = states.get(own)!.flatMap((state) => edges[state]!.map((target) => component[target]!))
    const following = targets.filter((target) => target !== own).map((target) => products[target]!)
    products[own] = (factors.get(own) ?? 1) * following.reduce((a, b) => Math.max(a, b), 1)
  }
  return products[component[0]!]!
}

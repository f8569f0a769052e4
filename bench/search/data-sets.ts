import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One tool of a corpus; what a set does not have is absent. */
export interface CorpusTool {
  id: string
  name: string
  description: string
  parameters: readonly { name: string; description: string }[]
  /** The toolkit it belongs to. */
  group: string
  /** A second name, such as an operation id. */
  operation?: string
  title?: string
  provider?: string
  method?: string
  path?: string
  tags?: readonly string[]
  deprecated?: boolean
}

export interface Question {
  id: string
  query: string
  gold: readonly string[]
  /** `any`: one of the gold tools is enough; `all`: every one is needed. */
  mode: 'any' | 'all'
  kind: string
}

/** Kinds and halves on which weights were chosen or vectors trained; figures are of the others. */
export function isTestQuestion(set: string, { id, kind }: Question): boolean {
  if (set === 'sealtools') return !kind.startsWith('dev')
  // Both wordings of one question are in one half.
  return createHash('sha256').update(id.split('--')[0]!).digest()[0]! % 2 === 1
}

export const SETS = ['stabletoolbench', 'sealtools', 'bfcl', 'metatool', 'catalogue'] as const

const lines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)

/** Undefined when the set is not there. `catalogue` has no corpus of its own. */
export function readQuestions(folder: string, set: string): Question[] | undefined {
  const file = join(folder, set, 'queries.jsonl')
  return existsSync(file) ? lines<Question>(file) : undefined
}

export const readCorpus = (folder: string, set: string): CorpusTool[] =>
  lines<CorpusTool>(join(folder, set, 'corpus.jsonl'))

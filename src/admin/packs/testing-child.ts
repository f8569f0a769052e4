// Adds a pack one toolkit at a time, tells how far it is, and waits to be killed after the third.
import { connect } from '../../platform/db/pool.ts'
import { addPack, type AddOptions } from './add.ts'

const { databaseUrl, ...options } = JSON.parse(process.argv[2] as string) as Pick<
  AddOptions,
  'pack' | 'documents' | 'shelves'
> & { databaseUrl: string }
const db = connect(databaseUrl, { max: 2 })
await addPack({
  ...options,
  db,
  wanted: () => true,
  again: false,
  now: Date.now,
  taken: new Set(),
  threads: 1,
  batch: 1,
  signal: new AbortController().signal,
  onProgress: ({ done }) => {
    if (done < 3) return
    process.send?.('third')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
})

// A worker thread: converts one document after the other into a toolkit that is ready for storage.
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { ImportRejected } from '../../catalog/importers/index.ts'
import { type PackDocument, packToolkit } from '../../catalog/packs/openapi-directory/index.ts'
import { prepareToolkit, type PreparedToolkit } from './prepare-toolkit.ts'

export interface ConversionJob extends PackDocument {
  readonly file: string
  readonly address: string
  readonly toolkitCacheDir: string
}

/**
 * `version`: of the API. `left`: operations that cannot become tools. `rejected`: why the document cannot
 * become a toolkit.
 */
export type ConversionResult =
  | { readonly prepared: PreparedToolkit; readonly version: string | undefined; readonly left: number }
  | { readonly rejected: string }

parentPort!.on('message', (job: ConversionJob) => {
  convert(job).then(
    (answer) => parentPort!.postMessage(answer),
    (error: unknown) => {
      throw error
    },
  )
})

async function convert({ file, toolkitCacheDir, ...document }: ConversionJob): Promise<ConversionResult> {
  try {
    const imported = packToolkit(readFileSync(file, 'utf8'), document)
    return {
      prepared: await prepareToolkit(imported, toolkitCacheDir),
      version: imported.report.version,
      left: imported.report.refused.length,
    }
  } catch (error) {
    if (error instanceof ImportRejected) return { rejected: error.message }
    throw error
  }
}

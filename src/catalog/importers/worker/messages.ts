import type { ImportSource, Outcome } from '../import-source.ts'
import type { ImportOptions } from '../imported.ts'
import type { PreparedVersion, PreviousVersion } from '../versions/prepared-version.ts'
import type { Cause } from '../import-rejected.ts'

/** Input of the worker process. */
export interface WorkerInput {
  readonly source: ImportSource
  readonly options: ImportOptions
}

/** The outcome, as a version that can be stored. */
export interface PreparedOutcome extends Pick<Outcome, 'kind'> {
  readonly version: PreparedVersion
}

/** What a worker requests from the server: a document, or the newest version of a toolkit. */
export type WorkerRequest =
  | { readonly ask: number; readonly address: string; readonly json: string | undefined }
  | { readonly ask: number; readonly toolkit: string }

/** Message from the worker: a request, or how the import ended. */
export type WorkerMessage =
  | WorkerRequest
  | { readonly outcome: PreparedOutcome }
  | { readonly refused: { readonly why: Cause; readonly reason: string } }
  | { readonly unreachable: string }
  | { readonly broken: string }

/** Reply to a request of the worker: what it requested, or why it cannot have it. */
export type WorkerReply =
  | { readonly ask: number; readonly found: string | PreviousVersion | undefined }
  | { readonly ask: number; readonly failure: string }

/** The document itself could not be fetched; the message is for the caller. */
export class Unreachable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unreachable'
  }
}

import type { ImportSource, Outcome } from '../import-source.ts'
import type { ImportOptions } from '../imported.ts'
import type { Cause } from '../import-rejected.ts'

/** Input of the worker process. */
export interface WorkerInput {
  readonly source: ImportSource
  readonly options: ImportOptions
}

/** The outcome, and why no model vendor accepts a tool, by slug. */
export interface CheckedOutcome extends Outcome {
  readonly faults: ReadonlyMap<string, string>
}

/** Message from the worker: a request for a document, some tools, or the outcome without them. */
export type WorkerMessage =
  | { readonly ask: number; readonly address: string; readonly json: string | undefined }
  | { readonly tools: Outcome['imported']['tools']; readonly faults: readonly (string | undefined)[] }
  | { readonly outcome: Outcome }
  | { readonly refused: { readonly why: Cause; readonly reason: string } }
  | { readonly unreachable: string }
  | { readonly broken: string }

/** Message to the worker: it may send more tools; the text of a requested document, or the failure. */
export type WorkerRequest =
  | { readonly more: true }
  | { readonly ask: number; readonly text: string }
  | { readonly ask: number; readonly failure: string }

/** The document itself could not be fetched; the message is for the caller. */
export class Unreachable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unreachable'
  }
}

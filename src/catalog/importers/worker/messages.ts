import type { ImportSource, Outcome } from '../import-source.ts'
import type { ImportOptions } from '../openapi/convert.ts'
import type { Cause } from '../import-rejected.ts'

/** What the process is given. */
export interface Work {
  readonly source: ImportSource
  readonly options: ImportOptions
}

/** What it says: it needs a document, or this is the end. */
export type Said =
  | { readonly ask: number; readonly address: string; readonly json: string | undefined }
  | { readonly outcome: Outcome }
  | { readonly refused: { readonly why: Cause; readonly reason: string } }
  | { readonly unreachable: string }
  | { readonly broken: string }

/** What it is told. */
export type Told =
  | { readonly ask: number; readonly text: string }
  | { readonly ask: number; readonly failure: string }

/** The document itself could not be got; the message is for the caller. */
export class Unreachable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unreachable'
  }
}

import { catalogFrom } from '../load.ts'
import { wholeTools } from '../select.ts'
import type { RenderedRequest } from '../records.ts'
import { renderRequest } from '../request.ts'
import { lookupIn } from '../templates.ts'
import { convert, type Imported, type ImportOptions } from './openapi.ts'
import { readDocument } from './read-document.ts'

type Json = Record<string, unknown>

/** A small document of OpenAPI 3.0 with these paths. */
export const sampleDocument = (paths: Json, more: Json = {}): Json => ({
  openapi: '3.0.3',
  info: { title: 'Shop API', version: '1' },
  servers: [{ url: 'https://api.shop.example/v1' }],
  paths,
  ...more,
})

/** A document with one operation, `GET /things`, and what is said of it. */
export const oneOperation = (
  operation: Json,
  more: Json = {},
  at: { method?: string; path?: string } = {},
): Json =>
  sampleDocument(
    {
      [at.path ?? '/things']: { [at.method ?? 'get']: { operationId: 'doIt', responses: {}, ...operation } },
    },
    more,
  )

/** Through the text, as every document comes. */
export const importedFrom = (document: Json, options: ImportOptions = {}): Imported =>
  convert(readDocument(JSON.stringify(document)), options).imported

/** The only tool of a document. */
export const toolFrom = (document: Json, options: ImportOptions = {}) =>
  importedFrom(document, options).tools[0]!

/** What the only tool sends for these arguments, once its toolkit is loaded as any other. */
export function sentBy(document: Json, args: Json, connection: Json = {}): RenderedRequest {
  const { toolkit, tools } = importedFrom(document)
  const catalog = catalogFrom([
    {
      slug: toolkit.slug,
      toolkit: {
        ...toolkit,
        created: '2026-01-01',
        releases: [{ version: '20260101_00', changes: 'First.' }],
      },
      tools: { tools },
      icon: '<svg/>',
    },
  ])
  return renderRequest([...wholeTools(catalog)][0]!.request!, args, lookupIn(connection))
}

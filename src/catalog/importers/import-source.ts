import { gunzipSync } from 'node:zlib'
import { BOUNDS } from './bounds.ts'
import { askForSchema, importGraphQl } from './graphql/ask.ts'
import { type FetchText, importOpenApi, importPostman } from './import.ts'
import { type Kind, kindOf, kindOfAddress } from './source-kind.ts'
import { convertMcp } from './mcp/convert.ts'
import { importToolkitDocument } from './versions/read-toolkit-document.ts'
import type { McpListing } from './mcp/listing.ts'
import type { Imported, ImportOptions } from './imported.ts'
import { ImportRejected } from './import-rejected.ts'

/** Kinds that are a document; a remote MCP server is asked, not read. */
export type DocumentKind = Exclude<Kind, 'mcp'>
export type { Kind } from './source-kind.ts'

/** The input of an import. */
export interface ImportSource {
  readonly kind: DocumentKind | 'auto'
  readonly text?: string | undefined
  /** The text in UTF-8, in place of `text`. Threads can share it. */
  readonly bytes?: Uint8Array | undefined
  /** The text, compressed with gzip. */
  readonly gzip?: Uint8Array | undefined
  /** Where it lies; relative addresses in it continue this one. */
  readonly address?: string | undefined
  /** What a remote MCP server said; then nothing else is looked at. */
  readonly listing?: McpListing | undefined
}

export interface Outcome {
  readonly kind: Kind
  readonly imported: Imported
}

/**
 * Imports a document of any supported kind. With a URL only, the document is fetched; where the URL has no
 * document, the schema is requested from it as a GraphQL server.
 * @throws ImportRejected, and what `fetchText` throws for the URL itself
 */
export async function importFrom(
  source: ImportSource,
  options: ImportOptions,
  fetchText: FetchText,
): Promise<Outcome> {
  const { address, listing } = source
  if (listing) return { kind: 'mcp', imported: convertMcp(listing, options) }
  const from = { ...options, address }
  const text = textOf(source)
  if (text !== undefined)
    return imported(source.kind === 'auto' ? kindOf(text) : source.kind, text, from, fetchText)
  if (address === undefined)
    throw new ImportRejected('not_readable', 'The document is missing. Send its text or its URL.')
  if (source.kind === 'graphql' || (source.kind === 'auto' && kindOfAddress(address) === 'graphql'))
    return imported('graphql', await askForSchema(address, fetchText), from, fetchText)
  if (source.kind !== 'auto') return imported(source.kind, await fetchText(address), from, fetchText)
  return guessed(address, from, fetchText)
}

/**
 * A server that tells its schema when it is asked is a GraphQL server; otherwise what the address itself
 * answered says what is wrong.
 */
async function guessed(address: string, options: ImportOptions, fetchText: FetchText): Promise<Outcome> {
  let refusal: unknown
  try {
    const text = await fetchText(address)
    if (!isPage(text)) return await imported(kindOf(text), text, options, fetchText)
    refusal = new ImportRejected(
      'not_openapi',
      'The address answers with a web page. Give the address of the API description itself; such a page ' +
        'often links it as openapi.json, openapi.yaml or swagger.json.',
    )
  } catch (error) {
    if (
      error instanceof ImportRejected &&
      !['not_openapi', 'not_readable', 'not_graphql'].includes(error.why)
    )
      throw error
    refusal = error
  }
  try {
    return await imported('graphql', await askForSchema(address, fetchText), options, fetchText)
  } catch (error) {
    throw error instanceof ImportRejected && error.why !== 'not_graphql' ? error : refusal
  }
}

const isPage = (text: string) => /^\s*<(!doctype\s+html|html)\b/i.test(text.slice(0, 2_000))

async function imported(
  kind: DocumentKind,
  text: string,
  options: ImportOptions,
  fetchText: FetchText,
): Promise<Outcome> {
  if (kind === 'graphql') return { kind, imported: await importGraphQl(text, options) }
  if (kind === 'toolkit') return { kind, imported: importToolkitDocument(text, options) }
  return {
    kind,
    imported:
      kind === 'postman' ? importPostman(text, options) : await importOpenApi(text, options, fetchText),
  }
}

function textOf({ text, bytes, gzip }: ImportSource): string | undefined {
  if (bytes) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return text ?? (gzip && unzipped(gzip))
}

/** A few bytes can stand for any number of them, so what comes out is bounded while it comes. */
function unzipped(bytes: Uint8Array): string {
  try {
    return gunzipSync(bytes, { maxOutputLength: BOUNDS.jsonCharacters }).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ImportRejected(
        'too_large',
        `The compressed document unfolds to more than ${BOUNDS.jsonCharacters / 1024 / 1024} MB. Split ` +
          'it by the areas of the API.',
      )
    throw new ImportRejected('not_readable', 'The compressed document is not gzip, or is cut off.')
  }
}

import type { AuthSchemeManifest, ToolkitManifest, ToolManifest } from '../../manifest/format/index.ts'
import { authOf, mergeAuthOverrides } from '../auth/auth.ts'
import { isObject, type Json, getOwn } from '../json.ts'
import { checkManifest } from '../check.ts'
import type { ApiModel, Operation } from '../model.ts'
import { readOpenApi3 } from './read-openapi3.ts'
import { readSwagger2 } from './read-swagger2.ts'
import { type References, references } from './references.ts'
import { type Cause, ImportRejected } from '../import-rejected.ts'
import { schemaWriter } from '../schema/writer.ts'
import { type Address, addressOf, compiled, openAddressBelow } from './servers.ts'
import { identityOf, slugsFor, toolkitSlug } from '../tools/slugs.ts'
import { toolOf } from '../tools/tool.ts'
import { plainText } from '../tools/words.ts'

export interface ImportOptions {
  /** Slug of the toolkit; without it, one is made from the title. */
  readonly slug?: string | undefined
  /** Name of the toolkit, in place of the title. */
  readonly name?: string | undefined
  /** Where the document came from; relative servers and references continue it. */
  readonly address?: string | undefined
  /** Address of the API, in place of the document's servers. */
  readonly server?: string | undefined
  /** Tool slugs of the import before this one, by operation (`GET /users`): they stay. */
  readonly former?: ReadonlyMap<string, string> | undefined
  /** How to sign in, in place of what the document says or leaves open. */
  readonly auth?: readonly AuthSchemeManifest[] | undefined
  /** What tools of other toolkits begin with (`SHOP_ORDERS_`), where that begins with this toolkit's slug. */
  readonly foreign?: readonly string[] | undefined
}

/** The result of one operation: its slug, or the cause why it is left out. */
export interface OperationOutcome {
  /** `GET /users/{id}` */
  readonly operation: string
  readonly slug?: string
  readonly cause?: Cause
  readonly reason?: string
}

/** Tools share parts of their schemas, so the result must not be mutated. */
export interface Imported {
  readonly toolkit: Omit<ToolkitManifest, 'created' | 'releases'>
  readonly tools: readonly ToolManifest[]
  /** Slug by operation, for the next import. */
  readonly origins: Readonly<Record<string, string>>
  readonly report: {
    readonly title: string
    /** The document's own version. */
    readonly version: string | undefined
    readonly operations: number
    readonly refused: readonly OperationOutcome[]
    readonly notes: readonly string[]
  }
}

const FIRST_DIALECT = /^2\./
const THIRD_DIALECT = /^3\.[01](\.|$)/

/**
 * Converts a parsed document to a toolkit without network access. References to documents that are not in
 * `fetched` are added to `missing`. An operation that cannot be a tool is left out and reported; a document
 * without usable operations is rejected. @throws ImportRejected
 */
export function convert(
  root: Json,
  options: ImportOptions,
  fetched: ReadonlyMap<string, Json> = new Map(),
): { imported: Imported; missing: ReadonlySet<string> } {
  const links = references(root, options.address ?? '', fetched)
  try {
    return {
      imported: importedFrom(modelOf(root, links, options.address ?? ''), options),
      missing: links.missing,
    }
  } catch (error) {
    if (error instanceof ImportRejected) error.missing = links.missing
    throw error
  }
}

/**
 * Builds the toolkit from the model of an API in any source format. Notes of the reader come before notes on
 * auth. @throws ImportRejected
 */
export function importedFrom(
  model: ApiModel,
  options: ImportOptions,
  notes: readonly string[] = [],
): Imported {
  const from = options.address ?? ''
  const links = model.references
  if (model.operations.length + model.refused.length === 0)
    throw new ImportRejected('no_operations', 'The document describes no operations.')
  const address = addressFor(model, options, from)
  const auth = options.auth
    ? mergeAuthOverrides(options.auth, authOf(model, address), address)
    : authOf(model, address)
  const slug = options.slug ?? toolkitSlug(model.title)
  const slugs = slugsFor(
    `${slug.toUpperCase()}_`,
    model.operations,
    options.former ?? new Map(),
    options.foreign,
  )
  const context = {
    model,
    auth,
    from,
    writer: schemaWriter(links, 'request'),
    results: schemaWriter(links, 'result'),
    isCredential: auth.isCredential,
    reachable: !address.needsConnection,
  }
  const refused: OperationOutcome[] = model.refused.map(({ method, path, error }) =>
    outcome(identityOf({ method, path }), error),
  )
  const made: { operation: Operation; tool: ToolManifest }[] = []
  for (const operation of model.operations) {
    try {
      made.push({ operation, tool: toolOf(operation, slugs.get(identityOf(operation))!, context) })
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      refused.push(outcome(identityOf(operation), error))
    }
  }
  const toolkit = toolkitOf(model, slug, address, auth.schemes, options)
  const wrong = checkManifest(
    toolkit,
    made.map(({ tool }) => tool),
  )
  const good = made.filter(({ operation, tool }) => {
    const reason = wrong.get(tool.slug)
    if (reason !== undefined)
      refused.push(outcome(identityOf(operation), new ImportRejected('manifest', reason)))
    return reason === undefined
  })
  if (good.length === 0)
    throw new ImportRejected(
      'no_operations',
      `None of ${model.operations.length + model.refused.length} operations can be a tool; the first: ` +
        `${refused[0]?.reason ?? ''}`,
    )
  return {
    toolkit,
    tools: good.map(({ tool }) => tool),
    origins: Object.fromEntries(good.map(({ operation, tool }) => [identityOf(operation), tool.slug])),
    report: {
      title: model.title,
      version: model.version,
      operations: model.operations.length + model.refused.length,
      refused,
      notes: [...notes, ...auth.notes],
    },
  }
}

const outcome = (operation: string, { why, message }: ImportRejected): OperationOutcome => ({
  operation,
  cause: why,
  reason: message,
})

function modelOf(root: Json, links: References, from: string): ApiModel {
  const version = String(getOwn(root, 'openapi') ?? getOwn(root, 'swagger') ?? '')
  if (!isObject(getOwn(root, 'paths')))
    throw new ImportRejected(
      version === '' ? 'not_openapi' : 'no_operations',
      version === ''
        ? 'The document has neither `openapi` nor `paths`. Give an OpenAPI 3.0, 3.1 or Swagger 2 document.'
        : 'The document describes no operations: `paths` is missing.',
    )
  if (getOwn(root, 'swagger') !== undefined && FIRST_DIALECT.test(version))
    return readSwagger2(root, links, from)
  if (THIRD_DIALECT.test(version)) return readOpenApi3(root, links, from)
  throw new ImportRejected(
    'not_openapi',
    `The document says version ${version.slice(0, 20) || 'nothing'}. OpenAPI 3.0, 3.1 and Swagger 2 are read.`,
  )
}

/** Where the document leaves the address open, every connection gives its own. */
function addressFor(model: ApiModel, { server }: ImportOptions, from: string): Address {
  if (server === undefined)
    return (
      addressOf(
        model.servers.length > 0
          ? model.servers
          : [{ url: '/', description: undefined, variables: new Map() }],
        from,
      ) ?? openAddressBelow(model.servers)
    )
  const compiledServer = compiled({ url: server, description: undefined, variables: new Map() }, from)
  if (!compiledServer)
    throw new ImportRejected(
      'no_address',
      'The URL of the API is not valid. Send one such as https://api.example.com/v1.',
    )
  return compiledServer
}

function toolkitOf(
  model: ApiModel,
  slug: string,
  address: Address,
  auth: ToolkitManifest['auth'],
  options: ImportOptions,
): Imported['toolkit'] {
  const name = options.name ?? (plainText(model.title, 80) || slug)
  const said = model.description === undefined ? '' : plainText(model.description, 300)
  const categories = [
    ...new Set(
      model.categories
        .map((one) =>
          one
            .toLowerCase()
            .replaceAll('_', '-')
            .replace(/[^a-z0-9&-]+/g, ''),
        )
        .filter(Boolean),
    ),
  ]
  return {
    slug,
    name,
    description:
      said.length >= 20
        ? said
        : `${said === '' ? '' : `${said.replace(/\.$/, '')}. `}Calls ${name} as its API description says.`,
    ...(model.contact !== undefined && { app_url: model.contact }),
    ...(model.documentation !== undefined && { docs_url: model.documentation }),
    categories: categories.length > 0 ? categories.slice(0, 5) : ['imported'],
    base_url: address.template,
    auth,
  }
}

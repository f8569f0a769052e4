import type { ApiModel, Operation } from '../model.ts'
import type { ToolManifest, ToolkitManifest } from '../../manifest/format/index.ts'
import type { ImportOptions, Imported, OperationOutcome } from '../imported.ts'
import { ImportRejected } from '../import-rejected.ts'
import { findValidation, validationNote, withValidation } from '../auth/validation.ts'
import { type Auth, authOf, mergeAuthOverrides } from '../auth/auth.ts'
import { identityOf, slugsFor, toolkitSlug } from '../tools/slugs.ts'
import { type Address, addressOf, compiled, openAddressBelow } from './servers.ts'
import { schemaWriter } from '../schema/writer.ts'
import { toolOf } from '../tools/tool.ts'
import { checkManifest } from '../check.ts'
import { plainText } from '../tools/words.ts'
import { UNCHECKED_BODY_NOTE, withUncheckedBody } from './unchecked-body.ts'

interface BuiltTool {
  readonly operation: Operation
  readonly tool: ToolManifest
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
  const count = model.operations.length + model.refused.length
  if (count === 0) throw new ImportRejected('no_operations', 'The document describes no operations.')
  const address = addressFor(model, options, options.address ?? '')
  const declared = authOf(model, address)
  const auth = options.auth ? mergeAuthOverrides(options.auth, declared, address) : declared
  const slug = options.slug ?? toolkitSlug(model.title)
  const rejected = model.refused.map(({ method, path, error }) =>
    outcome(identityOf({ method, path }), error),
  )
  const built = buildTools({ model, options, address, auth, slug }, rejected)
  const toolkit = toolkitOf(model, slug, address, auth.schemes, options)
  const tools = validTools(toolkit, built, rejected)
  if (tools.length === 0)
    throw new ImportRejected(
      'no_operations',
      `None of ${count} operations can be a tool; the first: ${rejected[0]?.reason ?? ''}`,
    )
  const validation = findValidation(tools.map(({ tool }) => tool))
  const validated = withValidation(toolkit.auth, validation)
  const isValidated = validated.some((scheme, index) => scheme !== toolkit.auth[index])
  return {
    toolkit: { ...toolkit, auth: validated },
    tools: tools.map(({ tool }) => tool),
    origins: Object.fromEntries(tools.map(({ operation, tool }) => [identityOf(operation), tool.slug])),
    report: {
      title: model.title,
      version: model.version,
      operations: count,
      refused: rejected,
      notes: [
        ...notes,
        ...auth.notes,
        ...(options.lenient ? [UNCHECKED_BODY_NOTE] : []),
        ...(isValidated && validation ? [validationNote(validation)] : []),
      ],
    },
  }
}

interface ToolSources {
  readonly model: ApiModel
  readonly options: ImportOptions
  readonly address: Address
  readonly auth: Auth
  readonly slug: string
}

/** Builds a tool of each operation. Operations that cannot be a tool are added to `rejected`. */
function buildTools(
  { model, options, address, auth, slug }: ToolSources,
  rejected: OperationOutcome[],
): BuiltTool[] {
  const slugs = slugsFor(
    `${slug.toUpperCase()}_`,
    model.operations,
    options.former ?? new Map(),
    options.foreign,
  )
  const context = {
    model,
    auth,
    from: options.address ?? '',
    writer: schemaWriter(model.references, 'request'),
    results: schemaWriter(model.references, 'result'),
    isCredential: auth.isCredential,
    reachable: !address.needsConnection,
  }
  const built: BuiltTool[] = []
  for (const operation of model.operations) {
    try {
      const tool = toolOf(operation, slugs.get(identityOf(operation))!, context)
      built.push({ operation, tool: options.lenient ? withUncheckedBody(tool) : tool })
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      rejected.push(outcome(identityOf(operation), error))
    }
  }
  return built
}

/** Returns the tools that the rules of manifests accept, and adds the others to `rejected`. */
function validTools(
  toolkit: Imported['toolkit'],
  built: readonly BuiltTool[],
  rejected: OperationOutcome[],
): BuiltTool[] {
  const faults = checkManifest(
    toolkit,
    built.map(({ tool }) => tool),
  )
  return built.filter(({ operation, tool }) => {
    const reason = faults.get(tool.slug)
    if (reason !== undefined)
      rejected.push(outcome(identityOf(operation), new ImportRejected('manifest', reason)))
    return reason === undefined
  })
}

const outcome = (operation: string, { why, message }: ImportRejected): OperationOutcome => ({
  operation,
  cause: why,
  reason: message,
})

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

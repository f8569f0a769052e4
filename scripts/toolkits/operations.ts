import { readModel } from '../../src/catalog/importers/openapi/convert.ts'
import type { ApiModel, Operation } from '../../src/catalog/importers/model.ts'
import { references } from '../../src/catalog/importers/openapi/references.ts'
import { type FactDocument, publisherOf, TIERS } from './facts.ts'
import { withBodySchemas } from './body-schemas.ts'
import type { Overlay } from './overlay.ts'
import { withReadOnly } from './read-only.ts'
import { isSignInEndpoint } from './sign-in-operations.ts'
import { type Placed, placeOperation, serverOf } from './place.ts'

/** An operation of the document that is trusted most. */
interface FoundOperation extends Placed {
  readonly document: FactDocument
  readonly model: ApiModel
  readonly operation: Operation
}

export interface SelectedOperation extends FoundOperation {
  /** Method and path in every document that has the operation. */
  readonly routes: readonly string[]
}

export interface Selection {
  readonly selected: readonly SelectedOperation[]
  /** Method and path of operations that are no tools, and why. */
  readonly left: ReadonlyMap<string, string>
}

const NEEDS_SECOND_SOURCE = new Set(['connector', 'reconstructed'])

/**
 * Selects the operations of a toolkit: each once, from the document that is trusted most. One that only a
 * document of low trust has needs a second publisher with the same method and path, or a source in the overlay.
 */
export function selectOperations(
  documents: readonly FactDocument[],
  baseUrl: string,
  overlay: Overlay,
): Selection {
  const found = new Map<string, FoundOperation[]>()
  const left = new Map<string, string>()
  for (const document of ranked(documents, overlay)) {
    const model = readDocument(document, overlay, left)
    for (const operation of model?.operations ?? []) {
      const name = `${operation.method.toUpperCase()} ${operation.path}`
      const placed = placeOperation(operation, serverOf(operation, model!.servers), baseUrl, overlay)
      if (/[<>]|\(\/\*\)/.test(operation.path))
        left.set(name, `its path is a pattern or has a parameter that is not declared (${document.id})`)
      else if (/\/undefined(\/|$)/.test(operation.path))
        left.set(name, `the document has the word undefined where a parameter belongs (${document.id})`)
      else if (!placed)
        left.set(name, `it is not below the base URL or the host of the toolkit (${document.id})`)
      else
        found.set(placed.key, [
          ...(found.get(placed.key) ?? []),
          { ...placed, document, model: model!, operation },
        ])
    }
  }
  const selected = [...found.values()].flatMap((all) => {
    const [best] = all as [FoundOperation]
    const reason = reasonToLeave(best, all, overlay)
    if (reason !== undefined) left.set(nameOf(best), reason)
    return reason === undefined ? { ...best, routes: all.map(nameOf) } : []
  })
  return { selected, left }
}

export const nameOf = ({ operation }: Pick<FoundOperation, 'operation'>): string =>
  `${operation.method.toUpperCase()} ${operation.path}`

function reasonToLeave(
  best: FoundOperation,
  all: readonly FoundOperation[],
  overlay: Overlay,
): string | undefined {
  const name = nameOf(best)
  const excluded = Object.entries(overlay.exclude ?? {}).find(([pattern]) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  )
  if (excluded) return excluded[1]
  if (isSignInEndpoint(best.operation.path))
    return 'it is an endpoint of OAuth, which connecting an account calls'
  const nameDocument = overlay.name_documents?.[best.document.id]
  if (nameDocument !== undefined) return nameDocument
  const publishers = new Set(all.map(({ document }) => publisherOf(document.source)))
  const isConfirmed = publishers.size > 1 || Object.hasOwn(overlay.confirmed ?? {}, name)
  return NEEDS_SECOND_SOURCE.has(best.document.tier) && !isConfirmed
    ? `only a ${best.document.tier} document has it (${best.document.id}), and no second source confirms it`
    : undefined
}

/** The documents that the overlay names, in its order; otherwise all, by trust, then by their number of operations. */
function ranked(documents: readonly FactDocument[], overlay: Overlay): FactDocument[] {
  const chosen = overlay.documents
  const rank = ({ id }: FactDocument) => chosen?.indexOf(id) ?? 0
  const size = ({ openapi }: FactDocument) =>
    Object.keys((openapi['paths'] as object | undefined) ?? {}).length
  return documents
    .filter(({ id }) => chosen?.includes(id) ?? !Object.hasOwn(overlay.ignored_documents ?? {}, id))
    .map((document, index) => ({ document, index }))
    .sort(
      (a, b) =>
        rank(a.document) - rank(b.document) ||
        TIERS.indexOf(a.document.tier) - TIERS.indexOf(b.document.tier) ||
        size(b.document) - size(a.document) ||
        a.index - b.index,
    )
    .map(({ document }) => document)
}

function readDocument(
  document: FactDocument,
  { read_only: readOnly }: Overlay,
  left: Map<string, string>,
): ApiModel | undefined {
  try {
    const openapi = withReadOnly(withBodySchemas(document.openapi), readOnly)
    return readModel(openapi, references(openapi, '', new Map()), '')
  } catch (error) {
    left.set(document.id, `the document cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

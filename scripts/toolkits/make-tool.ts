import { isObject, type Json, object } from '../../src/catalog/importers/json.ts'
import { authOf } from '../../src/catalog/importers/auth/auth.ts'
import { openAddress } from '../../src/catalog/importers/openapi/servers.ts'
import type { ApiModel, Operation } from '../../src/catalog/importers/model.ts'
import { schemaWriter, type SchemaWriter } from '../../src/catalog/importers/schema/writer.ts'
import { idempotentOf } from '../../src/catalog/importers/tools/effect.ts'
import { outputOf } from '../../src/catalog/importers/tools/output.ts'
import { toolRequest } from '../../src/catalog/importers/tools/tool-request.ts'
import { plainText } from '../../src/catalog/importers/tools/words.ts'
import type { ToolkitManifest, ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { type Lists, sourcesOf } from './argument-sources.ts'
import { type Compounds, withCompounds } from './compounds.ts'
import table from './data/arguments.json' with { type: 'json' }
import { correctBody, requiredBody } from './correct-body.ts'
import { describeArgument, describeMembers } from './describe-arguments.ts'
import { describeTool } from './describe.ts'
import { effectOfTool } from './effect.ts'
import {
  pathArguments,
  selectedBy,
  withOptional,
  withoutEmptyValue,
  withoutMembers,
  withRequired,
} from './input-parts.ts'
import { nameOf, type SelectedOperation } from './operations.ts'
import { type OperationOverlay, optionalNames, type Overlay } from './overlay.ts'
import { withOwnHeaders } from './own-headers.ts'
import { recognizePaging } from './paging.ts'
import type { Sentences } from './sentences.ts'
import { toolNames } from './tool-names.ts'

const TAGS_MAX = 4
const HIDDEN = new Set(table.hidden.map((name) => name.toLowerCase()))

/** What the tools of one toolkit are made with. */
export interface ToolkitParts {
  readonly toolkit: Omit<ToolkitManifest, 'created' | 'releases'>
  readonly overlay: Overlay
  readonly sentences: Sentences
  /** Key of a list (`GET /repos/{}/{}/issues`) to its tool. */
  readonly lists: Lists
  readonly compounds: Compounds
  readonly credentialNames: ReadonlySet<string>
  readonly scopes: ReadonlySet<string>
}

interface ArgumentContext {
  readonly path: string
  /** Arguments of the path to the tool that returns their values. */
  readonly sources: ReadonlyMap<string, string>
}

interface ModelParts {
  readonly writer: SchemaWriter
  readonly results: SchemaWriter
  readonly auth: ReturnType<typeof authOf>
}

const partsOfModel = new WeakMap<ApiModel, ModelParts>()

function modelParts(model: ApiModel): ModelParts {
  let parts = partsOfModel.get(model)
  if (!parts) {
    const { references } = model
    parts = {
      writer: schemaWriter(references, 'request'),
      results: schemaWriter(references, 'result'),
      auth: authOf(model, openAddress),
    }
    partsOfModel.set(model, parts)
  }
  return parts
}

/** Makes the tool of an operation. @throws ImportRejected for an operation that cannot be a tool */
export function makeTool(selected: SelectedOperation, slug: string, parts: ToolkitParts): ToolManifest {
  const { model, document } = selected
  const { toolkit, overlay, sentences } = parts
  const sentence = sentences[slug]
  const own: OperationOverlay = overlay.operations?.[nameOf(selected)] ?? {}
  const operation = withOverlay(selected, own, overlay)
  const { writer, results, auth } = modelParts(model)
  const isCredential = credentialTest(parts, auth)
  const { input: stated, request: written } = withoutMembers(
    toolRequest(operation, { model, writer, from: '', isCredential }),
    overlay.hidden ?? [],
  )
  const request = withOwnHeaders(written, operation, toolkit.request?.headers)
  const output = outputOf(operation.result, results)
  const texts = { slug, toolkitSlug: toolkit.slug, toolkitName: toolkit.name, sentence }
  const effect = own.effect ?? overlay.effects?.[slug] ?? effectOfTool(operation, selected.path, texts)
  const idempotent = idempotentOf(operation, effect)
  const pagination = own.pagination ?? recognizePaging(effect, stated, output, overlay.pagination)
  // The first page is read without a cursor.
  const ofPages = pagination ? [pagination.argument, pagination.size] : []
  const optional = [...ofPages, ...optionalNames(overlay, nameOf(selected))]
  const corrected = withOptional(stated, optional, pathArguments(request.path))
  const input = withRequired(corrected, overlay.required?.[nameOf(selected)] ?? [], nameOf(selected))
  const sources = sourcesOf(selected, parts.lists, slug)
  const destruction = overlay.destructive?.[slug]
  const tags = tagsOf(operation, destruction)
  const scopes = auth.of(operation).scopes
  const argumentTexts = { ...textsOfPath(request.path, overlay.multi_segment), ...own.arguments }
  const described = describeInput(input, { path: request.path, sources, overlay: argumentTexts })
  return {
    slug,
    name: own.name ?? namesOfTool(selected, slug, effect, parts)[0]!,
    description:
      own.description ??
      describeTool({
        ...texts,
        destruction,
        effect,
        path: withCompounds(selected.path, parts.compounds),
        input: described,
        output,
        pagination,
        deprecated: operation.deprecated,
        sources,
        pathArguments: pathArguments(request.path),
      }),
    effect,
    ...(idempotent !== (effect === 'read' || effect === 'delete') && { idempotent }),
    ...(own.important && { important: true }),
    ...(tags.length > 0 && { tags }),
    ...(operation.deprecated && { deprecated: true }),
    ...(own.aliases && { aliases: own.aliases }),
    ...(scopes && areKnown(scopes, parts.scopes) && { scopes }),
    source: sourceOf(document),
    input: described,
    output,
    request: { ...request, path: withSlashes(request.path, overlay.multi_segment) },
    ...(pagination && { pagination }),
  }
}

/** `/v1/{name}` as `/v1/{+name}`: the value `properties/1` has a slash that belongs to the path. */
const withSlashes = (path: string, texts: Overlay['multi_segment'] = {}): string =>
  Object.keys(texts).reduce((text, name) => text.replaceAll(`{${name}}`, `{+${name}}`), path)

const textsOfPath = (path: string, texts: Overlay['multi_segment'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => path.includes(`{${name}}`)))

/** Names of the tool of an operation, the best first; the one of the overlay is the only one. */
export function namesOfTool(
  selected: SelectedOperation,
  slug: string,
  effect: ToolManifest['effect'],
  { toolkit, overlay, sentences, compounds }: ToolkitParts,
): string[] {
  const own = overlay.operations?.[nameOf(selected)]?.name
  if (own !== undefined) return [own]
  const { slug: toolkitSlug, name: toolkitName } = toolkit
  const path = withCompounds(selected.path, compounds)
  return toolNames({ slug, toolkitSlug, toolkitName, effect, path, sentence: sentences[slug] })
}

const tagsOf = ({ tags }: Operation, destruction: string | undefined): string[] => [
  ...(destruction === undefined ? [] : ['destructiveHint']),
  ...[...new Set(tags.map((tag) => plainText(tag, 60)).filter(Boolean))].slice(0, TAGS_MAX),
]

const sourceOf = ({ id, version, tier }: SelectedOperation['document']): ToolManifest['source'] => ({
  document: id,
  ...(version !== undefined && { version: version.slice(0, 80) }),
  tier,
})

/** The operation with its path below the base URL, without hidden parameters and with fixed values. */
function withOverlay(
  { operation: stated, path, model }: SelectedOperation,
  own: OperationOverlay,
  overlay: Overlay,
): Operation {
  const hidden = new Set([...(overlay.hidden ?? []), ...(own.hidden ?? [])])
  const fixed = own.fixed ?? {}
  const { references } = model
  const body = stated.body && requiredBody(correctBody(stated.body, references), stated.method, references)
  const operation = { ...stated, body }
  const parameters = operation.parameters
    .filter(({ name }) => !hidden.has(name))
    .map((parameter) => ({ ...parameter, name: overlay.renamed?.[parameter.name] ?? parameter.name }))
    .map((parameter) =>
      Object.hasOwn(fixed, parameter.name)
        ? {
            ...parameter,
            required: true,
            schema: { ...parameter.schema, value: { enum: [fixed[parameter.name]] } },
          }
        : parameter,
    )
  const [, origin, below] = /^(https?:\/\/[^/]+)(.*)$/.exec(path) ?? []
  return origin === undefined
    ? { ...operation, path, servers: [], parameters }
    : {
        ...operation,
        path: below!,
        servers: [{ url: origin, description: undefined, variables: new Map() }],
        parameters,
      }
}

/** Tells which parameters are no arguments, as the account supplies them. */
const credentialTest =
  ({ credentialNames }: ToolkitParts, auth: ModelParts['auth']) =>
  (where: string, name: string): boolean =>
    // A path without one of its parameters is another path.
    where !== 'path' &&
    (HIDDEN.has(name.toLowerCase()) ||
      credentialNames.has(name.toLowerCase()) ||
      auth.isCredential(where, name))

function describeInput(
  input: Json,
  {
    path,
    sources,
    overlay,
  }: Pick<ArgumentContext, 'sources' | 'path'> & { overlay: Readonly<Record<string, string>> },
): Json {
  const places = selectedBy(path)
  const required = new Set(Array.isArray(input['required']) ? input['required'] : [])
  const properties = Object.entries(object(input['properties'])).map(([name, value]) => {
    const stated = describeMembers(isObject(value) ? value : {})
    const schema = required.has(name) ? withoutEmptyValue(stated) : stated
    const context = { source: sources.get(name), selects: places.get(name) }
    return [name, { ...schema, description: overlay[name] ?? describeArgument(name, schema, context) }]
  })
  return { ...input, properties: Object.fromEntries(properties) }
}

const areKnown = (scopes: NonNullable<ToolManifest['scopes']>, known: ReadonlySet<string>): boolean =>
  scopes.all_of.every((scope) =>
    typeof scope === 'string' ? known.has(scope) : scope.any_of.every((name) => known.has(name)),
  )

import type { ToolManifest } from '../../manifest/format/index.ts'
import type { Auth } from '../auth/auth.ts'
import { effectOf, idempotentOf } from './effect.ts'
import type { Operation } from '../model.ts'
import { outputOf } from './output.ts'
import { type PageLink, recognizePaging } from './paging.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'
import type { SchemaWriter } from '../schema/writer.ts'
import type { RequestContext } from './parameter-styles.ts'
import { toolRequest } from './tool-request.ts'
import { inWords, plainText, shortened } from './words.ts'

export interface ToolContext extends RequestContext {
  readonly auth: Auth
  readonly results: SchemaWriter
  /** Tools that need no connection may be called without one. */
  readonly reachable: boolean
}

const NAME_MAX = 80
const DESCRIPTION_MAX = 800
const TAGS_MAX = 4

/** Converts one operation to a tool. @throws ImportRejected */
export function toolOf(operation: Operation, slug: string, context: ToolContext): ToolManifest {
  if (operation.method === 'head')
    throw new ImportRejected(
      'unsupported_method',
      'The response to HEAD has no body, so that a tool returns nothing.',
    )
  const protection = context.auth.of(operation)
  if (protection.unsupported !== undefined)
    throw new ImportRejected(
      'unsupported_auth',
      `The operation needs ${quoted(protection.unsupported)}, a way to sign in that has no counterpart here.`,
    )
  const { input, request } = toolRequest(operation, context)
  const output = outputOf(operation.result, context.results)
  const name = nameOf(operation)
  const effect = effectOf(operation)
  const idempotent = idempotentOf(operation, effect)
  const pagination = recognizePaging(effect, input, output, linkOf(operation))
  const tags = [...new Set(operation.tags.map((tag) => plainText(tag, 60)).filter(Boolean))].slice(
    0,
    TAGS_MAX,
  )
  return {
    slug,
    name,
    description: descriptionOf(operation, name, context.model.title),
    ...(operation.summary !== undefined && {
      human_description: shortened(plainText(operation.summary, 120), 120) || name,
    }),
    effect,
    ...(idempotent !== (effect === 'read' || effect === 'delete') && { idempotent }),
    ...(tags.length > 0 && { tags }),
    ...(operation.deprecated && { deprecated: true }),
    ...(protection.scopes && { scopes: protection.scopes }),
    ...(protection.noAuth && context.reachable && { no_auth: true }),
    ...(operation.documentation !== undefined &&
      /^https?:\/\/\S+$/.test(operation.documentation) && { docs_url: operation.documentation }),
    input,
    output,
    request,
    ...(pagination && { pagination }),
    ...(operation.success && { success_when: operation.success }),
  }
}

/** The `Link` header of an operation, with the parameters that the URL of a further page may have. */
const linkOf = ({ linkHeader, parameters }: Operation): PageLink | undefined =>
  linkHeader && {
    mentionsPages: linkHeader === 'pages',
    parameters: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  }

function nameOf({ summary, id, method, path }: Operation): string {
  const said = summary === undefined ? '' : plainText(summary, 200).replace(/[.\s]+$/, '')
  if (said !== '' && said.length <= NAME_MAX) return said
  const made = id === undefined ? '' : inWords(id)
  return shortened(said !== '' ? said : made !== '' ? made : `${method.toUpperCase()} ${path}`, NAME_MAX)
}

/**
 * Writes the summary, then the description. A model sees nothing else of the API, so the minimum is method,
 * path and API name.
 */
function descriptionOf(
  { summary, description, deprecated, method, path }: Operation,
  name: string,
  title: string,
): string {
  const short = summary === undefined ? '' : plainText(summary, 300)
  const long = description === undefined ? '' : plainText(description, DESCRIPTION_MAX)
  const both = long.toLowerCase().startsWith(short.toLowerCase().replace(/[.\s]+$/, ''))
    ? long
    : [short.replace(/[.\s]+$/, ''), long].filter(Boolean).join('. ')
  const said =
    both.length >= 20
      ? both
      : `${both === '' ? name : both.replace(/[.\s]+$/, '')}: ${method.toUpperCase()} ` +
        `${path.slice(0, 120)} of ${plainText(title, 80) || 'the API'}.`
  const enough = said.length >= 20 ? said : `${said} Nothing more is said about it.`
  return shortened(deprecated ? `Deprecated. ${enough}` : enough, DESCRIPTION_MAX)
}

import type { GraphQLSchema } from 'graphql'
import type { ToolManifest } from '../../manifest/format/index.ts'
import type { Json } from '../json.ts'
import { schemaWriter } from '../schema/writer.ts'
import { effectOfName } from '../tools/effect.ts'
import { outputOf } from '../tools/output.ts'
import { connectionPaging } from '../tools/paging.ts'
import { inputOf } from '../tools/input-schema.ts'
import { plainText, shortened } from '../tools/words.ts'
import type { Call } from './calls.ts'
import type { GraphQl } from './read.ts'
import { selector } from './selection.ts'
import { toolArgumentReader, type ToolArguments } from './tool-arguments.ts'

export interface Endpoint {
  readonly path: string
  readonly query: Json
  readonly reserved: readonly string[]
}

const DESCRIPTION_MAX = 800
const DEPRECATION_MAX = 150
/** A shorter description says too little to choose a tool by. */
const DESCRIPTION_MIN = 20

/**
 * Makes tools of the fields of Query and Mutation. Each sends one constant document; its arguments fill the
 * variables.
 */
export function toolMaker(schema: GraphQLSchema, graphql: GraphQl, endpoint: Endpoint, title: string) {
  const reader = toolArgumentReader(schema, graphql)
  const writer = schemaWriter(reader.references, 'request')
  const resultWriter = schemaWriter(reader.references, 'result')
  const select = selector(schema, graphql)

  /** @throws ImportRejected */
  return (call: Call, slug: string): ToolManifest => {
    const { kind, field, title: name } = call
    const selection = select(field.type)
    const effect = kind === 'query' ? 'read' : (effectOfName(field.name) ?? 'update')
    const toolArguments = reader.read({ field, effect, paged: selection.paged, reserved: endpoint.reserved })
    const hasVariables = toolArguments.declarations.length > 0
    const input = inputOf(toolArguments.args, writer)
    const output = outputOf({ value: selection.schema, base: '' }, resultWriter)
    const pagination = connectionPaging(effect, input, output)
    return {
      slug,
      name,
      description: describeCall(call, title),
      effect,
      ...(field.deprecationReason != null && { deprecated: true }),
      tags: [kind === 'query' ? 'queries' : 'mutations'],
      input,
      output,
      request: {
        method: 'POST',
        path: endpoint.path,
        ...(Object.keys(endpoint.query).length > 0 && { query: endpoint.query }),
        body: {
          query: documentOf(call, toolArguments, selection.text),
          ...(hasVariables && { variables: toolArguments.variables }),
        },
      },
      response: { pick: `data.${field.name}` },
      ...(pagination && { pagination }),
    }
  }
}

/** Writes a space after each brace: the template language takes `{name}` for a reference to an argument. */
function documentOf({ kind, field }: Call, { declarations }: ToolArguments, selection: string): string {
  const inParentheses = (items: readonly string[]) => (items.length === 0 ? '' : `(${items.join(', ')})`)
  const declared = inParentheses(declarations.map(({ name, type }) => `$${name}: ${type}`))
  const passed = inParentheses(declarations.map(({ name }) => `${name}: $${name}`))
  const selected = selection === '' ? '' : ` ${selection}`
  return `${kind} ${field.name}${declared} { ${field.name}${passed}${selected} }`
}

function describeCall({ kind, field, title: name }: Call, title: string): string {
  const { description, deprecationReason, name: fieldName } = field
  const own = description ? plainText(description, DESCRIPTION_MAX) : ''
  const subject = own === '' ? name : own.replace(/[.\s]+$/, '')
  const text =
    own.length >= DESCRIPTION_MIN ? own : `${subject}: the ${kind} \`${fieldName}\` of the API ${title}.`
  if (deprecationReason == null) return shortened(text, DESCRIPTION_MAX)
  const reason = plainText(deprecationReason, DEPRECATION_MAX).replace(/\.$/, '')
  return shortened(`Deprecated${reason === '' ? '' : `: ${reason}`}. ${text}`, DESCRIPTION_MAX)
}

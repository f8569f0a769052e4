import {
  fieldsOf,
  type Operation,
  type OperationDocument,
  resolve,
  type Schema,
  typeOf,
} from '../../../contract/openapi-schema.ts'
import type { OperationSummary } from '../../../contract/operation-summary.ts'

const JSON_TYPE = 'application/json'
/** Levels of nested fields: schemas may contain themselves. */
const DEPTH_MAX = 4
const TITLE = 'API reference'

/** Returns the list of operations as Markdown, by group, each with a link to its own page. */
export function listMarkdown({
  tags,
  items,
}: {
  tags: readonly { name: string; description: string }[]
  items: readonly OperationSummary[]
}): string {
  const groups = tags.map(({ name, description }) => {
    const own = items
      .filter(({ tag }) => tag === name)
      .map(
        ({ id, method, path, summary, isDeprecated }) =>
          `- [${summary}](reference/${id}.md): \`${method} ${path}\`${isDeprecated ? ' (deprecated)' : ''}`,
      )
    return own.length === 0 ? '' : `## ${name}\n\n${description}\n\n${own.join('\n')}`
  })
  const lead = 'Every operation of the API. `/openapi.json` has the same as OpenAPI 3.1.'
  return `${[`# ${TITLE}`, lead, ...groups.filter(Boolean)].join('\n\n')}\n`
}

/** Returns one operation as Markdown: its parameters, its body and its responses. */
export function operationMarkdown(document: OperationDocument): string {
  const [path = '', methods = {}] = Object.entries(document.paths)[0] ?? []
  const [method = '', operation] = Object.entries(methods)[0] ?? []
  if (!operation) return ''
  const { summary, description, deprecated, requestBody } = operation
  const body = requestBody?.content[JSON_TYPE]
  return `${[
    `# ${summary}`,
    `\`${method.toUpperCase()} ${path}\`${deprecated ? ' (deprecated)' : ''}`,
    description,
    parametersPart(operation, document),
    body?.schema && `## Body\n\n${fieldLines(body.schema, document).join('\n')}`,
    body?.example !== undefined && `Example:\n\n\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\``,
    responsesPart(operation, document),
    `[${TITLE}](../reference.md)`,
  ]
    .filter(Boolean)
    .join('\n\n')}\n`
}

function parametersPart({ parameters = [] }: Operation, document: OperationDocument): string {
  const lines = parameters.map(({ name, in: place, required, description, schema }) => {
    const facts = [place, typeOf(schema, document), ...(required ? ['required'] : [])].join(', ')
    return `- \`${name}\` (${facts})${description ? `: ${description}` : ''}`
  })
  return lines.length === 0 ? '' : `## Parameters\n\n${lines.join('\n')}`
}

function responsesPart({ responses }: Operation, document: OperationDocument): string {
  const parts = Object.entries(responses).map(([status, reference]) => {
    const { description = '', content } = resolve(reference, document)
    const schema = content?.[JSON_TYPE]?.schema
    const fields = status.startsWith('2') && schema ? fieldLines(schema, document) : []
    return [`### ${status}`, description, fields.join('\n')].filter(Boolean).join('\n\n')
  })
  return `## Responses\n\n${parts.join('\n\n')}`
}

/** One line for each field; fields of nested objects are indented below it. */
function fieldLines(schema: Schema, document: OperationDocument, depth = 0): string[] {
  const { fields, required } = fieldsOf(schema, document)
  if (depth === 0 && fields.length === 0) return [typeOf(schema, document)]
  return fields.flatMap(([name, field]) => {
    const { description, deprecated } = resolve(field, document)
    const facts = [
      typeOf(field, document),
      ...(required.has(name) ? ['required'] : []),
      ...(deprecated ? ['deprecated'] : []),
    ].join(', ')
    const line = `${'  '.repeat(depth)}- \`${name}\` (${facts})${description ? `: ${description}` : ''}`
    return depth < DEPTH_MAX ? [line, ...fieldLines(field, document, depth + 1)] : [line]
  })
}

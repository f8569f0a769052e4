import { useState } from 'react'
import { InlineMarkdown } from './markdown-view.tsx'
import {
  fieldsOf,
  type OperationDocument,
  resolve,
  type Schema,
  typeOf,
} from '../../../contract/openapi-schema.ts'

/** Schemas may contain themselves. */
const DEPTH_MAX = 8

/** The fields of a value. Those of a nested object are rendered when a person opens it. */
export function SchemaTree({
  schema,
  document,
  depth = 0,
}: {
  schema: Schema
  document: OperationDocument
  depth?: number
}) {
  const { fields, required } = fieldsOf(schema, document)
  if (fields.length === 0) return <p className="hint">{typeOf(schema, document)}</p>
  return (
    <ul className="schema">
      {fields.map(([name, field]) => (
        <li key={name}>
          <FieldLine
            name={name}
            schema={resolve(field, document)}
            isRequired={required.has(name)}
            document={document}
          />
          {depth < DEPTH_MAX && fieldsOf(field, document).fields.length > 0 && (
            <Nested name={name} schema={field} document={document} depth={depth + 1} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Nested(props: { name: string; schema: Schema; document: OperationDocument; depth: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Fields of {props.name}</summary>
      {isOpen && <SchemaTree schema={props.schema} document={props.document} depth={props.depth} />}
    </details>
  )
}

interface FieldLineProps {
  name: string
  schema: Schema
  isRequired: boolean
  document: OperationDocument
}

export const FieldLine = ({ name, schema, isRequired, document }: FieldLineProps) => (
  <>
    <p>
      <code className="field-name">{name}</code> <span className="hint">{typeOf(schema, document)}</span>{' '}
      {isRequired && <span className="badge warn">Required</span>}{' '}
      {schema.deprecated && <span className="badge soft">Deprecated</span>}
    </p>
    {schema.description && (
      <p>
        <InlineMarkdown text={schema.description} />
      </p>
    )}
    {schema.default !== undefined && <p className="hint">Default: {JSON.stringify(schema.default)}</p>}
  </>
)

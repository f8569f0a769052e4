// By its file: the index of the package imports a validator that is not installed.
import ObjectField from '@rjsf/core/lib/components/fields/ObjectField.js'
import withTheme from '@rjsf/core/lib/withTheme.js'
import type {
  ArrayFieldItemTemplateProps,
  DescriptionFieldProps,
  FieldErrorProps,
  FieldProps,
  FieldTemplateProps,
  IconButtonProps,
  RJSFSchema,
  TemplatesType,
} from '@rjsf/utils'
import { type ComponentType, type ReactNode, useMemo, useRef } from 'react'
import { Button, IconButton } from './button.tsx'
import { FormContent } from './form-content.tsx'
import { InlineCode } from './inline-code.tsx'
import { useIsFormReadOnly } from './read-only.tsx'
import { schemaValidator } from './schema-validator.ts'

function FieldFrame(props: FieldTemplateProps): ReactNode {
  const { id, label, children, errors, help, description, hidden, required, displayLabel, schema } = props
  if (hidden) return <div hidden>{children}</div>
  const isCheckbox = schema.type === 'boolean'
  return (
    <div className="field">
      {displayLabel && !isCheckbox && (
        <label htmlFor={id}>
          {label}
          {required && <span className="hint"> (required)</span>}
        </label>
      )}
      {children}
      {displayLabel && !isCheckbox && description}
      {errors}
      {help}
    </div>
  )
}

const Description = ({ id, description }: DescriptionFieldProps) =>
  description ? (
    <p className="hint" id={id}>
      <InlineCode>{description}</InlineCode>
    </p>
  ) : null

const FieldErrors = ({ errors = [], fieldPathId }: FieldErrorProps) =>
  errors.length > 0 ? (
    <p className="field-error" id={`${fieldPathId.$id}__error`} role="alert">
      {errors.join(' ')}
    </p>
  ) : null

const ListItem = ({ children, buttonsProps, hasToolbar }: ArrayFieldItemTemplateProps) => (
  <div className="list-item">
    <div>{children}</div>
    {hasToolbar && buttonsProps.hasRemove && (
      <IconButton
        icon="trash"
        label="Remove"
        onClick={buttonsProps.onRemoveItem}
        disabled={buttonsProps.disabled}
      />
    )}
  </div>
)

const AddButton = ({ id, onClick, disabled }: IconButtonProps) => (
  <Button isSmall icon="plus" id={id} onClick={onClick} disabled={disabled}>
    Add
  </Button>
)

const RemoveButton = ({ id, onClick, disabled }: IconButtonProps) => (
  <IconButton icon="trash" label="Remove" id={id} onClick={onClick} disabled={disabled} />
)

/** A field for an argument that is a file, as `file_uploadable` in a schema marks it. */
export interface FileFieldProps {
  id: string
  label: string
  isRequired: boolean
  description: string | undefined
  value: unknown
  isInvalid: boolean
  /** What is wrong inside of the value. The form itself shows what is wrong with the whole. */
  error: string | undefined
  onChange(value: unknown): void
}

/** Objects are fieldsets, except files, if the form has a field for them. */
function ObjectOrFile(props: FieldProps): ReactNode {
  const { schema, registry, fieldPathId, formData, title, name, required, onChange } = props
  const isInvalidInside = Object.keys(props.errorSchema ?? {}).length > 0
  const { fileField: File } = registry.formContext as { fileField?: ComponentType<FileFieldProps> }
  if (!File || (schema as { file_uploadable?: unknown }).file_uploadable !== true)
    return <ObjectField {...props} />
  return (
    <File
      id={fieldPathId.$id}
      label={schema.title ?? title ?? name}
      isRequired={required ?? false}
      description={schema.description}
      value={formData}
      isInvalid={isInvalidInside || Boolean(props.rawErrors?.length)}
      error={isInvalidInside ? 'Choose a file.' : undefined}
      onChange={(value) => onChange(value, fieldPathId.path)}
    />
  )
}

// The types ask for all templates; those that are absent are the ones of the library.
const templates = {
  FieldTemplate: FieldFrame,
  DescriptionFieldTemplate: Description,
  FieldErrorTemplate: FieldErrors,
  ArrayFieldItemTemplate: ListItem,
  ErrorListTemplate: () => null,
  ButtonTemplates: { AddButton, RemoveButton },
} as unknown as Partial<TemplatesType>

const ThemedForm = withTheme({ templates, fields: { ObjectField: ObjectOrFile } })

interface SchemaFormProps {
  /** JSON Schema of an object, such as the input of a tool. */
  schema: object
  value: Record<string, unknown>
  onChange(value: Record<string, unknown>): void
  /** Called with a valid value. */
  onSubmit?(value: Record<string, unknown>): void
  /** The field for arguments that are files. Without it, they are objects like others. */
  fileField?: ComponentType<FileFieldProps>
  /** Buttons below the fields; one of type submit. */
  children: ReactNode
}

/**
 * A form for any JSON Schema. It is validated when it is submitted; the first wrong field gets the focus. Imported by
 * file, not from the index: only pages that need it load it.
 */
export function SchemaForm({ schema, value, onChange, onSubmit, fileField, children }: SchemaFormProps) {
  // Titles of inputs are names of types, such as `GetCurrentTimeRequest`, which mean nothing to people.
  const untitled = useMemo(() => ({ ...schema, title: undefined }) as unknown as RJSFSchema, [schema])
  const context = useMemo(() => ({ fileField }), [fileField])
  const root = useRef<HTMLDivElement>(null)
  const isReadOnly = useIsFormReadOnly()
  return (
    <div ref={root}>
      <FormContent isReadOnly={isReadOnly} root={root}>
        <ThemedForm
          formContext={context}
          readonly={isReadOnly}
          className="schema-form"
          schema={untitled}
          validator={schemaValidator}
          formData={value}
          showErrorList={false}
          focusOnFirstError
          noHtml5Validate
          experimental_defaultFormStateBehavior={{
            emptyObjectFields: 'skipDefaults',
            arrayMinItems: { populate: 'never' },
          }}
          onChange={({ formData }) => onChange((formData ?? {}) as Record<string, unknown>)}
          onSubmit={({ formData }) => isReadOnly || onSubmit?.((formData ?? {}) as Record<string, unknown>)}
        >
          {children}
        </ThemedForm>
      </FormContent>
    </div>
  )
}

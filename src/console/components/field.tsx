import {
  type FormHTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
  useRef,
} from 'react'
import type { ApiFailure } from '../api/failure.ts'
import { FormContent } from './form-content.tsx'
import { InlineCode } from './inline-code.tsx'
import { useIsFormReadOnly, useIsReadOnly } from './read-only.tsx'

interface Labelled {
  label: string
  hint?: ReactNode
  /** What is wrong with the value. */
  error?: string | undefined
}

interface FieldProps extends Labelled {
  /** Renders the control with the attributes that connect it to label, hint and error. */
  children: (control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}

/** A label, a control, a hint, and an error that screen readers announce. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          <InlineCode>{hint}</InlineCode>
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          <InlineCode>{error}</InlineCode>
        </p>
      )}
    </div>
  )
}

type InputProps = Labelled &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> & { ref?: Ref<HTMLInputElement> }

export function TextField({ label, hint, error, ...rest }: InputProps) {
  const isReadOnly = useIsReadOnly()
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input className="input" readOnly={isReadOnly} {...control} {...rest} />}
    </Field>
  )
}

type AreaProps = Labelled &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'> & {
    ref?: Ref<HTMLTextAreaElement>
    isCode?: boolean
  }

export function TextArea({ label, hint, error, isCode, ...rest }: AreaProps) {
  const isReadOnly = useIsReadOnly()
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          className={isCode ? 'input code' : 'input'}
          rows={6}
          readOnly={isReadOnly}
          {...control}
          {...rest}
        />
      )}
    </Field>
  )
}

/** A check box with its label behind it. */
export function CheckField({
  label,
  hint,
  disabled,
  ...rest
}: Omit<Labelled, 'error'> & Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type'>) {
  const id = useId()
  const isReadOnly = useIsReadOnly()
  return (
    <div className="check-field">
      <input
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled || isReadOnly}
        {...rest}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p className="hint" id={`${id}-hint`}>
            <InlineCode>{hint}</InlineCode>
          </p>
        )}
      </div>
    </div>
  )
}

/** Returns what the server says about a field of the form, by its path in the body. */
export const errorOf = (failure: ApiFailure | null | undefined, field: string): string | undefined =>
  failure?.fields.find((problem) => problem.field === field)?.message

/** A form that the page sends itself: the browser neither navigates nor reloads. */
export function Form({
  onSubmit,
  children,
  ...rest
}: Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & { onSubmit(): unknown }) {
  const form = useRef<HTMLFormElement>(null)
  const isReadOnly = useIsFormReadOnly()
  return (
    <form
      {...rest}
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReadOnly) onSubmit()
      }}
    >
      <FormContent isReadOnly={isReadOnly} root={form}>
        {children}
      </FormContent>
    </form>
  )
}

/** What went wrong with a form as a whole, with the next step. */
export function FormError({ failure }: { failure: ApiFailure | null | undefined }) {
  if (!failure) return null
  return (
    <div className="form-error" role="alert">
      <p>
        <InlineCode>{failure.message}</InlineCode>
      </p>
      {failure.fix && (
        <p className="hint">
          <InlineCode>{failure.fix}</InlineCode>
        </p>
      )}
    </div>
  )
}

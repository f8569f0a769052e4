import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { type ReactNode, useState } from 'react'
import type { ApiFailure } from '../api/failure.ts'
import { Button, IconButton } from './button.tsx'
import { Form, FormError } from './field.tsx'
import { InlineCode } from './inline-code.tsx'
import { Interruptions } from './interruptions.tsx'
import { ReadOnlyControls, useIsReadOnly } from './read-only.tsx'

interface DialogProps {
  title: string
  description?: ReactNode
  isOpen: boolean
  onClose(): void
  /** `drawer`: at the right edge, for details next to a list. */
  shape?: 'dialog' | 'drawer'
  isWide?: boolean
  /** False for a dialog that has to be answered. */
  isClosable?: boolean
  children: ReactNode
}

/** A dialog that keeps the focus inside, and returns it to where it was. */
export function Dialog(props: DialogProps) {
  const { title, description, isOpen, onClose, shape = 'dialog', isWide, isClosable = true, children } = props
  return (
    <BaseDialog.Root
      open={isOpen}
      disablePointerDismissal={!isClosable}
      onOpenChange={(open) => {
        if (!open && isClosable) onClose()
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className={`${shape}${isWide ? ' wide' : ''}`}>
          <header className="dialog-head">
            <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
            {isClosable && <IconButton icon="close" label="Close" onClick={onClose} />}
          </header>
          <Interruptions />
          {description && (
            <BaseDialog.Description className="hint">
              <InlineCode>{description}</InlineCode>
            </BaseDialog.Description>
          )}
          <div className="dialog-body">{children}</div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

export const Drawer = (props: Omit<DialogProps, 'shape'>) => <Dialog {...props} shape="drawer" />

interface FormActionsProps {
  /** The mutation that the form sends: its error is shown, and the button is busy while it runs. */
  request: { readonly isPending: boolean; readonly error: ApiFailure | null }
  /** Text of the button that submits the form: a verb with an object, such as `Create key`. */
  action: string
  look?: 'primary' | 'danger'
  isDisabled?: boolean
  /** Buttons before Cancel, such as one that deletes. */
  children?: ReactNode
  onCancel(): void
}

/** The end of a form in a dialog: what went wrong, Cancel, and the button that submits the form. */
export const FormActions = (props: FormActionsProps) => (
  <>
    <FormError failure={props.request.error} />
    <div className="actions">
      {props.children}
      <ReadOnlyControls isReadOnly={false}>
        <Button onClick={props.onCancel}>Cancel</Button>
      </ReadOnlyControls>
      <Button
        look={props.look ?? 'primary'}
        type="submit"
        isBusy={props.request.isPending}
        disabled={props.isDisabled}
      >
        {props.action}
      </Button>
    </div>
  </>
)

interface ConfirmProps {
  title: string
  /** What happens, and whether it can be undone. */
  children: ReactNode
  /** Verb of the button, such as `Delete key`. */
  action: string
  isOpen: boolean
  /** What is sent after the confirmation: a mutation without input. */
  request: { readonly isPending: boolean; readonly error: ApiFailure | null; mutate(): void }
  /** A text that has to be typed, for what cannot be undone. */
  typed?: string
  onClose(): void
}

/** Asks before something that cannot be undone easily. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, children, action, isOpen, request, typed, onClose } = props
  const [text, setText] = useState('')
  const isReady = typed === undefined || text === typed
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={() => isReady && !request.isPending && request.mutate()}>
        {children}
        {typed !== undefined && <TypedText text={typed} value={text} onChange={setText} />}
        <FormActions
          request={request}
          action={action}
          look="danger"
          isDisabled={!isReady}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

interface TypedTextProps {
  /** The text that has to be typed. */
  text: string
  value: string
  onChange(value: string): void
}

function TypedText({ text, value, onChange }: TypedTextProps) {
  const isReadOnly = useIsReadOnly()
  return (
    <label className="field">
      Type <code>{text}</code> to confirm
      <input
        className="input"
        value={value}
        readOnly={isReadOnly}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import { CopyButton } from './code.tsx'
import { enteredText } from './entered-text.ts'
import { ReadOnlyControls } from './read-only.tsx'

interface FieldsProps {
  isReadOnly: boolean
  /** The element that contains the controls. */
  root: RefObject<HTMLElement | null>
  children: ReactNode
}

/** The controls of a form. While it is read-only, a notice above them says why, and what was entered can be copied. */
export function FormContent({ isReadOnly, root, children }: FieldsProps) {
  const [wasUsable, setWasUsable] = useState(!isReadOnly)
  if (!isReadOnly && !wasUsable) setWasUsable(true)
  return (
    <>
      {isReadOnly && (wasUsable ? <LostPermission root={root} /> : <NoPermission />)}
      <ReadOnlyControls isReadOnly={isReadOnly}>{children}</ReadOnlyControls>
    </>
  )
}

const NoPermission = () => <p className="hint">You do not have the permission to use this form.</p>

function LostPermission({ root }: Pick<FieldsProps, 'root'>) {
  const [text, setText] = useState('')
  useLayoutEffect(() => setText(root.current ? enteredText(root.current) : ''), [root])
  return (
    <div className="interruption" role="status">
      <p>
        You do not have the permission to use this form any more. What you entered stays, read-only, until you
        leave the page.
      </p>
      {text !== '' && <CopyButton text={text} label="Copy the input" />}
    </div>
  )
}

import { createContext, type ReactNode, useContext, useState } from 'react'

/** Whether the person lacks the permission for the forms below. */
const LacksPermission = createContext(false)
/** Whether the controls below belong to a form that cannot be sent. */
const ReadOnly = createContext(false)

/** Whether a form is read-only, because the person lacks the permission for it. */
export const useIsFormReadOnly = (): boolean => useContext(LacksPermission)

/** Whether a control is read-only, because its form is. */
export const useIsReadOnly = (): boolean => useContext(ReadOnly)

interface RestrictionProps {
  isAllowed: boolean
  children: ReactNode
}

/** Makes the forms below read-only while the person lacks the permission for them. */
export const RestrictedForms = ({ isAllowed, children }: RestrictionProps) => {
  const isRestricted = useContext(LacksPermission)
  return <LacksPermission value={isRestricted || !isAllowed}>{children}</LacksPermission>
}

/**
 * Shows forms and dialogs to a person with the permission for them. They stay when the permission is lost, read-only,
 * because they may have input.
 */
export function Permitted({ isAllowed, children, otherwise }: RestrictionProps & { otherwise?: ReactNode }) {
  const [wasAllowed, setWasAllowed] = useState(isAllowed)
  if (isAllowed && !wasAllowed) setWasAllowed(true)
  if (!wasAllowed) return <>{otherwise}</>
  return <RestrictedForms isAllowed={isAllowed}>{children}</RestrictedForms>
}

interface ReadOnlyProps {
  isReadOnly: boolean
  children: ReactNode
}

/** The controls of a form that is read-only or not. */
export const ReadOnlyControls = ({ isReadOnly, children }: ReadOnlyProps) => (
  <ReadOnly value={isReadOnly}>{children}</ReadOnly>
)

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { useIsReadOnly } from './read-only.tsx'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  look?: Look
  icon?: IconName
  isSmall?: boolean
  /** Shows that the action runs, and ignores further clicks. */
  isBusy?: boolean
  children: ReactNode
}

export function Button(props: ButtonProps) {
  const { look = 'plain', icon, isSmall, isBusy, children, onClick, disabled, ...rest } = props
  const isReadOnly = useIsReadOnly()
  return (
    <button
      type="button"
      className={`button ${look}${isSmall ? ' small' : ''}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      disabled={disabled || isReadOnly}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
      {...rest}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button with an icon only; `label` is its name for everybody who does not see it. */
export function IconButton({
  icon,
  label,
  disabled,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & { icon: IconName; label: string }) {
  const isReadOnly = useIsReadOnly()
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      disabled={disabled || isReadOnly}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}

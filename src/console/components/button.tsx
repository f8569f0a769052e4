import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  look?: Look
  icon?: IconName
  isSmall?: boolean
  /** Shows that the action runs, and ignores further clicks. */
  isBusy?: boolean
  children: ReactNode
}

export function Button({ look = 'plain', icon, isSmall, isBusy, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button ${look}${isSmall ? ' small' : ''}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
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
export const IconButton = ({
  icon,
  label,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & { icon: IconName; label: string }) => (
  <button type="button" className="icon-button" aria-label={label} title={label} {...rest}>
    <Icon name={icon} />
  </button>
)
